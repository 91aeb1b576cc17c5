internal import CLinux
internal import Glibc
internal import Synchronization
package import WayreelCore

/// Something that is read from files again while the service runs.
protocol Reloading: Sendable {
    /// The setting that names the file.
    var name: String { get }

    /// Blocks. Throws the error of a file that cannot be used; then nothing has changed.
    func reload() throws(MediaError)
}

/// A value of a file, such as keys, that can be read again while requests use it. A request uses the value of the time at
/// which it asks.
final class Reloadable<Value: Sendable>: Reloading {
    let name: String
    private let read: @Sendable () throws(MediaError) -> Value
    private let state: Mutex<(value: Value, version: Int)>

    /// Throws what `read` throws.
    init(_ name: String, _ read: @escaping @Sendable () throws(MediaError) -> Value) throws(MediaError) {
        (self.name, self.read) = (name, read)
        state = Mutex((try read(), 0))
    }

    var value: Value { state.withLock { $0.value } }

    /// The number of times that it was read again.
    var version: Int { state.withLock { $0.version } }

    func reload() throws(MediaError) {
        let value = try read()
        state.withLock { $0 = (value, $0.version + 1) }
    }
}

/// SIGHUP, at which the service reads keys and certificates again.
package enum ReloadSignal {
    private static let pipe = Atomic<Int32>(-1)

    /// Keeps SIGHUP, SIGUSR1 and SIGUSR2 from ending the process. A SIGHUP that comes before the service runs is not lost.
    package static func install() throws(MediaError) {
        let descriptor = wr_reload_pipe()
        guard descriptor >= 0 else { throw MediaError(system: errno, step: .signals, subject: nil) }
        pipe.store(descriptor, ordering: .relaxed)
    }

    /// Reads `files` again at each SIGHUP, on a thread of its own. Nothing happens without ``install()``.
    static func reload(_ files: [any Reloading]) throws(MediaError) {
        let descriptor = pipe.load(ordering: .relaxed)
        guard descriptor >= 0 else { return }
        try WorkThread.startDetached("reload") {
            var signals = [UInt8](repeating: 0, count: 64)
            while true {
                let count = read(descriptor, &signals, signals.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                for file in files {
                    do throws(MediaError) {
                        try file.reload()
                        ServiceLog.write(reloaded: file.name)
                    } catch { ServiceLog.write(reloaded: file.name, fault: "\(error)") }
                }
            }
        }
    }
}
