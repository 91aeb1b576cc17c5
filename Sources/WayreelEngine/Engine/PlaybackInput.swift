internal import WayreelStory

/// An input to a player's device. Only inputs change a ``PlaybackState``.
public enum PlaybackInput: Hashable, Sendable {
    case fix(Fix)
    /// A compass heading, for views; it triggers nothing.
    case heading(Heading)
    /// The player answers the lockbox that is currently asked.
    case answer(lockbox: String, text: String, timestamp: Timestamp)
    /// The player enters a code: that of a document, or of a bundle the code's hash, which ``Story/codeHashing`` describes.
    case code(text: String, timestamp: Timestamp)
    /// The player answers a question of a quiz; questions and choices are counted from 0.
    case quizAnswer(event: String, question: Int, choices: [Int], timestamp: Timestamp)
    /// The player took a capture for a camera event that was found.
    case capture(event: String, id: String, file: String?, timestamp: Timestamp)
    /// Time passed without any other input.
    case clock(Timestamp)
    /// The position signal was lost: the path to the next fix is unknown.
    case signalLost(Timestamp)

    public var timestamp: Timestamp {
        switch self {
        case .fix(let fix): fix.timestamp
        case .heading(let heading): heading.timestamp
        case .answer(_, _, let timestamp), .code(_, let timestamp), .quizAnswer(_, _, _, let timestamp),
            .capture(_, _, _, let timestamp), .clock(let timestamp), .signalLost(let timestamp):
            timestamp
        }
    }
}

/// In JSON an input is an object with one key, as in a line of NDJSON. Its content uses the names of
/// ``JournalDocument``:
///
///     {"fix": {"position": {"latitude": 35.28, "longitude": -120.66}, "accuracy": 5, "timestamp":
///     "2026-11-23T17:05:09Z"}} {"heading": {"degrees": 270, "timestamp": "2026-11-23T17:05:09Z"}}
///     {"answer": {"lockbox": "year", "text": "1905", "timestamp": "2026-11-23T17:05:09Z"}}
///     {"code": {"text": "7KQ2", "timestamp": "2026-11-23T17:05:09Z"}}
///     {"quiz": {"event": "counter", "question": 0, "choices": [1], "timestamp": "2026-11-23T17:05:09Z"}}
///     {"capture": {"event": "door", "id": "6fd1", "file": "door.jpg", "timestamp": "2026-11-23T17:05:09Z"}}
///     {"clock": {"timestamp": "2026-11-23T17:05:09Z"}}
///     {"lost": {"timestamp": "2026-11-23T17:05:09Z"}}
extension PlaybackInput: Codable {
    private enum Kind: String, CodingKey, CaseIterable {
        case fix, heading, answer, code, quiz, capture, clock, lost
    }

    private enum Key: String, CodingKey {
        case timestamp, position, accuracy, speed, course, degrees, lockbox, text, event, question
        case choices, id, file
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard container.allKeys.count == 1, let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "an input is an object with one of the keys \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"
                ))
        }
        let values = try container.nestedContainer(keyedBy: Key.self, forKey: kind)
        let timestamp = try values.decode(Timestamp.self, forKey: .timestamp)
        func number(_ key: Key) throws -> Double { try values.decode(Double.self, forKey: key) }
        func optional(_ key: Key) throws -> Double? { try values.decodeIfPresent(Double.self, forKey: key) }
        func text(_ key: Key) throws -> String { try values.decode(String.self, forKey: key) }
        switch kind {
        case .fix:
            self = .fix(
                Fix(
                    try values.decode(GeoPoint.self, forKey: .position), accuracy: try optional(.accuracy),
                    speed: try optional(.speed), course: try optional(.course), timestamp: timestamp))
        case .heading:
            self = .heading(
                Heading(degrees: try number(.degrees), accuracy: try optional(.accuracy), timestamp: timestamp))
        case .answer: self = .answer(lockbox: try text(.lockbox), text: try text(.text), timestamp: timestamp)
        case .code: self = .code(text: try text(.text), timestamp: timestamp)
        case .quiz:
            self = .quizAnswer(
                event: try text(.event), question: try values.decode(Int.self, forKey: .question),
                choices: try values.decode([Int].self, forKey: .choices), timestamp: timestamp)
        case .capture:
            self = .capture(
                event: try text(.event), id: try text(.id),
                file: try values.decodeIfPresent(String.self, forKey: .file),
                timestamp: timestamp)
        case .clock: self = .clock(timestamp)
        case .lost: self = .signalLost(timestamp)
        }
    }

    private var form: (kind: Kind, members: [(Key, (any Encodable)?)]) {
        switch self {
        case .fix(let fix):
            (
                .fix,
                [
                    (.position, fix.position), (.accuracy, fix.accuracy), (.speed, fix.speed), (.course, fix.course),
                ]
            )
        case .heading(let heading): (.heading, [(.degrees, heading.degrees), (.accuracy, heading.accuracy)])
        case .answer(let lockbox, let text, _): (.answer, [(.lockbox, lockbox), (.text, text)])
        case .code(let text, _): (.code, [(.text, text)])
        case .quizAnswer(let event, let question, let choices, _):
            (.quiz, [(.event, event), (.question, question), (.choices, choices)])
        case .capture(let event, let id, let file, _): (.capture, [(.event, event), (.id, id), (.file, file)])
        case .clock: (.clock, [])
        case .signalLost: (.lost, [])
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        let (kind, members) = form
        var values = container.nestedContainer(keyedBy: Key.self, forKey: kind)
        try values.encode(timestamp, forKey: .timestamp)
        for case (let key, let value?) in members { try values.encode(value, forKey: key) }
    }
}
