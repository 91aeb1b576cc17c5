internal import WayreelAV
internal import WayreelCore

/// Decodes pictures of a video from wherever they are asked for. Belongs to one thread at a time.
final class FrameFinder {
    private(set) var file: MediaFile
    /// The stream that is looked at: the moving pictures or, where there are none, the cover.
    let stream: MediaStream
    private var decoder: VideoDecoder
    private let reopen: () throws(MediaError) -> (MediaFile, VideoDecoder)
    private let watch: TaskWatch
    private var decoded: [Frame] = []
    private var decodedCount = 0
    private var hasEnded = false
    /// Whether what comes next refers to pictures that were not decoded.
    private var awaitsKeyFrame = false
    private var lastTime: Int64?
    private var lastDuration: Int64 = 0

    /// Throws what opening the file throws, and an `unsupported` error where there are no pictures in it.
    init(_ source: AudioSource, limits: VideoLimits, threads: Int, watch: TaskWatch) throws(MediaError) {
        let file = try MediaFile(source, limits: limits, watch: watch)
        guard let stream = file.info.video ?? file.info.streams.first(where: { $0.kind == .cover }) else {
            throw MediaError(
                .unsupported, step: "read", subject: file.name,
                reason: file.info.sound == nil
                    ? "there are no pictures in it" : "there is only sound in it, no pictures",
                advice: "give a video")
        }
        let decoder = { (file: MediaFile) throws(MediaError) in
            file.select([stream.index])
            do throws(MediaError) {
                return try ThreadName.inherited("decode") { () throws(MediaError) in
                    try VideoDecoder(file, stream: stream.index, threads: threads, limits: limits)
                }
            } catch { throw error.naming(file.name) }
        }
        reopen = { () throws(MediaError) in
            let file = try MediaFile(source, limits: limits, watch: watch)
            return (file, try decoder(file))
        }
        self.file = file
        self.stream = stream
        self.watch = watch
        self.decoder = try decoder(file)
    }

    /// A decoded picture.
    struct Found {
        /// On the file's timeline.
        var seconds: Double
        var frame: Frame
    }

    /// What packet a key frame was made of, in the time base of the stream.
    struct KeyTime: Equatable {
        var value: Int64?
    }

    /// The length of the stream in seconds, where it is known.
    var seconds: Double? { stream.seconds ?? file.info.seconds }

    /// Whether any part of it can be read again.
    var isSeekable: Bool { file.info.bytes != nil && stream.kind == .video }

    /// Pixels that were decoded so far.
    var pixelCount: Int { decodedCount * (stream.picture?.size.pixels ?? 1) }

    /// The next picture in order of display; nil at the end.
    func next() throws(MediaError) -> Found? {
        while decoded.isEmpty, !hasEnded {
            try watch.check()
            let packet = try file.next()
            hasEnded = packet == nil
            if awaitsKeyFrame, packet?.isKeyFrame == false { continue }
            awaitsKeyFrame = false
            try decode(packet)
        }
        return decoded.isEmpty ? nil : found(decoded.removeFirst())
    }

    private func decode(_ packet: MediaPacket?) throws(MediaError) {
        do throws(MediaError) {
            try decoder.decode(packet) { (frame) in
                decodedCount += 1
                decoded.append(frame)
            }
        } catch { throw error.naming(file.name) }
    }

    private func found(_ frame: Frame) -> Found {
        let time = frame.time ?? lastTime.map { $0 &+ max(1, lastDuration) } ?? 0
        (lastTime, lastDuration) = (time, frame.duration)
        return Found(seconds: Double(time) * file.timeBase(of: stream.index).value - file.origin, frame: frame)
    }

    /// Seconds that a picture is shown, as far as is known.
    func length(of frame: Frame) -> Double {
        let own = Double(frame.duration) * file.timeBase(of: stream.index).value
        return own > 0 ? own : stream.picture?.frameRate.map { 1 / $0.value } ?? 0
    }

    private func seek(before seconds: Double) -> Bool {
        guard isSeekable, file.seek(stream: stream.index, before: seconds) else { return false }
        decoder.flush()
        decoded = []
        (hasEnded, awaitsKeyFrame, lastTime) = (false, true, nil)
        return true
    }

    /// Goes back to the beginning, if need be by opening the file again: damaged files cannot be relied upon to lead there.
    /// Only where ``isSeekable``.
    func rewind() throws(MediaError) {
        (file, decoder) = try reopen()
        decoded = []
        (hasEnded, awaitsKeyFrame, lastTime) = (false, false, nil)
    }

    /// The last key frame at or before `seconds`, alone decoded; nil where there is none, where the file cannot be read from
    /// there, and where it is that of `known`.
    func keyFrame(
        before seconds: Double, otherThan known: KeyTime? = nil
    ) throws(MediaError) -> (found: Found, time: KeyTime)? {
        guard seek(before: seconds) else { return nil }
        for _ in 0..<Self.packetsToKeyFrame {
            try watch.check()
            guard let packet = try file.next() else { return nil }
            guard packet.isKeyFrame else { continue }
            let time = KeyTime(value: packet.presentationTime ?? packet.decodingTime)
            guard time != known else { return nil }
            try decode(packet)
            // Decoders hold pictures back for those that may come before them.
            if decoded.isEmpty { try decode(nil) }
            decoder.flush()
            defer { decoded = [] }
            return decoded.first.map { (found($0), time) }
        }
        return nil
    }

    private static let packetsToKeyFrame = 1000

    /// The picture that is shown at `seconds`: the last that begins by then. Before the first it is the first, after the end
    /// the last, and then `isPastEnd`.
    func picture(at seconds: Double) throws(MediaError) -> (found: Found, isPastEnd: Bool)? {
        if seek(before: seconds), let shown = try walk(to: seconds), shown.found.seconds <= seconds + Self.tolerance {
            return shown
        }
        // Where the index leads astray, and where there is none.
        if isSeekable { try rewind() }
        return try walk(to: seconds)
    }

    private func walk(to seconds: Double) throws(MediaError) -> (found: Found, isPastEnd: Bool)? {
        var last: Found?
        while let found = try next() {
            if found.seconds > seconds + Self.tolerance { return (last ?? found, false) }
            last = found
        }
        return last.map { ($0, $0.seconds + length(of: $0.frame) < seconds - Self.tolerance) }
    }

    /// Rounding of a time in decimals, in seconds.
    private static let tolerance = 1e-4
}
