internal import NIOCore
internal import WayreelCore
internal import WayreelStorage
internal import WayreelStreams

/// A recording that is played to one viewer, who pauses it and goes to other places of it, from a copy that is removed
/// afterwards.
final class PlayedRecording: StreamPlaying {
    let stream: LiveStream
    private let copy: @Sendable () async throws -> RecordingWorkplace
    private let playback: RecordingPlayback
    private let cancellation = Cancellation()

    /// `copy` makes the file of the samples, when the viewer has come. `ringBytes`: those of samples that are kept for the
    /// viewer.
    init(
        _ recording: KeptRecording, _ marks: [KeptMark], keeper: RecordingMarks, ringBytes: Int,
        copy: @escaping @Sendable () async throws -> RecordingWorkplace
    ) {
        let facts = recording.facts
        var head = SignalHead()
        (head.title, head.credit, head.isLive) = (recording.title, recording.credit, false)
        head.notation = facts.hasDates ? .date : .seconds
        stream = LiveStream(
            head, limits: SignalHub.Limits(bytes: ringBytes), marks: keeper, later: SensorStreams.later())
        stream.show(marks.map { SensorMark($0.mark) })
        playback = RecordingPlayback(speed: .times(1), stream: stream, cancellation: cancellation, onDamage: nil)
        self.copy = copy
    }

    /// Plays on a thread of its own, while another one finds how long it is. What fails, ends the stream. The viewer may
    /// pause it and go to other places from now on.
    func start() {
        stream.use(playback)
        Task {
            do {
                let files = try await copy()
                try play(files)
            } catch {
                stream.use(nil)
                let reason = Problem(error, isDisconnected: false)
                stream.end(MediaError(.io, step: .recordings, reason: reason.detail ?? reason.title))
            }
        }
    }

    private func play(_ files: RecordingWorkplace) throws(MediaError) {
        // Both have the files until they end. Viewers are told the errors.
        try WorkThread.startDetached("replay") { [stream, playback] in
            try? playback.run(files.input)
            // The stream has the control, which has the stream.
            stream.use(nil)
            withExtendedLifetime(files) {}
        }
        try WorkThread.startDetached("replay length") { [playback] in
            try? playback.measure(files.input)
            withExtendedLifetime(files) {}
        }
    }

    func end() { cancellation.cancel() }
}

/// The viewer of a played recording, which ends with it.
final class RecordingViewing: WebSocketGuest {
    private let played: any StreamPlaying
    private let viewing: StreamViewing

    var takesPieces: Bool { viewing.takesPieces }

    init(_ played: any StreamPlaying, _ viewing: StreamViewing) { (self.played, self.viewing) = (played, viewing) }

    func begin(_ socket: WebSocket) {
        viewing.begin(socket)
        played.start()
    }

    func receive(_ data: ByteBuffer, isText: Bool, isLast: Bool, _ socket: WebSocket) {
        viewing.receive(data, isText: isText, isLast: isLast, socket)
    }

    func canWrite(_ socket: WebSocket) { viewing.canWrite(socket) }

    func end() {
        viewing.end()
        played.end()
    }
}
