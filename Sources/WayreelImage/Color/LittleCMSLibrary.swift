internal import CLCMS2
internal import WayreelCore

/// Little CMS, loaded on first use by ``ICCProfile``.
enum LittleCMSLibrary {
    /// Throws an `io` error if it is not installed: without it, images with a profile would have wrong colours.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(lcms2_load(), "Little CMS", packages: "liblcms2-2", step: step)
    }
}
