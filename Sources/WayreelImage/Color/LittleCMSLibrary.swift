internal import CLCMS2
internal import WayreelCore

/// Little CMS, loaded on first use. Who opens an ``ICCProfile`` has loaded it.
enum LittleCMSLibrary {
    /// Throws an `io` error where it is not installed: a picture whose profile cannot be read would get other colours.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(lcms2_load(), "Little CMS", packages: "liblcms2-2", step: step)
    }
}
