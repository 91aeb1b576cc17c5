internal import WayreelCore

/// Decodes the largest JPEG preview of a raw photo.
final class RawPreviewReader: RowReader {
    let header: ImageHeader
    private let jpeg: JPEGReader

    /// Throws an `unsupported` error if the photo has no preview.
    init(_ photo: RawPhoto, _ bytes: MediaBytes, limits: Limits, task: TaskContext) throws(MediaError) {
        guard let preview = photo.preview else {
            throw MediaError(
                .unsupported, step: "decode",
                reason: "the raw photo of \(photo.name) has no preview that Wayreel reads",
                advice: "export it as JPEG, HEIC or TIFF first")
        }
        jpeg = try JPEGReader(MediaBytes(bytes.buffer[preview]), limits: limits, task: task)
        var header = jpeg.header
        header.format = .raw
        header.rawCamera = photo.name
        // The metadata of the preview describe it more exactly.
        if header.exif == nil {
            header.exif = photo.exif
            header.orientation = photo.orientation
            header.obeysEXIFOrientation = false
        }
        header.xmp = header.xmp ?? photo.xmp
        self.header = header
    }

    func readRow(into row: UnsafeMutableRawPointer) throws(MediaError) { try jpeg.readRow(into: row) }

    func skipRows(_ count: Int) throws(MediaError) { try jpeg.skipRows(count) }

    var damage: Damage? { jpeg.damage }
}
