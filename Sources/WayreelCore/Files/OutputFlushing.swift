/// Whether outputs are flushed to the disk before they are renamed, or flushed later by the caller, which can flush the
/// outputs of several tasks together while the tasks' threads continue.
package enum OutputFlushing {
    @TaskLocal private static var isLeft = false

    /// Runs `body`, whose outputs the caller flushes. Outputs that `body` writes on other threads are flushed anyway.
    package static func left<Result>(byRunning body: () -> Result) -> Result {
        $isLeft.withValue(true, operation: body)
    }

    static var isDone: Bool { !isLeft }

    /// Flushes an open file, unless the caller does it.
    static func flush(_ descriptor: Int32) throws(SystemError) { if isDone { try flushToDisk(descriptor) } }
}
