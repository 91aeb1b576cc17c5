internal import Synchronization

extension TaskContext {
    /// Pixels of a band that are worth a thread.
    private static let minPixelsPerBand = 1 << 17

    /// Runs `body` for bands that divide the rows of an image, on the calling thread and on the task's other threads,
    /// each with a context of its own. The number of bands must not affect the result. Throws the first error.
    package func forEachBand(
        of rows: Int, pixelsPerRow: Int,
        _ body: @escaping @Sendable (_ rows: Range<Int>, TaskContext) throws(MediaError) -> Void
    ) throws(MediaError) {
        let count = min(threads, rows * pixelsPerRow / Self.minPixelsPerBand)
        guard count > 1 else { return try body(0..<rows, self) }
        let failure = Mutex<MediaError?>(nil)
        let run = { @Sendable (rows: Range<Int>, task: TaskContext) in
            do throws(MediaError) { try body(rows, task) } catch { failure.withLock { $0 = $0 ?? error } }
        }
        let bands = (0..<count).map { rows * $0 / count..<rows * ($0 + 1) / count }
        let workers = bands.dropFirst().map { band in
            let own = child()
            let thread = try? WorkThread("band") {
                run(band, own)
                own.countThread()
            }
            return (band, thread)
        }
        run(bands[0], self)
        for (band, thread) in workers {
            // With fewer threads, it only takes longer.
            if let thread { thread.join() } else { run(band, self) }
        }
        if let failure = failure.withLock(\.self) { throw failure }
    }
}
