internal import WayreelCore

/// A file of thumbnails: the index, width and height of each, and its planes.
enum ThumbnailFile {
    private static func records(_ path: String) -> RecordFile { RecordFile(path: path, numbers: 3) }

    /// Writes thumbnails. The file is published when it is finished. Must be used from a single thread.
    final class Writer: Sendable {
        private let writer: RecordFile.Writer

        init(_ path: String) throws(MediaError) { writer = try RecordFile.Writer(records(path)) }

        func take(_ thumbnail: Thumbnail) throws(MediaError) {
            let numbers = [thumbnail.index, thumbnail.size.width, thumbnail.size.height].map(Int64.init)
            try thumbnail.planes.withUnsafeBytes { bytes in
                Result { () throws(MediaError) in try writer.write(numbers, bytes) }
            }.get()
        }

        func finish() throws(MediaError) { try writer.finish() }
    }

    /// Passes the thumbnails of the file at `path` to `body`. Throws an `io` error if it is damaged.
    static func read(_ path: String, _ body: (Thumbnail) throws(MediaError) -> Void) throws(MediaError) {
        let file = records(path)
        try file.read { (numbers, planes) throws(MediaError) in
            let sides = 1...Int64(Thumbnail.maxSide)
            guard (0...Int64(Thumbnail.maxIndex)).contains(numbers[0]), sides.contains(numbers[1]),
                sides.contains(numbers[2]), planes.count == 3 * Int(numbers[1] * numbers[2])
            else { throw file.damaged }
            let size = PixelSize(width: Int(numbers[1]), height: Int(numbers[2]))
            try body(Thumbnail(index: Int(numbers[0]), size: size, planes: planes))
        }
    }
}
