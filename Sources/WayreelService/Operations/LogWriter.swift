internal import Glibc
internal import WayreelCore

/// Writes lines to a descriptor on a thread of its own, so that no request waits for whoever reads them.
///
/// Lines wait in a bounded queue. If it is full, because a pipe is not read, further lines are lost and counted.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Monitor(State())
    /// Makes the line that says how many were lost.
    private let lostLine: @Sendable (Int) -> [UInt8]

    private static let maxBytes = 1 << 20

    /// Starts the thread. If the system refuses it, lines are lost.
    init(_ descriptor: Int32, lostLine: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        (self.descriptor, self.lostLine) = (descriptor, lostLine)
        _ = try? WorkThread.startDetached("log") { [self] in while true { writeNext() } }
    }

    /// Adds a line, with its line feed. Does not wait.
    func write(_ line: [UInt8]) {
        state.withLock { state in
            guard state.waiting.count + line.count <= Self.maxBytes else {
                state.lost += 1
                return
            }
            if state.lost > 0 {
                state.waiting += lostLine(state.lost)
                state.lost = 0
            }
            state.waiting += line
        }
        state.wakeOne()
    }

    /// Waits until all lines are written, at most for `seconds`.
    func flush(within seconds: Double) {
        state.withLock(when: { $0.waiting.isEmpty && !$0.isWriting }, until: Clock.wall + seconds) { _ in }
    }

    private func writeNext() {
        let lines = state.withLock(when: { !$0.waiting.isEmpty }) { state in
            defer { state.waiting = [] }
            state.isWriting = true
            return state.waiting
        }
        // If the reader is gone, there is nobody to tell.
        try? writeAll(lines, to: descriptor)
        state.update { $0.isWriting = false }
    }
}
