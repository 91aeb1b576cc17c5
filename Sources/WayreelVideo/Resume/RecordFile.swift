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

    /// Reads the records in order. Throws an `io` error if the file is damaged.
    final class Reader {
        let file: RecordFile
        private let descriptor: Int32

        init(_ file: RecordFile) throws(MediaError) {
            self.file = file
            descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw file.fault(systemReason(errno)) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func next() throws(MediaError) -> (numbers: [Int64], bytes: [UInt8])? {
            guard let header = try bytes((file.numbers + 1) * 8) else { return nil }
            let values = header.withUnsafeBytes { bytes in
                (0...file.numbers).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
            }
            guard let count = Int(exactly: values[file.numbers]), (0...maxBytes).contains(count), count <= bytesLeft,
                let bytes = try bytes(count)
            else { throw file.damaged }
            return (Array(values.dropLast()), bytes)
        }

        /// Returns the remaining bytes, to check a record's size before memory is allocated for it.
        private var bytesLeft: Int {
            var status = stat()
            let position = lseek(descriptor, 0, SEEK_CUR)
            return fstat(descriptor, &status) == 0 && position >= 0 ? Int(status.st_size) - position : 0
        }

        /// Returns `count` bytes, or nil at the end.
        private func bytes(_ count: Int) throws(MediaError) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, count - done) }
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    if got == 0, done == 0 { return nil }
                    throw got < 0 ? file.fault(systemReason(errno), code: MediaError.Code(disk: errno)) : file.damaged
                }
                done += got
            }
            return bytes
        }
    }

    var damaged: MediaError { fault("is damaged") }

    private func fault(_ reason: String, code: MediaError.Code? = nil) -> MediaError {
        MediaError(
            .io, code: code, step: "read", subject: path, reason: reason, advice: "remove its folder and run again")
    }
}
