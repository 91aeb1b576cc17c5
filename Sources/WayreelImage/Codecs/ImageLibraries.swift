internal import CHEIF
internal import CJPEG
internal import CJXL
internal import CLCMS2
internal import CPNG
internal import CTIFF
internal import CWebP
package import WayreelCore

/// For C's `int (*stop)(void *)` with a `TaskContext` that outlives the call: whether the task must stop.
func mustStop(_ context: UnsafeMutableRawPointer?) -> Int32 {
    Unmanaged<TaskContext>.fromOpaque(context!).takeUnretainedValue().mustStop ? 1 : 0
}

/// The libraries that decode and encode images, and convert their colours.
extension SharedLibrary {
    static let libheif = SharedLibrary("libheif", packages: "libheif1", load: heif_load)
    static let libjpeg = SharedLibrary("libjpeg", packages: "libjpeg62-turbo", load: jpeg_load)
    static let libjxl = SharedLibrary("libjxl", packages: "libjxl0.7", load: jxl_load)
    static let libpng = SharedLibrary("libpng", packages: "libpng16-16 zlib1g", load: png_load)
    static let libtiff = SharedLibrary("libtiff", packages: "libtiff6", load: tiff_load)
    static let libwebp = SharedLibrary("libwebp", packages: "libwebp7 libwebpdemux2 libwebpmux3", load: webp_load)
    /// Without it, images with a profile would have wrong colours.
    static let littleCMS = SharedLibrary("Little CMS", packages: "liblcms2-2", load: lcms2_load)

    package static let ofImages = [libheif, libjpeg, libjxl, libpng, libtiff, libwebp, littleCMS]
}
