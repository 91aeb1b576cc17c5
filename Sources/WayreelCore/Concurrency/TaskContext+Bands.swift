internal import Synchronization

extension TaskContext {
    /// Pixels of a band that are worth a thread.
    private static let minPixelsPerBand = 1 << 17

    /// Runs `body` for bands that divide the rows of an image, on the calling thread and on the task's other threads,
    /// each with a context of its own. The number of bands must not affect the result. Throws the error of the first
    /// band that fails.
    package func forEachBand(
        of rows: Int, pixelsPerRow: Int,
        _ body: @escaping @Sendable (_ rows: Range<Int>, TaskContext) throws(MediaError) -> Void
    ) throws(MediaError) {
        let count = min(threads, rows * pixelsPerRow / Self.minPixelsPerBand)
        guard count > 1 else { return try body(0..<rows, self) }
        let failures = Mutex<[Int: MediaError]>([:])
        let run = { @Sendable (band: Int, task: TaskContext) in
            let rows = rows * band / count..<rows * (band + 1) / count
            do throws(MediaError) { try body(rows, task) } catch { failures.withLock { $0[band] = error } }
        }
        let workers = (1..<count).map { band in
            let own = child()
            let thread = try? WorkThread("band") {
                run(band, own)
                own.countThread()
            }
            return (band, own, thread)
        }
        run(0, self)
        for (band, own, thread) in workers {
            // With fewer threads, it only takes longer.
            if let thread { thread.join() } else { run(band, own) }
            merge(own)
        }
        if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
    }
}
