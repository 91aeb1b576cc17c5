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
        guard var file = HEIFFile(bytes.buffer) else {
            try limits.check(page: page ?? 1, of: 1)
            return try HEIFLibraryReader(bytes, nil, format: format, limits: limits, task: task)
        }
        if !file.hasImage || page != nil && file.sequenceFrames > max(1, file.topLevelImages.count) {
            let page = page ?? 1
            return try openSequence(bytes, file, page: page, format: format, limits: limits, task: task)
        }
        if let page { file = try file.choosing(page: page, limits: limits) }
        let parts = try file.parts()
        if let image = HEIFImage(primaryOf: file), image.needsFFmpeg || image.canUseFFmpeg {
            return try HEIFTileReader(bytes, file, image, format: format, limits: limits, task: task)
        }
        try file.checkIsComplete(parts)
        return try HEIFLibraryReader(bytes, file, format: format, limits: limits, task: task)
    }

    private static func openSequence(
        _ bytes: MediaBytes, _ file: HEIFFile, page: Int, format: ImageFormat, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        try limits.check(frames: file.sequenceFrames)
        try limits.check(page: page, of: file.sequenceFrames)
        guard let sequence = file.sequence, page <= sequence.frameCount else {
            throw MediaError(
                .unsupported, step: "decode", reason: "HEIF: the frames of this image sequence cannot be decoded",
                advice: file.hasImage
                    ? "remove \(.page) to use the still image" : "convert a frame of it to JPEG or PNG first")
        }
        let image = HEIFImage(frame: page - 1, of: sequence)
        return try HEIFTileReader(bytes, file, image, format: format, limits: limits, task: task)
    }
}
