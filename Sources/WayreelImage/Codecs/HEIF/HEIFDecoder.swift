internal import WayreelCore

/// Opens HEIC and AVIF files.
enum HEIFDecoder {
    /// A reader that decodes tile by tile, or through libheif where the file holds what the former does not understand:
    /// overlays, other derived images, layers, other codecs.
    ///
    /// `format` is `.heif` or `.avif`.
    static func open(
        _ bytes: MediaBytes, format: PictureFormat, limits: Limits, watch: TaskWatch
    ) throws(MediaError) -> any RowReader {
        guard let file = HEIFFile(bytes.buffer) else {
            return try HEIFLibraryReader(bytes, nil, format: format, limits: limits)
        }
        if let image = HEIFImage(primaryOf: file) {
            do throws(MediaError) {
                return try HEIFTileReader(bytes, file, image, format: format, limits: limits, watch: watch)
            } catch  where error.kind == .unsupported || error.kind == .io {
                // FFmpeg, or its decoder, is not installed.
            }
        }
        return try HEIFLibraryReader(bytes, file, format: format, limits: limits)
    }
}
