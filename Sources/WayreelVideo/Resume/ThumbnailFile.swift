internal import WayreelCore

/// A file of thumbnails: the index, width and height of each, and its planes.
enum ThumbnailFile {
    private static func records(_ path: String) -> RecordFile { RecordFile(path: path, numbers: 3) }

    /// Writes thumbnails. The file is published when it is finished. Must be used from a single thread.
    final class Writer: ThumbnailSink {
        private let writer: RecordFile.Writer

        init(_ path: String) throws(MediaError) { writer = try RecordFile.Writer(records(path)) }

        func take(_ thumbnail: Thumbnail) throws(MediaError) {
            let numbers = [thumbnail.index, thumbnail.size.width, thumbnail.size.height].map(Int64.init)
            try thumbnail.planes.withBytes { (bytes) throws(MediaError) in try writer.write(numbers, bytes) }
        }

        func finish() throws(MediaError) { try writer.finish() }
    }

    /// Reads the thumbnails in order. Throws an `io` error if the file is damaged.
    struct Reader {
        private let reader: RecordFile.Reader

        init(_ path: String) throws(MediaError) { reader = try RecordFile.Reader(records(path)) }

        func next() throws(MediaError) -> Thumbnail? {
            guard let (numbers, planes) = try reader.next() else { return nil }
            let sides = 1...Int64(Thumbnail.maxSide)
            guard (0...Int64(Thumbnail.maxIndex)).contains(numbers[0]), sides.contains(numbers[1]),
                sides.contains(numbers[2]), planes.count == 3 * Int(numbers[1] * numbers[2])
            else { throw reader.file.damaged }
            let size = PixelSize(width: Int(numbers[1]), height: Int(numbers[2]))
            return Thumbnail(index: Int(numbers[0]), size: size, planes: planes)
        }
    }
}
