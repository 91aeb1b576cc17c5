internal import Glibc

/// Whether outputs are flushed to the disk before they get their names, or left to whoever moves them on: that one can flush those of
/// several tasks together, while the threads of the tasks go on.
package enum OutputFlushing {
    @TaskLocal private static var isLeft = false

    /// Runs `body`, whose outputs the caller flushes. Those that it writes on other threads are flushed nevertheless.
    package static func left<Result>(byRunning body: () -> Result) -> Result {
        $isLeft.withValue(true, operation: body)
    }

    static var isDone: Bool { !isLeft }

    /// Flushes an open file. Returns -1 and sets errno on failure.
    static func flush(_ descriptor: Int32) -> Int32 { isLeft ? 0 : fsync(descriptor) }
}
