internal import CLinux

/// What the system calls a thread: profilers and `top -H` show it, and threads that a thread starts inherit it.
package enum ThreadName {
    /// Names the calling thread; 15 bytes are kept.
    package static func set(_ name: String) { wr_set_thread_name(name) }

    /// Of the calling thread.
    package static var current: String {
        var text = [CChar](repeating: 0, count: 16)
        wr_get_thread_name(&text)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Runs `body`, whose threads get `name`.
    package static func inherited<Result>(
        _ name: String, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let own = current
        set(name)
        defer { set(own) }
        return try body()
    }
}
