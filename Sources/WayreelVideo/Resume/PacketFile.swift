internal import WayreelAV
internal import WayreelCore

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
