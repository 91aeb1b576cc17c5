internal import WayreelAV
internal import WayreelCore

/// A file of records for a later run. A record is a fixed number of 64-bit integers in the machine's byte order, the
/// number of bytes that follow, and those bytes.
struct RecordFile {
    let path: String
    /// The number of integers before the bytes of a record.
    let numbers: Int

    private static let maxBytes = 1 << 30

    /// Writes records. The file is published when it is finished. Must be used from a single thread.
    final class Writer: @unchecked Sendable {
        private let sink: AtomicOutput

        init(_ file: RecordFile) throws(MediaError) { sink = try AtomicOutput(file.path) }

        func write(_ numbers: [Int64], _ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            let header = numbers + [Int64(bytes.count)]
            try sink.write(header.flatMap { number in withUnsafeBytes(of: number) { Array($0) } })
            try sink.write(bytes)
        }

        func finish() throws(MediaError) { try sink.finish() }
    }

    /// Reads the records in order. Throws an `io` error if the file is damaged.
    final class Reader {
        let file: RecordFile
        private let opened: OpenFile
        private var offset = 0

        init(_ file: RecordFile) throws(MediaError) {
            self.file = file
            do throws(SystemError) { opened = try OpenFile(file.path) } catch { throw file.fault(error) }
        }

        func next() throws(MediaError) -> (numbers: [Int64], bytes: [UInt8])? {
            guard bytesLeft > 0 else { return nil }
            let header = try bytes((file.numbers + 1) * 8)
            let values = header.withUnsafeBytes { bytes in
                (0...file.numbers).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
            }
            guard let count = Int(exactly: values[file.numbers]), (0...maxBytes).contains(count) else {
                throw file.damaged
            }
            return (Array(values.dropLast()), try bytes(count))
        }

        private var bytesLeft: Int { (opened.byteCount ?? 0) - offset }

        /// Checks the size before memory is allocated for it.
        private func bytes(_ count: Int) throws(MediaError) -> [UInt8] {
            guard count <= bytesLeft else { throw file.damaged }
            defer { offset += count }
            do throws(SystemError) { return try opened.bytes(count, at: offset) } catch { throw file.fault(error) }
        }
    }

    var damaged: MediaError {
        MediaError(.io, step: .read, subject: path, reason: "is damaged", advice: Self.advice)
    }

    private func fault(_ error: SystemError) -> MediaError {
        MediaError(system: error.code, step: .read, subject: path, advice: Self.advice)
    }

    private static let advice: MediaError.Advice = "remove its folder and run again"
}

/// A file of encoded packets: PTS, DTS, duration, whether it is a keyframe, and the bytes of each.
enum PacketFile {
    /// Timestamps outside of this range are damaged; sums of a few timestamps within it do not overflow.
    private static let timestamps = -(Int64(1) << 53)...Int64(1) << 53

    private static func records(_ path: String) -> RecordFile { RecordFile(path: path, numbers: 4) }

    /// Writes packets. The file is published when it is finished. Must be used from a single thread.
    final class Writer: PacketSink, @unchecked Sendable {
        private let writer: RecordFile.Writer

        init(_ path: String) throws(MediaError) { writer = try RecordFile.Writer(records(path)) }

        func take(_ packet: Packet) throws(MediaError) {
            let times = [packet.presentationTime ?? 0, packet.decodingTime ?? packet.presentationTime ?? 0]
            try writer.write(times + [packet.duration, packet.isKeyFrame ? 1 : 0], packet.bytes)
        }

        func finish() throws(MediaError) { try writer.finish() }
    }

    /// Reads the packets in order. Throws an `io` error if the file is damaged.
    struct Reader {
        private let reader: RecordFile.Reader

        init(_ path: String) throws(MediaError) { reader = try RecordFile.Reader(records(path)) }

        func next() throws(MediaError) -> Packet? {
            guard let (numbers, bytes) = try reader.next() else { return nil }
            guard numbers[0...2].allSatisfy(timestamps.contains), numbers[2] >= 0, (0...1).contains(numbers[3]) else {
                throw reader.file.damaged
            }
            let packet = try bytes.withBytes { (bytes) throws(MediaError) in try Packet(bytes) }
            packet.presentationTime = numbers[0]
            packet.decodingTime = numbers[1]
            packet.duration = numbers[2]
            packet.isKeyFrame = numbers[3] == 1
            return packet
        }
    }
}

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
