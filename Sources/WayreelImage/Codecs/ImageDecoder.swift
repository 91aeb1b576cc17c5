internal import CHEIF
internal import CJPEG
internal import CJXL
internal import CLCMS2
internal import CPNG
internal import CTIFF
internal import CWebP
package import WayreelCore

/// Opens encoded images of any supported format.
package enum ImageDecoder {
    /// A reader for the image in `bytes`, whose format is detected by content. `page` (from 1) selects an image in a
    /// file with several; nil selects the default.
    ///
    /// Reads the header and checks it against `limits` before allocating pixels. Throws `unsupported` for other files
    /// and formats, `limit` for images that are too large, `decoding` for damaged ones.
    package static func open(
        _ bytes: MediaBytes, page: Int? = nil, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        do throws(MediaError) {
            return try reader(bytes, page: page, limits: limits, task: task)
        } catch { throw error.advising(wholeFile) }
    }

    /// The advice for damaged images.
    static let wholeFile: MediaError.Advice = "send the whole file"

    private static func reader(
        _ bytes: MediaBytes, page: Int?, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        guard bytes.count > 0 else { throw MediaError(.decoding, step: .decode, reason: "the file is empty") }
        let format = FormatSignature.detect(bytes.buffer)
        switch format {
        case .jpeg:
            try limits.check(page: page ?? 1, of: 1)
            return try JPEGReader(bytes, limits: limits, task: task)
        case .png: return try PNGFrames.open(bytes, page: page, limits: limits, task: task)
        case .gif: return try GIFFrames.open(bytes, page: page, limits: limits, task: task)
        case .webp: return try WebPFrames.open(bytes, page: page, limits: limits, task: task)
        case .heif(let format):
            return try HEIFDecoder.open(bytes, page: page, format: format, limits: limits, task: task)
        case .jxl: return try JXLReader(bytes, page: page ?? 1, limits: limits, task: task)
        case .tiff:
            if let photo = RawPhoto(.tiff, bytes) {
                try limits.check(page: page ?? 1, of: 1)
                return try RawPreviewReader(photo, bytes, limits: limits, task: task)
            }
            return try TIFFReader(bytes, page: page ?? 1, limits: limits)
        case .raw(let kind):
            try limits.check(page: page ?? 1, of: 1)
            guard let photo = RawPhoto(kind, bytes) else { break }
            return try RawPreviewReader(photo, bytes, limits: limits, task: task)
        case .icon: return try IconFile.open(bytes, page: page, limits: limits)
        case .still(let still):
            try limits.check(page: page ?? 1, of: 1)
            return try still.open(bytes, limits: limits)
        case .refused(let description, let advice):
            throw MediaError(
                .unsupported, code: .unknownFormat, step: .decode,
                reason: "it looks like \(description), not an image",
                advice: advice)
        case nil: break
        }
        throw MediaError(
            .unsupported, code: .unknownFormat, step: .decode, reason: "it is not in a known image format",
            advice: "check that the file is complete, or convert it to JPEG or PNG first")
    }
}

/// The libraries that decode and encode images.
package enum ImageLibraries {
    /// Loads all installed libraries.
    package static func loadAll() {
        for load in [
            wr_jpeg_load, cpng_load, webp_load, ctiff_load, cjxl_load, heif_library_load, lcms2_load,
        ] { _ = load() }
    }
}
