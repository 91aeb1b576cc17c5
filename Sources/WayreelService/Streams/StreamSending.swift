internal import FoundationEssentials
internal import NIOCore
internal import NIOWebSocket
internal import Synchronization
internal import WayreelCore
internal import WayreelStorage
internal import WayreelStreams

/// A sender of a live stream: its first message says which channels it has, and each further one is a batch of samples.
final class StreamSending: WebSocketGuest {
    /// What a sender says first.
    struct Begin: Decodable {
        struct Channel: Decodable {
            var name: String
            var unit: String?
        }

        var type: String
        var format: String
        var version: Int
        var channels: [Channel]
        var record: Bool?
        var title: String?
        var notation: SensorTime.Notation?
    }

    let takesPieces = false
    private let streams: SensorStreams
    private let key: SensorStreams.Key
    private let player: PlayerIdentity
    /// The place of the stream, and that of the socket.
    private let (place, socketPlace): (Reservation, Reservation)
    private var feed: StreamFeed?
    private var sender: Int?
    private var timer: Scheduled<Void>?

    static let maxChannels = 32
    private static let (maxTitle, maxUnit) = (200, 32)

    init(
        _ streams: SensorStreams, _ key: SensorStreams.Key, _ player: PlayerIdentity, _ place: Reservation,
        socket: Reservation
    ) {
        (self.streams, self.key, self.player) = (streams, key, player)
        (self.place, socketPlace) = (place, socket)
    }

    func begin(_ socket: WebSocket) {}

    func canWrite(_ socket: WebSocket) {}

    func end() {
        timer?.cancel()
        if let sender { streams.end(key, sender: sender) }
        if let feed { streams.threads.add { feed.finish() } }
        (sender, feed) = (nil, nil)
    }

    func receive(_ data: ByteBuffer, isText: Bool, isLast: Bool, _ socket: WebSocket) {
        guard let feed else {
            guard isText else {
                return refuse("the first message says which channels there are", .unacceptableData, socket)
            }
            return begin(data, socket)
        }
        guard !isText else { return refuse("samples come in binary messages", .unacceptableData, socket) }
        socket.work(on: streams.threads) {
            Result { () throws(MediaError) in try feed.add(data) }
        } done: { [self] result in
            if case .failure(let error) = result {
                refuse("\(error)", error.kind == .limit ? .policyViolation : .unacceptableData, socket)
            }
        }
    }

    private func refuse(_ message: String, _ code: WebSocketErrorCode, _ socket: WebSocket) {
        socket.send(SignalViewer.error(message, for: feed == nil ? "begin" : "samples"))
        socket.close(code)
    }

    // MARK: Beginning

    private func begin(_ data: ByteBuffer, _ socket: WebSocket) {
        let message: Begin
        do { message = try JSONDecoder().decode(Begin.self, from: Data(data.readableBytesView)) } catch {
            return refuse(
                #"is not {"type":"begin","format":"wayreel-source","version":1,"channels":[{"name":"a.x","unit":"m/s²"}]}"#,
                .unacceptableData, socket)
        }
        guard message.type == "begin", message.format == "wayreel-source", message.version == 1 else {
            return refuse("is not of wayreel-source, version 1", .unacceptableData, socket)
        }
        guard let channels = Self.channels(message) else {
            return refuse(
                "names 1 to \(Self.maxChannels) channels stream.component, each once, and a title of up to "
                    + "\(Self.maxTitle) bytes", .unacceptableData, socket)
        }
        guard message.record == true else { return begin(message, channels, recorder: nil, socket) }
        guard let recordings = streams.recordings else {
            return refuse("this server keeps no recordings", .policyViolation, socket)
        }
        let (player, name, title) = (player, key.name, message.title)
        socket.wait { () -> Result<any StreamRecorder, any Error> in
            do { return .success(try await recordings.recorder(of: player, stream: name, title: title)) } catch {
                return .failure(error)
            }
        } done: { [self] recorder in
            switch recorder {
            case .success(let recorder): begin(message, channels, recorder: recorder, socket)
            case .failure(let error):
                let problem = Problem(error, isDisconnected: false)
                refuse(problem.detail ?? problem.title, .policyViolation, socket)
            }
        } late: { [self] recorder in
            // The sender has gone meanwhile.
            if case .success(let recorder) = recorder { complete(recorder) }
        }
    }

    /// The channels of a message; nil if they are not right.
    private static func channels(_ message: Begin) -> [SensorChannel]? {
        let channels = message.channels.compactMap { channel -> SensorChannel? in
            guard var named = SensorChannel(named: channel.name), channel.unit?.utf8.count ?? 0 <= maxUnit else {
                return nil
            }
            named.unit = channel.unit
            return named
        }
        guard channels.count == message.channels.count, (1...maxChannels).contains(channels.count),
            Set(channels.map(\.name)).count == channels.count, message.title?.utf8.count ?? 0 <= maxTitle
        else { return nil }
        return channels
    }

    private func begin(
        _ message: Begin, _ channels: [SensorChannel], recorder: (any StreamRecorder)?, _ socket: WebSocket
    ) {
        guard let loop = socket.eventLoop else { return }
        // A sender that does not fit takes no place of another one.
        if let fault = streams.head(of: key).flatMap({ StreamFeed.fault(of: channels, in: $0) }) {
            if let recorder { complete(recorder) }
            return refuse(fault, .policyViolation, socket)
        }
        var head = SignalHead()
        head.title = message.title ?? key.name
        head.notation = message.notation ?? .seconds
        head.isRecording = recorder != nil
        let here = NIOLoopBound(socket, eventLoop: loop)
        let (stream, sender) = streams.begin(key, head, place) { loop.execute { here.value.close(WebSocket.replaced) } }
        self.sender = sender
        guard let feed = StreamFeed(stream, channels, head, recorder) else {
            if let recorder { complete(recorder) }
            return refuse("another sender has begun at the same time", .policyViolation, socket)
        }
        self.feed = feed
        tell(socket, loop)
    }

    /// Ends a recording that got no sample, which leaves none.
    private func complete(_ recorder: any StreamRecorder) { streams.threads.add { try? recorder.finish() } }

    /// Tells each second that samples arrive.
    private func tell(_ socket: WebSocket, _ loop: any EventLoop) {
        guard let feed, socket.isOpen else { return }
        socket.send(feed.report)
        socket.flush()
        timer = loop.assumeIsolated().scheduleTask(in: .seconds(1)) { [self] in tell(socket, loop) }
    }
}

/// Gives what a sender sends to the viewers of a stream and, if it is recorded, to its recorder.
final class StreamFeed: Sendable {
    private struct State {
        var samples = PendingSamples()
        var recorder: (any StreamRecorder)?
        /// The samples that the sender may send at once.
        var tokens: Double
        var filled = Clock.wall
    }

    private let stream: LiveStream
    private let head: RecordingHead
    /// The channel of the stream for each of the sender.
    private let channels: [Int]
    private let recording: String?
    private let state: Mutex<State>

    /// The samples of a channel in a second, and the seconds of them that may come at once.
    private static let (rate, burst) = (1000.0, 10.0)

    /// Why channels do not fit those of earlier senders; nil if they do.
    static func fault(of own: [SensorChannel], in head: SignalHead) -> String? {
        for channel in own {
            let known = head.channels.first { $0.name == channel.name }
            if let given = channel.unit, let unit = known?.unit, given != unit {
                return "the stream has \(channel.name) in \(unit), and not in \(given)"
            }
        }
        let added = own.count { channel in !head.channels.contains { $0.name == channel.name } }
        return head.channels.count + added > SignalHub.maxChannels
            ? "the stream has too many channels of earlier senders" : nil
    }

    /// nil if the channels do not fit.
    init?(_ stream: LiveStream, _ own: [SensorChannel], _ given: SignalHead, _ recorder: (any StreamRecorder)?) {
        // An earlier sender of the stream may have had other channels, which keep their index.
        let known = stream.head
        guard Self.fault(of: own, in: known) == nil else { return nil }
        var all = known.channels
        channels = own.map { channel in
            guard let index = all.firstIndex(where: { $0.name == channel.name }) else {
                all.append(channel)
                return all.count - 1
            }
            all[index].unit = all[index].unit ?? channel.unit
            return index
        }
        var head = RecordingHead()
        (head.channels, head.notation, head.title) = (all, given.notation, given.title)
        (self.stream, self.head, recording) = (stream, head, recorder?.id)
        state = Mutex(State(recorder: recorder, tokens: Double(own.count) * Self.rate * Self.burst))
        stream.keepMarks(recorder?.marks)
        stream.describe {
            $0.channels = all
            ($0.title, $0.notation, $0.isRecording) = (given.title, given.notation, given.isRecording)
        }
    }

    /// What the sender is told each second.
    var report: String {
        let id = state.withLock { $0.recorder == nil ? nil : recording }
        return #"{"type":"ok","viewers":\#(stream.viewerCount),"recording":\#(id?.jsonQuoted ?? "null")}"#
    }

    /// Adds the samples of a message. Blocks.
    ///
    /// Throws a `decoding` error for another message, and a `limit` error if there are too many samples.
    func add(_ message: ByteBuffer) throws(MediaError) {
        try state.withLock { (state) throws(MediaError) in
            let now = Clock.wall
            let most = Double(channels.count) * Self.rate
            state.tokens = min(most * Self.burst, state.tokens + (now - state.filled) * most)
            state.filled = now
            let notation = head.notation ?? .seconds
            let bytes = [UInt8](message.readableBytesView)
            try bytes.withBytes { (bytes) throws(MediaError) -> Void in
                try SignalBatch.read(bytes) { (channel, times, values) throws(MediaError) in
                    guard channel < channels.count else {
                        throw MediaError(.decoding, step: .read, subject: "a batch", reason: "has an unknown channel")
                    }
                    // Another time would make a recording that cannot be read.
                    guard times.allSatisfy({ SensorTime(microseconds: $0).isOfRecordings(notation) }) else {
                        let known = notation == .date ? "of the years 1 to 9999, in seconds since 1970" : "up to 1e12 s"
                        throw MediaError(
                            .decoding, step: .read, subject: "a batch", reason: "has a time that is not \(known)")
                    }
                    state.tokens -= Double(times.count)
                    guard state.tokens >= 0 else {
                        throw MediaError(
                            .limit, step: .read, subject: "the sender",
                            reason: "sends more than \(Int(Self.rate)) samples a second of each channel")
                    }
                    state.samples.add(channels[channel], times: times.span, values: values.span)
                }
            }
            if let recorder = state.recorder {
                var copy = state.samples
                do throws(MediaError) { try recorder.add(&copy, of: head) } catch {
                    state.recorder = nil
                    stream.describe { $0.isRecording = false }
                    throw error
                }
            }
            stream.add(&state.samples, of: head)
        }
    }

    /// Completes the recording. Blocks.
    func finish() {
        let recorder = state.withLock { state in
            defer { state.recorder = nil }
            return state.recorder
        }
        guard let recorder else { return }
        stream.describe { $0.isRecording = false }
        try? recorder.finish()
    }
}
