internal import FoundationEssentials
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelDocument
internal import WayreelEngine
internal import WayreelJournal
internal import WayreelStreams

/// Plays inputs from standard input as they arrive, one line of NDJSON each, and prints the outcomes of each
/// immediately.
struct PlayLive {
    private let playback: Playback
    private let story: Story
    private var state: PlaybackState
    private let journal: Journal?
    private let decoder = JSONDecoder()
    /// The last code as the player typed it.
    private var typed = ""

    init(_ playback: Playback, _ story: Story, _ state: PlaybackState, _ journal: Journal?) {
        self.playback = playback
        self.story = story
        self.state = state
        self.journal = journal
    }

    /// Throws `ExitReason.failed` at the end if a line was invalid.
    func run() throws {
        var live = self
        let lines = try LineReader("-", cancellation: Interrupt.cancellation)
        var isBroken = false
        while true {
            let input: PlaybackInput?
            func report(_ error: MediaError) {
                Console.error("error: \(error.withFlags)")
                isBroken = true
            }
            do throws(MediaError) {
                guard let line = try lines.next() else { break }
                input = try live.input(line, of: lines)
            } catch {
                guard error.kind == .decoding || error.kind == .limit else { throw error }
                report(error)
                continue
            }
            guard let input else { continue }
            let refusal = playback.refusal(of: input, live.state)
            try live.play(input)
            if let refusal { report(lines.fault(refusal)) }
        }
        if isBroken { throw ExitReason.failed }
    }

    /// Parses a line; returns nil for a blank line. Throws a `decoding` error for an invalid one.
    private mutating func input(_ line: ArraySlice<UInt8>, of lines: LineReader) throws(MediaError) -> PlaybackInput? {
        guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
        var input: PlaybackInput
        do { input = try decoder.decode(PlaybackInput.self, from: Data(line)) } catch {
            throw lines.fault(Self.reason(error))
        }
        if let fault = playback.fault(of: input) { throw lines.fault(fault) }
        if case .code(let text, let timestamp) = input {
            input = .code(text: try story.enteredCode(text), timestamp: timestamp)
            typed = text
        }
        return input
    }

    /// Plays an input. Its outcomes are recorded in the journal before they are printed.
    private mutating func play(_ input: PlaybackInput) throws {
        let outcomes = playback.step(input, &state).map { outcome in
            // Not the hash, which nobody typed.
            if case .codeWrong = outcome.kind {
                PlaybackOutcome(.codeWrong(text: typed), at: outcome.timestamp)
            } else {
                outcome
            }
        }
        guard !outcomes.isEmpty else { return }
        try journal?.record(JournalContents(outcomes))
        try Console.output(outcomes.map { try CanonicalJSON.text($0) }.joined(separator: "\n"))
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)? where context.codingPath.isEmpty,
            .valueNotFound(_, let context)? where context.codingPath.isEmpty:
            "is not a JSON object such as {\"clock\": {\"timestamp\": …}}"
        case let error?: error.reason
        case nil: "\(error)"
        }
    }
}
