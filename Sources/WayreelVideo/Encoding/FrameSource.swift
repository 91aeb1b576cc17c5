internal import WayreelAV
internal import WayreelCore

/// Decodes the pictures of a file once, for any number of renditions.
///
/// Belongs to one thread at a time.
final class FrameSource: @unchecked Sendable {
    private let file: MediaFile
    private let stream: Int
    private let decoder: VideoDecoder
    private let shared: FilterGraph?
    private var clock: FrameClock
    private let lines: [FrameLine]
    private let watch: TaskWatch
    private let timeBase: Rational
    /// The last picture that was let through waits for its duration, which the next one tells.
    private var waiting: Frame?
    /// The time of the picture that came last, in units of the stream.
    private var lastTime: Int64?
    private var lastDuration: Int64 = 0
    /// Pictures that were handed on.
    private(set) var count = 0

    init(
        _ file: MediaFile, _ plan: PicturePlan, threads: Int, limits: VideoLimits, lines: [FrameLine], watch: TaskWatch
    ) throws(MediaError) {
        self.file = file
        self.stream = plan.stream
        self.lines = lines
        self.watch = watch
        timeBase = plan.timing.timeBase
        decoder = try VideoDecoder(file, stream: plan.stream, threads: threads, limits: limits)
        shared =
            plan.sharedChain.isEmpty
            ? nil
            : try FilterGraph(
                plan.sharedChain, timeBase: file.timeBase(of: plan.stream), threads: threads, watch: watch)
        let info = file.info.streams[plan.stream]
        clock = FrameClock(
            plan.timing, seconds: info.seconds ?? file.info.seconds, frameRate: info.picture?.frameRate)
        file.select([plan.stream])
    }

    /// What went wrong without stopping the work.
    struct Damage {
        var lost: Int
        var damaged: Int
        var jumps: Int
        var isCutShort: Bool
    }

    var damage: Damage {
        Damage(lost: decoder.lost, damaged: decoder.damaged, jumps: clock.jumps, isCutShort: file.isCutShort)
    }

    /// Decodes to the end and ends the lines. Throws what stopped it.
    func run() throws(MediaError) {
        do throws(MediaError) {
            try decodeAll()
            for line in lines { line.finish() }
        } catch {
            for line in lines { line.finish(error) }
            throw error
        }
    }

    private func decodeAll() throws(MediaError) {
        while let packet = try file.next() {
            try watch.check()
            try decode(packet)
        }
        try decode(nil)
        if let shared { try shared.filter(nil) { (frame) throws(MediaError) in try place(frame) } }
        try handOn(until: nil)
        guard count > 0 else {
            throw MediaError(
                .decoding, step: "decode", subject: file.name, reason: "no picture in it can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
    }

    private func decode(_ packet: MediaPacket?) throws(MediaError) {
        try decoder.decode(packet) { (frame) throws(MediaError) in
            frame.time = frame.time ?? lastTime.map { $0 &+ max(1, lastDuration) } ?? 0
            (lastTime, lastDuration) = (frame.time, frame.duration)
            if let shared {
                try shared.filter(frame) { (frame) throws(MediaError) in try place(frame) }
            } else {
                try place(frame)
            }
        }
    }

    private func place(_ frame: Frame) throws(MediaError) {
        let base = file.timeBase(of: stream).value
        guard let time = frame.time, let place = clock.place(Double(time) * base - file.origin) else { return }
        try handOn(until: place)
        let own = Double(frame.duration) * base / timeBase.value
        frame.time = place
        frame.duration = own.isFinite && own < 1e12 ? max(0, Int64(own.rounded())) : 0
        frame.askForKeyFrame(false)
        waiting = frame
    }

    /// Hands on the picture that waits, which is shown until the next, or as long as it says itself.
    private func handOn(until next: Int64?) throws(MediaError) {
        guard let frame = waiting, let time = frame.time else { return }
        waiting = nil
        if let next { frame.duration = next - time } else if frame.duration == 0 { frame.duration = lastLength }
        lastLength = frame.duration
        count += 1
        for line in lines {
            guard line.put(try frame.copy()) else {
                throw MediaError(.cancelled, step: "decode", reason: "cancelled")
            }
        }
    }

    /// Of the picture that was handed on last, in units of the output.
    private var lastLength: Int64 = 1
}
