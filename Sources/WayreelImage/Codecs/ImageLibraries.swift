internal import CHEIF
internal import CJPEG
internal import CJXL
internal import CLCMS2
internal import CPNG
internal import CTIFF
internal import CWebP

/// The libraries that decode and encode images.
package enum ImageLibraries {
    /// Loads all installed libraries.
    package static func loadAll() {
        for load in [
            wr_jpeg_load, cpng_load, webp_load, ctiff_load, cjxl_load, heif_library_load, lcms2_load,
        ] { _ = load() }
    }
}
