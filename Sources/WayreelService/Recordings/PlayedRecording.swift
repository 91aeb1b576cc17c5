internal import NIOCore
internal import WayreelCore
internal import WayreelStorage
internal import WayreelStreams

/// A recording that is played to one viewer, who pauses it and goes to other places of it, from a copy that is removed
/// afterwards.
final class PlayedRecording: StreamPlaying {
    let stream: LiveStream
    private let playback: RecordingPlayback
    private let cancellation = Cancellation()
    private let files: RecordingWorkplace

    /// `files` has the samples. `ringBytes`: those of samples that are kept for the viewer.
    init(
        _ recording: KeptRecording, _ marks: [KeptMark], keeper: RecordingMarks, files: RecordingWorkplace,
        ringBytes: Int
    ) {
        let facts = recording.facts
        var head = SignalHead()
        (head.title, head.credit, head.isLive) = (recording.title, recording.credit, false)
        head.notation = facts.hasDates ? .date : .seconds
        stream = LiveStream(
            head, limits: SignalHub.Limits(bytes: ringBytes), marks: keeper, later: SensorStreams.later())
        stream.show(marks.map { SensorMark($0.mark) })
        playback = RecordingPlayback(
            files.input, speed: .times(1), stream: stream, cancellation: cancellation, onDamage: nil)
        self.files = files
    }

    /// Plays on a thread of its own, on another one of which its length is found. Where the system refuses one, the stream
    /// ends with that error.
    func start() {
        stream.use(playback)
        do throws(MediaError) {
            // Both have the files until they end. Viewers are told the errors.
            try WorkThread.startDetached("replay") { [self] in try? playback.run() }
            try WorkThread.startDetached("replay length") { [self] in try? playback.measure() }
        } catch { stream.end(error) }
    }

    func end() {
        cancellation.cancel()
        stream.use(nil)
    }
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
