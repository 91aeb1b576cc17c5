import Glibc
import TestSupport

/// A named pipe into which a thread writes bytes. It is closed after them, unless it hangs.
final class NamedPipe: @unchecked Sendable {
    let path: String
    private let folder = TemporaryFolder()
    private let bytes: [UInt8]
    private let hangs: Bool
    private var descriptor: Int32 = -1
    private var thread: pthread_t = 0

    init(feeding bytes: [UInt8], hangs: Bool = false) throws {
        path = "\(folder.path)/pipe"
        self.bytes = bytes
        self.hangs = hangs
        signal(SIGPIPE, SIG_IGN)
        guard mkfifo(path, 0o600) == 0 else { throw AudioFiles.Failure(description: "no pipe") }
        let context = Unmanaged.passRetained(self)
        pthread_create(
            &thread, nil,
            { context in
                Unmanaged<NamedPipe>.fromOpaque(context!).takeRetainedValue().feed()
                return nil
            }, context.toOpaque())
        pthread_detach(thread)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private func feed() {
        descriptor = open(path, O_WRONLY | O_CLOEXEC)
        var done = 0
        bytes.withUnsafeBytes {
            while done < $0.count {
                let count = write(descriptor, $0.baseAddress! + done, $0.count - done)
                if count <= 0 { break }
                done += count
            }
        }
        guard !hangs else { return }
        close(descriptor)
        descriptor = -1
    }
}
