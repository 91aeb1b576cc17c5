internal import FoundationEssentials
internal import Glibc
internal import Synchronization
package import WayreelCore

/// A recording in NDJSON that is written while it is measured.
///
/// The file is there from the beginning, and holds each sample as soon as it was added: a process that ends early leaves
/// what was measured, and a machine what it had written to its disk.
package final class RecordingFile: StreamRecorder {
    private struct State {
        let descriptor: Int32
        var buffer: [UInt8] = []
        var hasHead = false
        var isOpen = true
    }

    private let path: String
    private let state: Mutex<State>
    private static let maxBuffer = 1 << 16

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

    deinit { state.withLock { if $0.isOpen { close($0.descriptor) } } }

    package func add(_ samples: inout PendingSamples, of head: RecordingHead) throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            guard state.isOpen else { return }
            var gathered = GatheredSamples()
            samples.take { gathered.add($0, times: $1, values: $2) }
            guard !gathered.isEmpty else { return }
            if !state.hasHead {
                state.hasHead = true
                state.buffer += Array("\(Self.headLine(head))\n".utf8)
            }
            let (writer, notation) = (SensorWriter(.ndjson), head.notation ?? .seconds)
            try gathered.take(of: head.channels) { (sample) throws(MediaError) in
                state.buffer += writer.line(sample, notation).utf8
                state.buffer.append(UInt8(ascii: "\n"))
                if state.buffer.count >= Self.maxBuffer { try flush(&state) }
            }
            try flush(&state)
        }
    }

    private func flush(_ state: inout State) throws(MediaError) {
        guard !state.buffer.isEmpty else { return }
        do { try writeAll(state.buffer, to: state.descriptor) } catch {
            throw MediaError(.io, step: .write, subject: path, reason: systemReason(error.code))
        }
        state.buffer.removeAll(keepingCapacity: true)
    }

    package func finish() throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            guard state.isOpen else { return }
            try flush(&state)
            state.isOpen = false
            guard close(state.descriptor) == 0 else {
                throw MediaError(.io, step: .write, subject: path, reason: systemReason(errno))
            }
        }
    }

    /// The first line of a recording in NDJSON: its units, and what it is of.
    static func headLine(_ head: RecordingHead) -> String {
        let units = head.channels.compactMap { channel in
            channel.unit.map { "\(channel.name.jsonQuoted):\($0.jsonQuoted)" }
        }
        var members = [#""format":"wayreel-recording","version":1"#]
        if !units.isEmpty { members.append(#""units":{\#(units.joined(separator: ","))}"#) }
        if let title = head.title { members.append(#""title":\#(title.jsonQuoted)"#) }
        if let credit = head.credit { members.append(#""credit":\#(credit.jsonQuoted)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}

/// The marks of a recording that its viewers have added: `NAME.marks.ndjson` beside it, a line
/// `{"time":…,"mark":"…","seconds":…,"channel":"…"}` for each.
package struct MarksFile: MarkKeeper {
    private let path: String

    /// `recording` is the path of a recording.
    package init(besides recording: String) { path = recording + ".marks.ndjson" }

    package func save(_ marks: [SensorMark]) throws(MediaError) {
        guard !marks.isEmpty else {
            unlink(path)
            return
        }
        let output = try AtomicOutput(path)
        for mark in marks { try output.write("\(Self.line(mark))\n") }
        try output.finish()
    }

    /// Returns the saved marks; none without a file. Throws an `io` or `decoding` error for a file that cannot be read.
    package func marks() throws(MediaError) -> [SensorMark] {
        guard access(path, F_OK) == 0 else { return [] }
        let lines = try LineReader(path)
        var marks: [SensorMark] = []
        while let line = try lines.next() {
            guard let mark = Self.mark(line) else { throw lines.fault(#"is no mark {"time": …, "mark": "…"}"#) }
            marks.append(mark)
        }
        return marks
    }

    private struct Line: Decodable {
        var time: Time
        var mark: String
        var seconds: Double?
        var channel: String?

        struct Time: Decodable {
            var time: SensorTime?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                time =
                    if let text = try? container.decode(String.self) { SensorTime(date: text) } else {
                        SensorTime(seconds: try container.decode(Double.self))
                    }
            }
        }
    }

    private static func mark(_ line: ArraySlice<UInt8>) -> SensorMark? {
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)), let time = line.time.time else {
            return nil
        }
        return SensorMark(time, seconds: line.seconds ?? 0, text: line.mark, channel: line.channel)
    }

    /// Times are seconds: they are the same moments in a recording with dates, from 1970 on.
    static func line(_ mark: SensorMark) -> String {
        var members = [#""time":\#(mark.time.text(.seconds)),"mark":\#(mark.text.jsonQuoted)"#]
        if mark.seconds > 0 { members.append(#""seconds":\#(mark.seconds)"#) }
        if let channel = mark.channel { members.append(#""channel":\#(channel.jsonQuoted)"#) }
        return "{\(members.joined(separator: ","))}"
    }
}
