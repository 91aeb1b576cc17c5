internal import WayreelAV
internal import WayreelCore

/// Finds the frames of a video at given times. Must be used by one thread at a time.
final class FrameFinder {
    private var reader: FrameReader
    private let open: (_ usesWayreelJPEG: Bool) throws(MediaError) -> FrameReader
    private var usesWayreelJPEG: Bool

    /// The size of frames from which WayreelJPEG is faster than FFmpeg, in spite of the tables that it builds for each.
    private static let minJPEGPixels = 500_000

    /// With `usesWayreelJPEG` (``VideoDecoder``), frames are found within ``withOneDecoder(_:)``. Throws the errors of opening
    /// the file, and an `unsupported` error if it has neither video nor cover.
    init(
        _ source: MediaInput, limits: VideoLimits, threads: Int, usesWayreelJPEG: Bool = false, task: TaskContext
    ) throws(MediaError) {
        self.usesWayreelJPEG = usesWayreelJPEG
        open = { (usesWayreelJPEG) throws(MediaError) in
            let file = try Demuxer(source, limits: limits, task: task)
            guard let stream = file.info.video ?? file.info.streams.first(where: { $0.kind == .cover }) else {
                throw Self.noVideo(file)
            }
            do throws(MediaError) {
                // Only what can be opened again can be decoded again.
                let canUse = Self.isSeekable(stream, of: file)
                let pixels = stream.videoProperties?.size.pixels ?? 0
                return try FrameReader(
                    file, stream: stream.index, threads: threads, limits: limits,
                    usesWayreelJPEG: usesWayreelJPEG && canUse && pixels >= Self.minJPEGPixels, task: task)
            } catch { throw error.naming(file.name) }
        }
        reader = try open(usesWayreelJPEG)
    }

    /// The error for a file without frames.
    static func noVideo(_ file: Demuxer) -> MediaError {
        MediaError(
            .unsupported, code: .noVideo, step: .read, subject: file.name,
            reason: file.info.audio == nil ? "has no video" : "has audio only, no video", advice: "give a video")
    }

    var file: Demuxer { reader.file }
    /// The video stream, or the cover if there is none.
    var stream: MediaStream { reader.stream }

    /// A decoded frame.
    struct Found {
        /// The time in seconds on the file's timeline.
        var seconds: Double
        var frame: Frame
    }

    /// The length of the stream in seconds; nil if it is unknown.
    var seconds: Double? { stream.seconds ?? file.info.seconds }

    var isSeekable: Bool { Self.isSeekable(stream, of: file) }

    private static func isSeekable(_ stream: MediaStream, of file: Demuxer) -> Bool {
        file.info.bytes != nil && stream.kind == .video
    }

    /// The number of pixels decoded since the last ``rewind()``.
    var pixelCount: Int { reader.decodedCount * (stream.videoProperties?.size.pixels ?? 1) }

    /// Returns the next frame in display order, or nil at the end.
    func next() throws(MediaError) -> Found? {
        do throws(MediaError) { return try reader.next().map(found) } catch { throw error.naming(file.name) }
    }

    private func found(_ frame: Frame) -> Found { Found(seconds: reader.seconds(frame.time ?? 0), frame: frame) }

    private func seek(before seconds: Double) -> Bool {
        isSeekable && reader.seek(before: seconds, awaitsKeyFrame: true)
    }

    /// Opens the file again, because damaged files may not seek to their beginning. Requires ``isSeekable``.
    func rewind() throws(MediaError) {
        let side = reader.decoder.targetSide
        reader = try open(usesWayreelJPEG)
        reader.decoder.targetSide = side
    }

    /// Calls `body`, and once more with FFmpeg's decoder alone if not all frames can be decoded by WayreelJPEG, so that damaged
    /// videos have the same frames as without it.
    func withOneDecoder<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        do throws(MediaError) { return try body() } catch {
            guard reader.decoder.needsFFmpeg else { throw error }
            usesWayreelJPEG = false
            try rewind()
            return try body()
        }
    }

    /// Calls `body`, in which frames may be of a reduced size that is enough for ``FrameScore``.
    func forScores<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        reader.decoder.targetSide = FrameScore.side
        defer { reader.decoder.targetSide = nil }
        return try body()
    }

    /// Returns the last keyframe at or before `seconds`, decoded alone, or nil if there is none, the file cannot be
    /// read from there, or it is `known`.
    func keyFrame(
        before seconds: Double, otherThan known: FrameReader.KeyFrameTime? = nil
    ) throws(MediaError) -> (found: Found, time: FrameReader.KeyFrameTime)? {
        guard seek(before: seconds) else { return nil }
        do throws(MediaError) {
            return try reader.nextKeyFrame { $0 == known }.map { (found($0.frame), $0.time) }
        } catch { throw error.naming(file.name) }
    }

    /// Returns the frame that is shown at `seconds`: the last one that begins by then, or else the first. After the
    /// end it is the last frame, and `isPastEnd` is true.
    func frame(at seconds: Double) throws(MediaError) -> (found: Found, isPastEnd: Bool)? {
        if seek(before: seconds), let shown = try walk(to: seconds), shown.found.seconds <= seconds + Self.tolerance {
            return shown
        }
        // The index is wrong or missing.
        if isSeekable { try rewind() }
        return try walk(to: seconds)
    }

    private func walk(to seconds: Double) throws(MediaError) -> (found: Found, isPastEnd: Bool)? {
        var last: Found?
        while let found = try next() {
            if found.seconds > seconds + Self.tolerance { return (last ?? found, false) }
            last = found
        }
        return last.map { ($0, $0.seconds + reader.length(of: $0.frame) < seconds - Self.tolerance) }
    }

    /// The tolerance in seconds for a time that is rounded to a few decimals.
    private static let tolerance = 1e-4
}
