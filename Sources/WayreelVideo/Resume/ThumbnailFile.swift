internal import WayreelCore

/// Small pictures for the preview in a file, from one run to the next: for each its place and size, and its planes.
enum ThumbnailFile {
    private static func records(_ path: String) -> RecordFile { RecordFile(path: path, numbers: 3) }

    /// Writes one, which stands at its path when it is finished. Belongs to one thread.
    final class Writer: Sendable {
        private let writer: RecordFile.Writer

        init(_ path: String) throws(MediaError) { writer = try RecordFile.Writer(records(path)) }

        func take(_ picture: Thumbnail) throws(MediaError) {
            let numbers = [picture.slot, picture.size.width, picture.size.height].map(Int64.init)
            try picture.planes.withUnsafeBytes { bytes in
                Result { () throws(MediaError) in try writer.write(numbers, bytes) }
            }.get()
        }

        func finish() throws(MediaError) { try writer.finish() }
    }

    /// Hands out the pictures of the file at `path`. Throws an `io` error where it is not as it was written.
    static func read(_ path: String, _ body: (Thumbnail) throws(MediaError) -> Void) throws(MediaError) {
        let file = records(path)
        try file.read { (numbers, planes) throws(MediaError) in
            let sides = 1...Int64(Thumbnail.side)
            guard sides.contains(numbers[1]), sides.contains(numbers[2]), numbers[0] >= 0,
                planes.count == 3 * Int(numbers[1] * numbers[2])
            else { throw file.damaged }
            let size = PixelSize(width: Int(numbers[1]), height: Int(numbers[2]))
            try body(Thumbnail(slot: Int(numbers[0]), size: size, planes: planes))
        }
    }
}
