internal import Glibc
internal import WayreelAV
internal import WayreelCore

/// Encoded pictures in a file of Wayreel's own, from one run to the next: for each packet its times, its length in bytes,
/// whether it is a key frame, and its bytes.
enum PacketFile {
    /// Numbers of 64 bits in front of each packet, in the machine's order.
    private static let numbers = 5
    private static let headerBytes = numbers * 8

    /// Writes one, which stands at its path when it is finished. Belongs to one thread.
    final class Writer: PacketSink, @unchecked Sendable {
        private let sink: OutputSink

        init(_ path: String) throws(MediaError) { sink = try OutputSink(path) }

        func take(_ packet: MediaPacket) throws(MediaError) {
            let bytes = packet.bytes
            let times = [packet.presentationTime ?? 0, packet.decodingTime ?? packet.presentationTime ?? 0]
            let header = times + [packet.duration, packet.isKeyFrame ? 1 : 0, Int64(bytes.count)]
            try sink.write(header.flatMap { number in withUnsafeBytes(of: number) { Array($0) } })
            try sink.write(bytes)
        }

        func finish() throws(MediaError) { try sink.finish() }
    }

    /// Hands out the packets of the file at `path`. Throws an `io` error where it is not as it was written.
    static func read(_ path: String, _ body: (MediaPacket) throws(MediaError) -> Void) throws(MediaError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(path, systemReason(errno)) }
        defer { close(descriptor) }
        while let header = try next(headerBytes, of: descriptor, path) {
            let values = header.withUnsafeBytes { bytes in
                (0..<numbers).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
            }
            guard let count = Int(exactly: values[4]), (0...1 << 30).contains(count),
                let bytes = try next(count, of: descriptor, path)
            else { throw fault(path, "is damaged") }
            var made: MediaPacket?
            var failure: MediaError?
            bytes.withUnsafeBytes { bytes in
                do throws(MediaError) { made = try MediaPacket(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            guard let packet = made else { continue }
            packet.presentationTime = values[0]
            packet.decodingTime = values[1]
            packet.duration = values[2]
            packet.isKeyFrame = values[3] == 1
            try body(packet)
        }
    }

    private static func fault(_ path: String, _ reason: String) -> MediaError {
        MediaError(.io, step: "read", subject: path, reason: reason, advice: "remove its folder and run again")
    }

    /// `count` bytes; nil at the end.
    private static func next(_ count: Int, of descriptor: Int32, _ path: String) throws(MediaError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, count - done) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                if got == 0, done == 0 { return nil }
                throw fault(path, got < 0 ? systemReason(errno) : "is damaged")
            }
            done += got
        }
        return bytes
    }
}
