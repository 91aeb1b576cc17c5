internal import WayreelAV
internal import WayreelCore

/// Finds the frames of a video at given times. Belongs to one thread at a time.
final class FrameFinder {
    private var reader: FrameReader
    private let reopen: () throws(MediaError) -> FrameReader

    /// Throws what opening the file throws, and an `unsupported` error where it has neither video nor cover.
    init(_ source: MediaInput, limits: VideoLimits, threads: Int, task: TaskContext) throws(MediaError) {
        reopen = { () throws(MediaError) in
            let file = try Demuxer(source, limits: limits, task: task)
            guard let stream = file.info.video ?? file.info.streams.first(where: { $0.kind == .cover }) else {
                throw Self.noVideo(file)
            }
            do throws(MediaError) {
                return try FrameReader(file, stream: stream.index, threads: threads, limits: limits, task: task)
            } catch { throw error.naming(file.name) }
        }
        reader = try reopen()
    }

    /// The error for a file without frames.
    static func noVideo(_ file: Demuxer) -> MediaError {
        MediaError(
            .unsupported, code: .noVideo, step: "read", subject: file.name,
            reason: file.info.audio == nil ? "has no video" : "has audio only, no video", advice: "give a video")
    }

    var file: Demuxer { reader.file }
    /// The video stream or, where there is none, the cover.
    var stream: MediaStream { reader.stream }

    /// A decoded frame.
    struct Found {
        /// On the file's timeline.
        var seconds: Double
        var frame: Frame
    }

    /// The length of the stream in seconds; nil where it is unknown.
    var seconds: Double? { stream.seconds ?? file.info.seconds }

    var isSeekable: Bool { file.info.bytes != nil && stream.kind == .video }

    /// The number of pixels decoded since the last ``rewind()``.
    var pixelCount: Int { reader.decodedCount * (stream.videoProperties?.size.pixels ?? 1) }

    /// The next frame in display order; nil at the end.
    func next() throws(MediaError) -> Found? {
        do throws(MediaError) { return try reader.next().map(found) } catch { throw error.naming(file.name) }
    }

    private func found(_ frame: Frame) -> Found { Found(seconds: reader.seconds(frame.time ?? 0), frame: frame) }

    private func seek(before seconds: Double) -> Bool {
        isSeekable && reader.seek(before: seconds, awaitsKeyFrame: true)
    }

    /// Opens the file again: damaged files may not seek to their beginning. Requires ``isSeekable``.
    func rewind() throws(MediaError) { reader = try reopen() }

    /// The last keyframe at or before `seconds`, decoded alone; nil where there is none, where the file cannot be read from
    /// there, and where it is `known`.
    func keyFrame(
        before seconds: Double, otherThan known: FrameReader.KeyFrameTime? = nil
    ) throws(MediaError) -> (found: Found, time: FrameReader.KeyFrameTime)? {
        guard seek(before: seconds) else { return nil }
        do throws(MediaError) {
            return try reader.nextKeyFrame { $0 == known }.map { (found($0.frame), $0.time) }
        } catch { throw error.naming(file.name) }
    }

    /// The frame that is shown at `seconds`: the last that begins by then, else the first. After the end it is the last frame, and
    /// `isPastEnd` is true.
    func frame(at seconds: Double) throws(MediaError) -> (found: Found, isPastEnd: Bool)? {
        if seek(before: seconds), let shown = try walk(to: seconds), shown.found.seconds <= seconds + Self.tolerance {
            return shown
        }
        // The index is wrong, or there is none.
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

    /// Seconds by which a time with few decimals may be rounded.
    private static let tolerance = 1e-4
}
