internal import Glibc
internal import Synchronization
package import WayreelCore

/// Where marks of viewers are saved.
package protocol MarkKeeper: Sendable {
    /// Saves all marks of viewers, in place of those before. Blocks.
    func save(_ marks: [SensorMark]) throws(MediaError)

    /// Saves a mark beside those before. Returns false if that cannot be done, so that all have to be saved. Blocks.
    func add(_ mark: SensorMark) throws(MediaError) -> Bool
}

extension MarkKeeper {
    package func add(_ mark: SensorMark) throws(MediaError) -> Bool { false }
}

/// The marks of a recording that its viewers have added: `NAME.marks.ndjson` beside it, a line
/// `{"time":…,"mark":"…","seconds":…,"channel":"…"}` for each.
///
/// A mark is appended to what this object has saved before, which a process that ends early leaves, and a machine as far as
/// it had written that to its disk. A last line that was not written whole is no mark.
package final class MarksFile: MarkKeeper {
    private let recording: String
    /// What was saved last, to which marks can be appended.
    private let saved = Mutex<(file: FileIdentity, bytes: Int)?>(nil)

    private var path: String { recording + RecordingFiles.marksEnding }

    /// `recording` is the path of a recording.
    package init(besides recording: String) { self.recording = recording }

    package func save(_ marks: [SensorMark]) throws(MediaError) {
        try saved.withLock { (saved) throws(MediaError) in
            saved = nil
            // What else the file says stays.
            let notes = try notes()
            let head = notes.flatMap { notes in SensorWriter.head(of: notes) }
            guard !marks.isEmpty || head != nil else {
                unlink(path)
                return
            }
            let output = try AtomicOutput(path)
            if let head { try output.write("\(head)\n") }
            for mark in marks { try output.write(Self.line(mark)) }
            try output.finish()
            saved = (try? FileStatus(path)).map { ($0.identity, $0.byteCount) }
        }
    }

    package func add(_ mark: SensorMark) throws(MediaError) -> Bool {
        try saved.withLock { (saved) throws(MediaError) in
            guard let (file, bytes) = saved else { return false }
            saved = nil
            let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            // Somebody else may have changed it.
            guard let status = try? FileStatus(descriptor: descriptor), status.identity == file,
                status.byteCount == bytes
            else { return false }
            let line = Array(Self.line(mark).utf8)
            do throws(SystemError) { try writeAll(line, to: descriptor) } catch {
                ftruncate(descriptor, off_t(bytes))
                throw MediaError(.io, step: .write, subject: path, reason: systemReason(error.code))
            }
            saved = (file, bytes + line.count)
            return true
        }
    }

    /// Seconds are the same moments in a recording with dates: from 1970 on.
    private static func line(_ mark: SensorMark) -> String { "\(SensorWriter.line(mark, .seconds))\n" }

    /// Returns the saved marks; none without a file. Throws an `io` or `decoding` error for a file that cannot be read.
    package func marks() throws(MediaError) -> [SensorMark] {
        try notes()?.marks ?? []
    }

    private func notes() throws(MediaError) -> RecordingHead? {
        try RecordingFiles.notes(
            beside: RecordingInput(path: recording, cancellation: Cancellation(), stopping: Cancellation()))
    }
}
