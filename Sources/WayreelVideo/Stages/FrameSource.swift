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
    private var lines: [FrameQueue]
    private let parts: Parts?
    private let heldUntil: Double
    /// The part of the stream that is handed on, on the file's timeline.
    private let range: TimeRange?
    private let limits: VideoLimits
    private let watch: TaskWatch
    private let timing: FrameTiming
    /// The last picture that was let through waits for its duration, which the next one tells.
    private var waiting: Frame?
    /// The time of the picture that came last, in units of the stream.
    private var lastTime: Int64?
    private var lastDuration: Int64 = 0
    /// Pictures that were handed on.
    private(set) var count = 0
    /// What has become of the frames that were decoded.
    private(set) var tally = FrameTally()
    /// Seconds of output for which the last picture was shown longer than the source shows it.
    private(set) var heldSeconds = 0.0

    /// A line to one of so many renditions. Where there are several, some pictures wait, so that each encoder may be ahead of
    /// the others for a while.
    static func makeLine(ofRenditions count: Int = 1) -> FrameQueue { FrameQueue(limit: count > 1 ? 4 : 1) }

    /// Has the pictures handed on in parts, each by a line of its own.
    struct Parts {
        /// Where the first of them begins.
        var start: ChunkFolder.Start
        /// How long each is.
        var seconds: Double
        /// Whether each time comes once in the file, so that a picture is found by its own; else they are counted.
        var timesAreUnique: Bool
        /// Where they go, one to a rendition.
        var queues: [BoundedQueue<ChunkedEncoding.Opened>]
    }

    /// Hands the pictures on by `lines`, or in `parts`. The last one stays until `heldUntil`, in seconds of output, at least.
    init(
        _ file: MediaFile, _ plan: VideoPlan, threads: Int, limits: VideoLimits, lines: [FrameQueue] = [],
        parts: Parts? = nil, heldUntil: Double = 0, watch: TaskWatch
    ) throws(MediaError) {
        guard file.info.streams.indices.contains(plan.stream) else {
            throw MediaError(.io, step: "read", subject: file.name, reason: "has changed meanwhile")
        }
        self.file = file
        self.stream = plan.stream
        self.lines = lines
        self.limits = limits
        self.parts = parts
        self.heldUntil = heldUntil
        self.watch = watch
        timing = plan.timing
        range = plan.range
        // Its own threads are called as the one that starts them.
        decoder = try ThreadName.inherited("decode") { () throws(MediaError) in
            try VideoDecoder(file, stream: plan.stream, threads: threads, limits: limits)
        }
        shared =
            plan.sharedChain.isEmpty
            ? nil
            : try FilterGraph(
                plan.sharedChain, timeBase: file.timeBase(of: plan.stream), threads: threads, watch: watch)
        clock = parts?.start.clock ?? Self.clock(of: plan, file)
        file.select([plan.stream])
    }

    /// The clock that a plan begins with.
    private static func clock(of plan: VideoPlan, _ file: MediaFile) -> FrameClock {
        let stream = file.info.streams[plan.stream]
        // Where the clock may start anew, what the file says of its length is reckoned from its first and last time.
        let seconds = file.mostGap == nil ? stream.seconds ?? file.info.seconds : nil
        return FrameClock(
            plan.timing, seconds: seconds.map { max(0, $0 - (plan.range?.start ?? 0)) },
            frameRate: stream.picture?.frameRate, mostGap: file.mostGap)
    }

    /// What went wrong without stopping the work.
    struct Damage: Hashable, Codable {
        var lost = 0
        var damaged = 0
        var jumps = 0
        var isCutShort = false
        /// Frames that were dropped because their timestamps do not increase.
        var collisions = 0
    }

    /// Of all that was read, and in front of the first part by those who have read that.
    var damage: Damage {
        let before = parts?.start.damage ?? Damage()
        return Damage(
            lost: before.lost + decoder.lost - skipped.lost,
            damaged: before.damaged + decoder.damaged - skipped.damaged, jumps: clock.jumps,
            isCutShort: file.isCutShort, collisions: clock.collisions)
    }

    /// Decodes to the end and ends the lines. Throws what stopped it.
    func run() throws(MediaError) {
        do throws(MediaError) {
            try begin()
            try decodeAll()
            for line in lines { line.finish() }
            for queue in parts?.queues ?? [] { queue.finish() }
        } catch {
            for line in lines { line.finish(error) }
            for queue in parts?.queues ?? [] { queue.finish(error) }
            throw error
        }
    }

    // MARK: Parts

    /// Pictures that are decoded before the first of a part, for filters that look back.
    private static let secondsBefore = 1.0

    private func begin() throws(MediaError) {
        if let range, range.start > 0, file.mostGap == nil,
            parts.map({ $0.timesAreUnique && $0.start == .ofAll }) ?? true
        {
            _ = file.seek(stream: stream, before: range.start - Self.secondsBefore)
        }
        guard let parts else { return }
        let seconds = Double(parts.start.sourceTime) * file.timeBase(of: stream).value - file.origin
        // Where the file cannot be sought in, everything is decoded from the beginning, and what was done is left out.
        if parts.start.sourceTime > .min, parts.timesAreUnique {
            _ = file.seek(stream: stream, before: seconds - Self.secondsBefore)
        }
        try open(parts, at: parts.start)
    }

    private func open(_ parts: Parts, at start: ChunkFolder.Start) throws(MediaError) {
        for line in lines { line.finish() }
        lines = parts.queues.map { _ in Self.makeLine(ofRenditions: parts.queues.count) }
        partEnd = nil
        for (queue, line) in zip(parts.queues, lines) {
            guard queue.put(ChunkedEncoding.Opened(start: start, line: line)) else { throw Self.cancelled }
        }
    }

    private static var cancelled: MediaError { MediaError(.cancelled, step: "decode", reason: "cancelled") }

    /// Whether a picture of the first part has come.
    private var hasReachedStart = false
    /// What went wrong in front of the first part, and was counted before.
    private var skipped = Damage()
    /// Pictures that have come since the source's first, or since the first part began.
    private var pictures = 0
    /// When the part ends that is being handed on, in units of the output; nil before its first picture.
    private var partEnd: Int64?

    /// Counts the picture at `time`. Returns whether it belongs to the first part, or comes after it.
    private func reachesStart(_ time: Int64) -> Bool {
        pictures += 1
        guard let parts, !hasReachedStart else { return true }
        let start = parts.start
        hasReachedStart = parts.timesAreUnique ? time >= start.sourceTime : pictures > start.sourcePictures
        if hasReachedStart { pictures = 1 }
        if start.sourcePictures > 0 { skipped = Damage(lost: decoder.lost, damaged: decoder.damaged) }
        return hasReachedStart
    }

    /// Begins a new part where the picture at `place` is the first of one.
    private func turnPage(at place: Int64, _ time: Int64, before clock: FrameClock) throws(MediaError) {
        guard let parts else { return }
        if let partEnd, place >= partEnd {
            let start = ChunkFolder.Start(
                sourceTime: time, sourcePictures: parts.start.sourcePictures + pictures - 1, clock: clock,
                damage: damage)
            try open(parts, at: start)
        }
        guard partEnd == nil else { return }
        let length = parts.seconds / timing.timeBase.value
        // The first place that is not before it: of 29.97 pictures a second ten seconds hold 300.
        let end = ((Double(place) / length + 1e-9).rounded(.down) + 1) * length
        partEnd = Int64((end - 1e-6).rounded(.up))
    }

    private func decodeAll() throws(MediaError) {
        while !hasReachedEnd, let packet = try watch.span("read", file.next) {
            try watch.check()
            try watch.span("decode") { () throws(MediaError) in try decode(packet) }
        }
        if !hasReachedEnd { try watch.span("decode") { () throws(MediaError) in try decode(nil) } }
        if let shared { try shared.filter(nil) { (frame) throws(MediaError) in try place(frame) } }
        try handOn(until: nil)
        if count == 0, let range {
            throw MediaError(
                .decoding, step: "decode", subject: file.name, reason: "no frame in it is shown \(range.words)",
                advice: "give other values of --start and --end")
        }
        guard count > 0 else {
            throw MediaError(
                .decoding, step: "decode", subject: file.name, reason: "no picture in it can be decoded",
                advice: "send the whole file, from its first key frame on")
        }
    }

    private func decode(_ packet: MediaPacket?) throws(MediaError) {
        try decoder.decode(packet) { (frame) throws(MediaError) in
            tally.decoded += 1
            frame.time = frame.time ?? lastTime.map { $0 &+ max(1, lastDuration) } ?? 0
            (lastTime, lastDuration) = (frame.time, frame.duration)
            if let shared {
                try watch.span("filter") { () throws(MediaError) in
                    try shared.filter(frame) { (frame) throws(MediaError) in try place(frame) }
                }
            } else {
                try place(frame)
            }
        }
    }

    private func place(_ frame: Frame) throws(MediaError) {
        let base = file.timeBase(of: stream).value
        guard !hasReachedEnd, let time = frame.time, reachesStart(time) else {
            tally.leftOut += 1
            return
        }
        let before = clock
        guard let place = clock.place(Double(time) * base - file.origin - (range?.start ?? 0)) else {
            if range != nil || clock.dropped > before.dropped { tally.leftOut += 1 }
            // What is wrong in front of the part that is wanted does not matter.
            if range != nil, count == 0, waiting == nil { skipPrelude() }
            return
        }
        if let end = rangeEnd, place >= end {
            try handOn(until: end)
            hasReachedEnd = true
            tally.leftOut += 1
            return
        }
        try limits.check(seconds: Double(place) * timing.timeBase.value)
        try handOn(until: place)
        try turnPage(at: place, time, before: before)
        let own = Double(frame.duration) * base / timing.timeBase.value
        left = unitsLeft(after: Double(time) * base - file.origin)
        frame.time = place
        frame.duration = own.isFinite && own < 1e12 ? max(0, Int64(own.rounded())) : 0
        frame.askForKeyFrame(false)
        waiting = frame
    }

    /// Whether the range has ended.
    private var hasReachedEnd = false

    /// The end of the range, in units of the output: the first that no frame is shown at.
    private var rangeEnd: Int64? {
        guard let length = range?.length else { return nil }
        let unit = timing.grid.map { 1 / $0.value } ?? timing.timeBase.value
        let places = ((length - timing.offset) / unit - 0.001).rounded(.up)
        return Int64((max(1, places) * unit / timing.timeBase.value).rounded())
    }

    private func skipPrelude() {
        guard parts.map({ $0.start == .ofAll }) ?? true else { return }
        skipped = Damage(lost: decoder.lost, damaged: decoder.damaged)
    }

    /// From a picture at `seconds` on the file's timeline to its end, in units of the output; `.max` where that is not known.
    private func unitsLeft(after seconds: Double) -> Int64 {
        guard let left = file.secondsLeft(after: seconds) else { return .max }
        let units = left / timing.timeBase.value
        return units < 1e15 ? max(1, Int64(units.rounded())) : .max
    }

    /// For how long the last picture is shown: as it says itself, or as the one before it, but where rates vary or nothing is said,
    /// no longer than the file lasts. Matroska gives all pictures the length that is usual.
    private func lengthOfLast(_ frame: Frame) -> Int64 {
        guard timing.grid == nil || frame.duration == 0 else { return frame.duration }
        return min(left, frame.duration == 0 ? lastLength : frame.duration)
    }

    /// Hands on the picture that waits, which is shown until the next, or as long as it says itself.
    private func handOn(until next: Int64?) throws(MediaError) {
        guard let frame = waiting, let time = frame.time else { return }
        waiting = nil
        let length = next.map { $0 - time } ?? lengthOfLast(frame)
        lastLength = length
        count += 1
        tally.repeated -= 1
        try repeatShown(frame, from: time, to: next == nil ? try end(time + length, from: time) : time + length)
    }

    /// When the last picture ends, which stays as long as it is to be held.
    private func end(_ told: Int64, from time: Int64) throws(MediaError) -> Int64 {
        guard let interval = timing.repeatInterval else {
            try limits.check(seconds: Double(told) * timing.timeBase.value)
            return told
        }
        let own = clock.lastEnd(told, from: time)
        let wanted = (heldUntil / interval - 1e-6).rounded(.up) * interval
        let held = max(own, Int64((wanted / timing.timeBase.value).rounded()))
        try limits.check(seconds: Double(held) * timing.timeBase.value)
        heldSeconds = Double(held - own) * timing.timeBase.value
        return held
    }

    /// Seconds for which a picture may be shown where pictures come as they like.
    private static let long = 0.25

    /// Seconds for which a picture may be shown where nothing else is asked for: an MP4 file holds the length of one in 32 bits.
    private static let longest = 3600.0

    /// Hands on a picture that is shown from `time` to `end`, more than once where that is long.
    private func repeatShown(_ frame: Frame, from time: Int64, to end: Int64) throws(MediaError) {
        let unit = timing.timeBase.value
        var start = time
        let isLong = timing.grid != nil || Double(end - time) * unit > Self.long
        let interval = timing.repeatInterval ?? Self.longest
        if isLong {
            // Not nearer than half of it to the picture itself.
            var number = (Double(time) * unit / interval + 0.5).rounded(.down) + 1
            while Double(end) * unit - number * interval > interval / 2 {
                try watch.check()
                let place = Int64((number * interval / unit - 1e-6).rounded(.up))
                try put(frame, from: start, to: place)
                (start, number) = (place, number + 1)
            }
        }
        try put(frame, from: start, to: end)
    }

    private func put(_ frame: Frame, from time: Int64, to end: Int64) throws(MediaError) {
        frame.time = time
        frame.duration = end - time
        tally.repeated += 1
        for line in lines {
            let copy = try frame.copy()
            guard try watch.span("wait for an encoder", { line.put(copy) }) else {
                throw Self.cancelled
            }
        }
    }

    /// Of the picture that was handed on last, in units of the output.
    private var lastLength: Int64 = 1
    /// From the picture that waits to the end of the file, in units of the output.
    private var left = Int64.max
}
