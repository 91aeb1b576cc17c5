internal import CLinux
internal import Glibc

/// A file in memory that processes of the same user can open by path while this object lives.
package final class MemoryFile {
    private let descriptor: Int32

    package var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

    /// Throws a `limit` error if memory is exhausted.
    package init(_ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) throws(MediaError) {
        descriptor = wr_memory_file()
        guard descriptor >= 0 else { throw Self.fault(.limit) }
        do { try writeAll(bytes, to: descriptor) } catch { throw Self.fault(.limit, error.code) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the current content.
    package func bytes() throws(MediaError) -> [UInt8] {
        do throws(SystemError) {
            return try readBytes(FileStatus(descriptor: descriptor).byteCount, from: descriptor)
        } catch { throw Self.fault(.io, error.code) }
    }

    /// An open memory file of another process.
    package final class Writer: ByteSink {
        private let descriptor: Int32

        package init(_ path: String) throws(MediaError) {
            descriptor = Glibc.open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw MemoryFile.fault(.io) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
            do { try writeAll(bytes, to: descriptor) } catch { throw MemoryFile.fault(.io, error.code) }
        }
    }

    fileprivate static func fault(_ kind: MediaError.Kind, _ code: Int32 = errno) -> MediaError {
        MediaError(
            kind, code: MediaError.Code(disk: code), step: .start,
            reason: "cannot pass bytes to another process: \(systemReason(code))",
            advice: "run fewer tasks at once, or without isolation")
    }

    /// Calls `body` with the path of a memory file of `bytes`. Errors do not name that path.
    package static func open<Result>(
        _ bytes: [UInt8], _ body: (String) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let file = try bytes.span.withUnsafeBytes { (bytes) throws(MediaError) in try MemoryFile(bytes) }
        do throws(MediaError) {
            return try withExtendedLifetime(file) { () throws(MediaError) in try body(file.path) }
        } catch { throw error.forgetting(file.path) }
    }
}
