internal import CHEIF
internal import WayreelCore

/// Opens HEIC and AVIF files.
enum HEIFDecoder {
    /// Returns a reader that decodes tiles directly, or through libheif for features that only it supports (overlays,
    /// other derived images, layers, other codecs), or if FFmpeg lacks the decoder.
    ///
    /// `page` (from 1) selects a top-level image, or a frame of a sequence if there are more of those. Without it, the
    /// primary image is read, or the first frame of a file that is only a sequence. `format` is `.heif` or `.avif`.
    static func open(
        _ bytes: MediaBytes, page: Int?, format: ImageFormat, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        guard var file = HEIFFile(bytes) else {
            try limits.check(page: page ?? 1, of: 1)
            return try HEIFLibraryReader(bytes, nil, format: format, limits: limits, task: task)
        }
        if !file.hasImage || page != nil && file.sequenceFrames > max(1, file.topLevelImages.count) {
            let page = page ?? 1
            try limits.check(frames: file.sequenceFrames)
            try limits.check(page: page, of: file.sequenceFrames)
            guard let sequence = file.sequence, page <= sequence.frameCount else {
                throw HEIFFile.fault(
                    .unsupported, "the frames of this image sequence cannot be decoded",
                    file.hasImage
                        ? "remove \(.page) to use the still image" : "convert a frame of it to JPEG or PNG first")
            }
            let image = HEIFImage(frame: page - 1, of: sequence)
            return try HEIFTileReader(file, image, format: format, limits: limits, task: task)
        }
        if let page { file = try file.choosing(page: page, limits: limits) }
        let parts = try file.parts()
        if let image = HEIFImage(primaryOf: file), image.needsFFmpeg || image.canUseFFmpeg {
            return try HEIFTileReader(file, image, format: format, limits: limits, task: task)
        }
        try file.checkIsComplete(parts)
        return try HEIFLibraryReader(bytes, file, format: format, limits: limits, task: task)
    }
}

/// A libheif context for reading or writing. Loads libheif on first use.
final class HEIFContext {
    let pointer: OpaquePointer

    /// Throws an `io` error if libheif is not installed.
    init(step: MediaError.Step) throws(MediaError) {
        try SharedLibrary.libheif.require(step: step)
        guard let pointer = heif_context_alloc() else {
            throw MediaError(.limit, step: step, reason: "libheif: no memory")
        }
        self.pointer = pointer
    }

    deinit { heif_context_free(pointer) }
}

extension heif_error {
    /// Throws libheif's error as a `kind` error of `step`.
    func check(_ kind: MediaError.Kind, step: MediaError.Step) throws(MediaError) {
        guard code != heif_error_Ok else { return }
        let reason = text ?? "error \(code.rawValue).\(subcode.rawValue)"
        switch code {
        case heif_error_Memory_allocation_error where subcode == heif_suberror_Security_limit_exceeded:
            throw MediaError(.limit, step: step, reason: "libheif: \(reason)")
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw MediaError(
                .unsupported, step: step, reason: "libheif: \(reason)",
                advice: "a plugin of libheif for this codec may be missing")
        default:
            throw MediaError(kind, step: step, reason: "libheif: \(reason)")
        }
    }

    /// The message, which may end with a line break.
    var text: String? {
        message.map { String(cString: $0).split(whereSeparator: \.isNewline).joined(separator: " ") }
            .flatMap { $0.isEmpty ? nil : $0 }
    }
}
