internal import FoundationEssentials
internal import Glibc
internal import Wayreel

/// Plays inputs from standard input as they come, a line of NDJSON each, and prints what each brings about at once.
struct PlayLive {
    private let playback: Playback
    private var state: PlaybackState
    private let journal: Journal?
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    /// Bytes of a line.
    private static let longestLine = 1 << 20

    init(_ playback: Playback, _ state: PlaybackState, _ journal: Journal?) {
        self.playback = playback
        self.state = state
        self.journal = journal
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Throws `Outcome.failed` at the end where a line was wrong.
    func run() throws {
        var live = self
        var lines = InputLines(limit: Self.longestLine)
        var isBroken = false
        while let line = try lines.next() {
            if Interrupt.cancellation.isCancelled { throw Outcome.interrupted }
            guard let bytes = line.bytes else {
                Console.error("error: standard input:\(line.number): read: longer than \(Self.longestLine) bytes")
                isBroken = true
                continue
            }
            guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { continue }
            do throws(Fault) { try live.play(live.input(bytes)) } catch {
                switch error {
                case .line(let reason): Console.error("error: standard input:\(line.number): play: \(reason)".onOneLine)
                case .other(let error): throw error
                }
                isBroken = true
            }
        }
        if isBroken { throw Outcome.failed }
    }

    private enum Fault: Error {
        case line(String)
        case other(any Error)
    }

    private func input(_ bytes: [UInt8]) throws(Fault) -> PlaybackInput {
        let input: PlaybackInput
        do { input = try decoder.decode(PlaybackInput.self, from: Data(bytes)) } catch {
            throw .line(Self.reason(error))
        }
        if let fault = playback.fault(of: input) { throw .line(fault) }
        return input
    }

    /// The journal has what it brings about before anybody is told.
    private mutating func play(_ input: PlaybackInput) throws(Fault) {
        let outcomes = playback.step(input, &state)
        guard !outcomes.isEmpty else { return }
        do {
            try journal?.record(JournalContents(outcomes))
            let lines = try outcomes.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
            try Console.output(lines.joined(separator: "\n"))
        } catch { throw .other(error) }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): "'\((context.codingPath + [key]).path)' is missing"
        case .valueNotFound(_, let context): "'\(context.codingPath.path)' is missing"
        case .typeMismatch(let type, let context):
            context.codingPath.isEmpty
                ? "is no object such as {\"clock\": {\"time\": …}}"
                : "'\(context.codingPath.path)' is no \(type == Double.self ? "number" : "\(type)")"
        case .dataCorrupted(let context) where context.codingPath.isEmpty && context.underlyingError != nil:
            "is no JSON"
        case .dataCorrupted(let context): context.debugDescription
        default: "\(error)"
        }
    }
}

extension [any CodingKey] {
    fileprivate var path: String { map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") }
}

/// Standard input, line by line, as the lines come.
private struct InputLines {
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    private var isAtEnd = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// nil at the end; a line that is too long has no bytes. Throws an `io` error where it cannot be read.
    mutating func next() throws(MediaError) -> (number: Int, bytes: [UInt8]?)? {
        var searched = start
        var isTooLong = false
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                number += 1
                return (number, isTooLong ? nil : Array(buffer[start..<end]))
            }
            if isAtEnd {
                guard start < buffer.count || isTooLong else { return nil }
                defer { start = buffer.count }
                number += 1
                return (number, isTooLong ? nil : Array(buffer[start...]))
            }
            if buffer.count - start > limit {
                isTooLong = true
                start = buffer.count
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            try read()
        }
    }

    private mutating func read() throws(MediaError) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var count = -1
        repeat { count = Glibc.read(0, &piece, piece.count) } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw MediaError(
                .io, step: "read", subject: "standard input", reason: String(cString: strerror(errno)))
        }
        isAtEnd = count == 0
        buffer += piece[..<count]
    }
}
