internal import FoundationEssentials
package import WayreelCore

/// A message to a viewer.
package enum SignalMessage: Sendable {
    case text(String)
    case binary([UInt8])
}

/// Writes what a viewer gets, with the filters that it has asked for. Belongs to one viewer.
package struct SignalViewer: Sendable {
    private var filters: SignalFilters?
    private var head: SignalHead?

    package init(_ filters: SignalFilters? = nil) { self.filters = filters }

    /// Whether ``messages(_:sent:)`` computes, so that it belongs on a thread of its own.
    package var isHeavy: Bool { filters?.isEmpty == false }

    /// Uses other filters; the head that tells their channels follows.
    package mutating func use(_ filters: SignalFilters) -> [SignalMessage] {
        self.filters = filters
        guard let head else { return [] }
        self.filters?.describe(head.channels)
        return [.text(text(head))]
    }

    /// The messages of a delivery, which are sent at `sent`, in milliseconds since 1970.
    package mutating func messages(_ delivery: SignalHub.Delivery, sent: Double) -> [SignalMessage] {
        var messages: [SignalMessage] = []
        if let head = delivery.head {
            self.head = head
            filters?.describe(head.channels)
            messages.append(.text(text(head)))
        }
        if let state = delivery.state { messages.append(.text(Self.text(state))) }
        for event in delivery.marks { messages.append(.text(Self.text(event, from: delivery.origin))) }
        if let missed = delivery.missed {
            messages.append(
                .text(
                    """
                    {"type":"missed","from":\(missed.from.seconds(since: delivery.origin)),\
                    "to":\(missed.to.seconds(since: delivery.origin)),"samples":\(missed.samples)}
                    """))
        }
        if !delivery.pieces.isEmpty {
            let known = filters?.channels.count
            let made = filters?.apply(delivery.pieces, from: delivery.origin)
            if let head, known != filters?.channels.count { messages.append(.text(text(head))) }
            if let events = filters?.takeEvents(), !events.isEmpty {
                messages.append(.text(Self.text(events, from: delivery.origin)))
            }
            if let failure = filters?.takeFailure() { messages.append(.text(Self.error("\(failure)", for: "filters"))) }
            messages.append(
                .binary(
                    SignalBatch.message(
                        delivery.pieces + (made.map { [$0] } ?? []), number: delivery.number, arrival: delivery.arrival,
                        sent: sent)))
        }
        if let silence = delivery.silence { messages.append(.text(#"{"type":"silent","seconds":\#(silence)}"#)) }
        if let failure = delivery.failure { messages.append(.text(Self.error(failure, for: "source"))) }
        if delivery.hasEnded { messages.append(.text(#"{"type":"end"}"#)) }
        return messages
    }

    // MARK: Texts

    private func text(_ head: SignalHead) -> String {
        var channels = head.channels.enumerated().map { index, channel in
            Self.text(channel, index: index, source: nil, filter: nil)
        }
        channels += (filters?.channels ?? []).enumerated().map { index, channel in
            Self.text(
                channel.channel, index: SignalFilters.firstIndex + index, source: channel.source,
                filter: channel.filter)
        }
        let members = [
            #""type":"head","format":"wayreel-live","version":1"#, #""title":\#(Self.quoted(head.title))"#,
            #""credit":\#(Self.quoted(head.credit))"#, #""notation":"\#(head.notation.rawValue)""#,
            #""origin":\#(head.origin.map { "\"\($0.microseconds)\"" } ?? "null")"#,
            #""channels":[\#(channels.joined(separator: ","))]"#,
            #""duration":\#(head.duration.map { "\($0)" } ?? "null")"#,
            #""live":\#(head.isLive),"recording":\#(head.isRecording),"keepsMarks":\#(head.keepsMarks)"#,
            #""filters":[\#((filters?.texts ?? []).map(\.jsonQuoted).joined(separator: ","))]"#,
        ]
        return "{\(members.joined(separator: ","))}"
    }

    private static func text(_ channel: SensorChannel, index: Int, source: Int?, filter: String?) -> String {
        """
        {"index":\(index),"name":\(channel.name.jsonQuoted),"unit":\(quoted(channel.unit)),\
        "rate":\(channel.rate.map { "\($0)" } ?? "null"),"of":\(source.map { "\($0)" } ?? "null"),\
        "filter":\(quoted(filter))}
        """
    }

    private static func text(_ state: PlayState) -> String {
        let speed =
            switch state.speed {
            case .max: #""max""#
            case .times(let factor): "\(factor)"
            }
        return #"{"type":"state","playing":\#(state.isPlaying),"speed":\#(speed),"position":\#(state.position)}"#
    }

    private static func text(_ event: SignalMarks.Event, from origin: SensorTime) -> String {
        switch event {
        case .added(let id, let mark):
            """
            {"type":"mark","id":\(id),"time":\(mark.time.seconds(since: origin)),"seconds":\(mark.seconds),\
            "text":\(mark.text.jsonQuoted),"channel":\(quoted(mark.channel))}
            """
        case .removed(let id): #"{"type":"unmark","id":\#(id)}"#
        }
    }

    private static func text(_ events: [SensorEvent], from origin: SensorTime) -> String {
        let texts = events.map { event in
            let members =
                switch event.phase {
                case .moment: #""seconds":0,"phase":"moment""#
                case .begin: #""seconds":0,"phase":"begin""#
                case .end(let seconds): #""seconds":\#(seconds),"phase":"end""#
                }
            return """
                {"kind":"\(event.kind.rawValue)","channel":\(event.channel.name.jsonQuoted),\
                "time":\(event.time.seconds(since: origin)),"value":\(event.value),\(members)}
                """
        }
        return #"{"type":"events","events":[\#(texts.joined(separator: ","))]}"#
    }

    private static func quoted(_ text: String?) -> String { text?.jsonQuoted ?? "null" }

    /// What is wrong: with a request, by its type, or with the `source`.
    package static func error(_ message: String, for request: String) -> String {
        #"{"type":"error","for":\#(request.jsonQuoted),"message":\#(message.jsonQuoted)}"#
    }
}

/// What a viewer asks for.
package enum SignalRequest: Sendable {
    case acknowledge(UInt32)
    /// `t` is given back.
    case ping(Double)
    case filters([String])
    case mark(seconds: Double, duration: Double, text: String, channel: String?)
    case unmark(Int)
    case play(position: Double?, speed: SensorReplay.Speed?)
    case pause

    /// The type of its message.
    package var name: String {
        switch self {
        case .acknowledge: "ack"
        case .ping: "ping"
        case .filters: "filters"
        case .mark: "mark"
        case .unmark: "unmark"
        case .play: "play"
        case .pause: "pause"
        }
    }

    /// The longest text of a mark, in bytes.
    private static let maxText = 1000

    private struct Message: Decodable {
        var type: String
        var batch: UInt32?
        var t: Double?
        var filters: [String]?
        var time: Double?
        var seconds: Double?
        var text: String?
        var channel: String?
        var id: Int?
        var position: Double?
        var speed: AnySpeed?
    }

    /// A number or `max`.
    private struct AnySpeed: Decodable {
        var speed: SensorReplay.Speed?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let factor = try? container.decode(Double.self) {
                speed = SensorReplay.Speed(times: factor)
            } else {
                speed = try container.decode(String.self) == "max" ? .max : nil
            }
        }
    }

    /// Throws a `parameter` error, which says what is wrong, with the type of the request as its subject.
    package init(_ text: String) throws(MediaError) {
        guard let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8)) else {
            throw MediaError(.parameter, step: .read, subject: "message", reason: "is not an object with a type")
        }
        let fault = ErrorSite(.parameter, step: .read, subject: message.type)
        switch message.type {
        case "ack":
            guard let batch = message.batch else { throw fault("has no number of a batch") }
            self = .acknowledge(batch)
        case "ping": self = .ping(message.t ?? 0)
        case "filters":
            guard let filters = message.filters else { throw fault("has no list of filters") }
            self = .filters(filters)
        case "mark":
            let seconds = message.seconds ?? 0
            guard let time = message.time, SensorTime(seconds: time) != nil, (0...1e9).contains(seconds) else {
                throw fault("has no time, or lasts no time")
            }
            guard let text = message.text, (1...Self.maxText).contains(text.utf8.count) else {
                throw fault("has no text of 1 to \(Self.maxText) bytes")
            }
            self = .mark(seconds: time, duration: seconds, text: text, channel: message.channel)
        case "unmark":
            guard let id = message.id else { throw fault("has no id") }
            self = .unmark(id)
        case "play":
            if let speed = message.speed, speed.speed == nil { throw fault("the speed is max or 0.001 to 1000000") }
            if let position = message.position, !(0...1e9).contains(position) { throw fault("the position is no time") }
            self = .play(position: message.position, speed: message.speed?.speed)
        case "pause": self = .pause
        default: throw fault("is no type of a message")
        }
    }
}
