internal import Glibc
internal import WayreelCore
internal import WayreelDatabase

/// The file of the samples of a recording, while it is open for writing. All functions block.
final class SampleFile {
    private let descriptor: Int32
    private let path: String

    convenience init(creating path: String) throws(MediaError) {
        try self.init(path, O_CREAT | O_EXCL)
    }

    /// Throws ``StorageFault/notFound`` if there is none.
    convenience init(opening path: String) throws {
        guard RegularFile.byteCount(path) != nil else { throw StorageFault.notFound }
        try self.init(path, 0)
    }

    private init(_ path: String, _ flags: Int32) throws(MediaError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard descriptor >= 0 else { throw MediaError(system: errno, step: .data, subject: path) }
    }

    deinit { close(descriptor) }

    /// Writes bytes at the end of the first `end` bytes; what follows these is cut off. Where that fails, nothing of the
    /// bytes stays.
    func append(_ bytes: [UInt8], at end: Int) throws(MediaError) {
        guard ftruncate(descriptor, end) == 0, lseek(descriptor, end, SEEK_SET) == end else {
            throw MediaError(system: errno, step: .data, subject: path)
        }
        do throws(SystemError) { try writeAll(bytes, to: descriptor) } catch {
            ftruncate(descriptor, end)
            throw MediaError(system: error.code, step: .data, subject: path)
        }
    }

    func flush() throws(MediaError) {
        do throws(SystemError) { try flushToDisk(descriptor) } catch {
            throw MediaError(system: error.code, step: .data, subject: path)
        }
    }

    /// Cuts off what follows the last line feed, of those after the first `start` bytes. Returns the bytes that are left.
    func cutAfterLastLine(from start: Int) throws(MediaError) -> Int {
        let pieceBytes = 1 << 16
        do throws(SystemError) {
            let count = Int(max(0, lseek(descriptor, 0, SEEK_END)))
            var (end, cut) = (count, min(start, count))
            while end > start {
                let begin = max(start, end - pieceBytes)
                let piece = try readBytes(end - begin, from: descriptor, at: begin)
                if let index = piece.lastIndex(of: UInt8(ascii: "\n")) {
                    cut = begin + index + 1
                    break
                }
                end = begin
            }
            guard cut != count else { return cut }
            guard ftruncate(descriptor, cut) == 0 else { throw SystemError(code: errno) }
            try flushToDisk(descriptor)
            return cut
        } catch { throw MediaError(system: error.code, step: .data, subject: path) }
    }
}
