internal import CLinux

/// The system's name of a thread, shown by profilers and `top -H`. New threads inherit it.
package enum ThreadName {
    /// Names the calling thread; the system keeps 15 bytes.
    package static func set(_ name: String) { wr_set_thread_name(name) }

    /// Name of the calling thread.
    package static var current: String {
        var text = [CChar](repeating: 0, count: 16)
        wr_get_thread_name(&text)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Runs `body`; threads that it starts inherit `name`.
    package static func inherited<Result>(
        _ name: String, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let own = current
        set(name)
        defer { set(own) }
        return try body()
    }
}
