internal import WayreelAV
internal import WayreelCore

/// Encoded pictures in a file, from one run to the next: for each packet its times, its length, whether it is a key frame, and
/// its bytes.
enum PacketFile {
    private static func records(_ path: String) -> RecordFile { RecordFile(path: path, numbers: 4) }

    /// Writes one, which stands at its path when it is finished. Belongs to one thread.
    final class Writer: PacketSink, @unchecked Sendable {
        private let writer: RecordFile.Writer

        init(_ path: String) throws(MediaError) { writer = try RecordFile.Writer(records(path)) }

        func take(_ packet: MediaPacket) throws(MediaError) {
            let times = [packet.presentationTime ?? 0, packet.decodingTime ?? packet.presentationTime ?? 0]
            try writer.write(times + [packet.duration, packet.isKeyFrame ? 1 : 0], packet.bytes)
        }

        func finish() throws(MediaError) { try writer.finish() }
    }

    /// Hands out the packets of the file at `path`. Throws an `io` error where it is not as it was written.
    static func read(_ path: String, _ body: (MediaPacket) throws(MediaError) -> Void) throws(MediaError) {
        try records(path).read { (numbers, bytes) throws(MediaError) in
            let packet = try packet(bytes)
            packet.presentationTime = numbers[0]
            packet.decodingTime = numbers[1]
            packet.duration = numbers[2]
            packet.isKeyFrame = numbers[3] == 1
            try body(packet)
        }
    }

    private static func packet(_ bytes: [UInt8]) throws(MediaError) -> MediaPacket {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(MediaError) in try MediaPacket(bytes) }
        }.get()
    }
}
