internal import Glibc
internal import Synchronization
package import WayreelCore

/// A recording in NDJSON that is written while it is measured.
///
/// The file is there from the beginning, and holds each sample as soon as it was added: a process that ends early leaves
/// what was measured, and a machine what it had written to its disk. One without samples is removed at its end.
package final class RecordingFile: StreamRecorder {
    private struct State {
        let descriptor: Int32
        var buffer: [UInt8] = []
        /// The bytes of the file so far.
        var bytes = 0
        var lines = RecordedLines()
        var isOpen = true
        var hasFailed = false
    }

    private let path: String
    private let state: Mutex<State>

    package let id: String? = nil
    package let marks: (any MarkKeeper)?

    /// Makes the file. Throws an `io` error if it is there, or cannot be made.
    package init(_ path: String) throws(MediaError) {
        self.path = path
        marks = MarksFile(besides: path)
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .write, subject: path, reason: "the path contains a NUL byte")
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            let code = errno
            throw MediaError(
                .io, step: .write, subject: path, reason: systemReason(code),
                advice: code == EEXIST ? "name another file: recordings are not replaced" : nil)
        }
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { try? finish() }

    package func add(_ samples: inout PendingSamples, of head: RecordingHead) throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            guard state.isOpen else { return }
            state.buffer += state.lines.lines(of: &samples, head)
            try flush(&state)
        }
    }

    /// Whether it could not be written.
    package var hasFailed: Bool { state.withLock(\.hasFailed) }

    private func flush(_ state: inout State) throws(MediaError) {
        guard !state.buffer.isEmpty else { return }
        do { try writeAll(state.buffer, to: state.descriptor) } catch {
            state.hasFailed = true
            Self.cutOff(&state)
            throw MediaError(.io, step: .write, subject: path, reason: systemReason(error.code))
        }
        state.bytes += state.buffer.count
        state.buffer.removeAll(keepingCapacity: true)
    }

    /// Removes what was written of a line, so that the file has whole ones and may be continued.
    private static func cutOff(_ state: inout State) {
        var status = stat()
        guard fstat(state.descriptor, &status) == 0 else { return }
        let written = min(max(0, Int(status.st_size) - state.bytes), state.buffer.count)
        let whole = (state.buffer[..<written].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        guard ftruncate(state.descriptor, off_t(state.bytes + whole)) == 0 else { return }
        state.bytes += whole
        state.buffer.removeFirst(whole)
    }

    package func finish() throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            guard state.isOpen else { return }
            state.isOpen = false
            defer { if state.lines.written.samples == 0 { unlink(path) } }
            do throws(MediaError) { try flush(&state) } catch {
                close(state.descriptor)
                throw error
            }
            guard close(state.descriptor) == 0 else {
                throw MediaError(.io, step: .write, subject: path, reason: systemReason(errno))
            }
        }
    }
}
