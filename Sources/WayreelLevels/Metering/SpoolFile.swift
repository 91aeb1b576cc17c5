internal import Glibc
internal import WayreelCore

/// An unnamed temporary file, written sequentially.
final class SpoolFile {
    private let descriptor: Int32

    /// Returns nil if neither $TMPDIR nor /tmp is writable.
    init?() {
        let folders = [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"]
        for case .some(let folder) in folders where !folder.isEmpty {
            let descriptor = open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            self.descriptor = descriptor
            return
        }
        return nil
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        do { try writeAll(bytes, to: descriptor) } catch { throw fault(error.code) }
    }

    /// Reads `bytes.count` bytes at `offset`.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(MediaError) {
        do throws(SystemError) {
            guard try readAll(into: bytes, from: descriptor, at: offset) == bytes.count else {
                throw SystemError(code: EIO)
            }
        } catch { throw fault(error.code) }
    }

    private func fault(_ code: Int32) -> MediaError {
        MediaError(
            .io, code: MediaError.Code(disk: code), step: "measure", subject: "temporary file",
            reason: systemReason(code), advice: "set TMPDIR to a folder with more space")
    }
}
