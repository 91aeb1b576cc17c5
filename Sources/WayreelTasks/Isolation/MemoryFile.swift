internal import CLinux
internal import Glibc
internal import WayreelCore

/// A file in memory that processes of the same user can open by path while this object lives.
final class MemoryFile {
    private let descriptor: Int32

    var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    /// Throws a `limit` error if memory is exhausted.
    init(_ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) throws(MediaError) {
        descriptor = wr_memory_file()
        guard descriptor >= 0 else { throw Self.fault(.limit) }
        do { try writeAll(bytes, to: descriptor) } catch { throw Self.fault(.limit, error.code) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the current content.
    func bytes() throws(MediaError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.fault(.io) }
        do { return try readBytes(Int(status.st_size), from: descriptor) } catch { throw Self.fault(.io, error.code) }
    }

    /// Writes `bytes` into a memory file of another process.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        try bytes.withBytes { (bytes) throws(MediaError) in try Writer(path).write(bytes) }
    }

    /// An open memory file of another process.
    final class Writer {
        private let descriptor: Int32

        init(_ path: String) throws(MediaError) {
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw MemoryFile.fault(.io) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            do { try writeAll(bytes, to: descriptor) } catch { throw MemoryFile.fault(.io, error.code) }
        }
    }

    fileprivate static func fault(_ kind: MediaError.Kind, _ code: Int32 = errno) -> MediaError {
        MediaError(
            kind, code: MediaError.Code(disk: code), step: "start",
            reason: "cannot pass bytes to another process: \(systemReason(code))",
            advice: "run fewer tasks at once, or without isolation")
    }
}
