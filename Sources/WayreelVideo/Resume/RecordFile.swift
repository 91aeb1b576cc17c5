internal import Glibc
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
        private let sink: OutputSink

        init(_ file: RecordFile) throws(MediaError) { sink = try OutputSink(file.path) }

        func write(_ numbers: [Int64], _ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            let header = numbers + [Int64(bytes.count)]
            try sink.write(header.flatMap { number in withUnsafeBytes(of: number) { Array($0) } })
            try sink.write(bytes)
        }

        func finish() throws(MediaError) { try sink.finish() }
    }

    /// Passes the records to `body` in order. Throws an `io` error if the file is damaged.
    func read(_ body: ([Int64], [UInt8]) throws(MediaError) -> Void) throws(MediaError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(systemReason(errno)) }
        defer { close(descriptor) }
        while let header = try next((numbers + 1) * 8, of: descriptor) {
            let values = header.withUnsafeBytes { bytes in
                (0...numbers).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
            }
            guard let count = Int(exactly: values[numbers]), (0...Self.maxBytes).contains(count),
                count <= Self.bytesLeft(in: descriptor), let bytes = try next(count, of: descriptor)
            else { throw damaged }
            try body(Array(values.dropLast()), bytes)
        }
    }

    var damaged: MediaError { fault("is damaged") }

    private func fault(_ reason: String) -> MediaError {
        MediaError(.io, step: "read", subject: path, reason: reason, advice: "remove its folder and run again")
    }

    /// Returns the remaining bytes, to check a record's size before memory is allocated for it.
    private static func bytesLeft(in descriptor: Int32) -> Int {
        var status = stat()
        let position = lseek(descriptor, 0, SEEK_CUR)
        return fstat(descriptor, &status) == 0 && position >= 0 ? Int(status.st_size) - position : 0
    }

    /// Returns `count` bytes, or nil at the end.
    private func next(_ count: Int, of descriptor: Int32) throws(MediaError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, count - done) }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else {
                if got == 0, done == 0 { return nil }
                throw got < 0 ? fault(systemReason(errno)) : damaged
            }
            done += got
        }
        return bytes
    }
}
