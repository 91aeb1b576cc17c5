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
        MediaError(.io, step: "read", subject: path, reason: "is damaged", advice: Self.advice)
    }

    private func fault(_ error: SystemError) -> MediaError {
        MediaError(system: error.code, step: "read", subject: path, advice: Self.advice)
    }

    private static let advice: MediaError.Advice = "remove its folder and run again"
}
