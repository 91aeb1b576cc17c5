internal import WayreelAV
internal import WayreelCore

/// Encodes several GOPs of a video at the same time: they go in turn to several encoders, each on its own thread.
///
/// An encoder with a rate buffer uses one thread, because the bytes from several would depend on their relative
/// progress. GOPs do not refer to each other, so several such encoders always produce the same bytes. Each frame with a
/// requested keyframe begins a GOP.
///
/// Must be used by one thread at a time.
final class ParallelGOPEncoder: MediaStage {
    private let state: Monitor<State>
    private let task: TaskContext
    private var threads: [WorkThread] = []
    private var times = DecodingTimeFilter()
    /// The maximum number of frames that wait for the encoders.
    private let limit: Int
    private(set) var hasEnded = false

    private struct State {
        var lanes: [GOPLane]
        /// The number of the GOP that frames are added to.
        var lastGOP = -1
        /// The number of the GOP whose packets are returned.
        var currentGOP = 0
        var hasEnded = false
        /// The reason why the threads stop before the end.
        var failure: MediaError?

        var frameCount: Int { lanes.reduce(0) { $0 + $1.frameCount } }

        /// The GOP of the next packet; nil if that is not encoded yet, or there is none.
        var next: Int? {
            for gop in currentGOP..<(lastGOP + 1) {
                let lane = lanes[gop % lanes.count]
                if lane.hasPacket(ofGOP: gop) { return gop }
                guard lane.isDone(withGOP: gop) else { return nil }
            }
            return nil
        }

        /// Whether no packets are left after the end.
        var isDone: Bool { next == nil && lanes.allSatisfy(\.hasEnded) }

        mutating func add(_ frame: Frame) {
            if frame.requestsKeyFrame || lastGOP < 0 { lastGOP += 1 }
            lanes[lastGOP % lanes.count].add(frame, ofGOP: lastGOP)
        }

        mutating func takePacket() -> Packet? {
            guard let next else { return nil }
            currentGOP = next
            return lanes[next % lanes.count].takePacket()
        }
    }

    /// The maximum memory of the frames that wait for each encoder but the first. Half a GOP keeps it busy.
    private static let maxQueueBytes = 96 << 20
    private static let minQueueLength = 8

    /// Encodes with `first` and further encoders of the same settings, `count` in total. `frameCount`: the usual number
    /// of frames in a GOP.
    init(_ first: VideoEncoder, count: Int, framesPerGOP frameCount: Int, task: TaskContext) throws(MediaError) {
        self.task = task
        let frameBytes = max(1, first.settings.size.pixels * 3 / 2)
        limit = max(Self.minQueueLength, min(frameCount / 2 + 2, Self.maxQueueBytes / frameBytes) * (count - 1))
        state = Monitor(State(lanes: Array(repeating: GOPLane(), count: count)))
        for index in 0..<count {
            let encoder = index == 0 ? first : try VideoEncoder(first.settings)
            let (state, own) = (state, task.child())
            threads.append(try WorkThread("encode") { Self.encode(index, with: encoder, state, own) })
        }
    }

    deinit {
        Self.stop(.cancelled(step: .encode), state)
        for thread in threads { thread.join() }
    }

    /// Sends a frame, or nil at the end. Waits until the queues have room for it.
    func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        try task.span("wait for an encoder") { () throws(MediaError) in
            try state.update(when: { frame == nil || $0.frameCount < limit || $0.failure != nil }) {
                (state) throws(MediaError) in
                if let failure = state.failure { throw failure }
                if let frame { state.add(frame) } else { state.hasEnded = true }
            }
        }
    }

    /// Returns the next packet in decoding order. After the end, waits for it.
    func next() throws(MediaError) -> Packet? {
        let packet = try state.withLock(when: { !hasEnded || $0.next != nil || $0.isDone || $0.failure != nil }) {
            (state) throws(MediaError) in
            if let failure = state.failure { throw failure }
            return state.takePacket()
        }
        if let packet { times.apply(to: packet) }
        return packet
    }

    // MARK: Threads

    private static func encode(_ index: Int, with encoder: VideoEncoder, _ state: Monitor<State>, _ task: TaskContext) {
        do throws(MediaError) {
            while let packet = try task.span(
                "encode GOP",
                { () throws(MediaError) in
                    try encoder.next { () throws(MediaError) in
                        try task.span("wait for frames") { () throws(MediaError) in try frame(for: index, state) }
                    }
                })
            {
                try state.update { (state) throws(MediaError) in
                    if let failure = state.failure { throw failure }
                    state.lanes[index].add(packet)
                }
            }
            state.update { $0.lanes[index].hasEnded = true }
        } catch {
            stop(error, state)
        }
    }

    private static func frame(for index: Int, _ state: Monitor<State>) throws(MediaError) -> Frame? {
        try state.update(when: { $0.hasEnded || $0.lanes[index].frameCount > 0 || $0.failure != nil }) {
            (state) throws(MediaError) in
            if let failure = state.failure { throw failure }
            return state.lanes[index].takeFrame()
        }
    }

    private static func stop(_ reason: MediaError, _ state: Monitor<State>) {
        state.update { $0.failure = $0.failure ?? reason }
    }
}

/// The GOPs of one of several encoders that take them in turn.
///
/// To the encoder, its GOPs follow each other without gaps: the times of the other encoders' GOPs would fill its rate
/// buffer.
struct GOPLane {
    private struct GOP {
        let number: Int
        /// The PTS of its first frame for the encoder.
        let start: Int64
        /// The PTS of its first frame in the video, minus ``start``.
        let offset: Int64
    }

    /// The frames that wait for the encoder.
    private var frames: [Frame] = []
    /// The GOPs whose packets are not complete, in order.
    private var gops: [GOP] = []
    /// The encoded packets with the numbers of their GOPs.
    private var packets: [(gop: Int, packet: Packet)] = []
    /// The end of the last frame for the encoder.
    private var end: Int64?
    /// Whether the encoder has produced its last packet.
    var hasEnded = false

    var frameCount: Int { frames.count }

    mutating func add(_ frame: Frame, ofGOP number: Int) {
        let time = frame.time ?? 0
        if gops.last?.number != number {
            let start = end ?? time
            gops.append(GOP(number: number, start: start, offset: time &- start))
        }
        let own = time &- (gops.last?.offset ?? 0)
        frame.time = own
        end = own &+ max(1, frame.duration)
        frames.append(frame)
    }

    /// Returns the next frame for the encoder.
    mutating func takeFrame() -> Frame? { frames.isEmpty ? nil : frames.removeFirst() }

    /// Adds the next packet of the encoder.
    mutating func add(_ packet: Packet) {
        // No frame is shown before the keyframe of its GOP or after that of the next one.
        if let time = packet.presentationTime {
            while gops.count > 1, time >= gops[1].start { gops.removeFirst() }
        }
        guard let gop = gops.first else { return }
        packet.delay(by: gop.offset)
        packets.append((gop.number, packet))
    }

    /// Whether the next packet belongs to the GOP with this number.
    func hasPacket(ofGOP number: Int) -> Bool { packets.first?.gop == number }

    /// Whether all packets of the GOP were taken.
    func isDone(withGOP number: Int) -> Bool { packets.first.map { $0.gop > number } ?? hasEnded }

    mutating func takePacket() -> Packet { packets.removeFirst().packet }
}
