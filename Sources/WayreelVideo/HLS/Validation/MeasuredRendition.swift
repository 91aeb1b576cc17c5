internal import WayreelAV
internal import WayreelCore

/// A media playlist and the actual content of its segments.
struct MeasuredRendition {
    /// The path of the playlist, relative to the folder.
    let path: String
    var playlist: MediaPlaylist
    /// The content of each segment of the playlist; nil if it cannot be read.
    var contents: [SegmentContent?] = []
    /// The file size of each segment.
    var sizes: [Int] = []

    private var all: [SegmentContent] { contents.compactMap(\.self) }
    var first: SegmentContent? { all.first }
    var isVideo: Bool { first?.video != nil }
    /// Whether every segment could be read.
    var isWhole: Bool { !contents.isEmpty && all.count == contents.count }

    var discontinuities: Int { playlist.segments.count(where: \.isDiscontinuous) }

    /// The first segment and those after discontinuities, with their lines in the playlist; nil if one cannot be
    /// read.
    var sections: [(line: Int, content: SegmentContent?)] {
        zip(playlist.segments, contents).enumerated().compactMap { index, pair in
            index == 0 || pair.0.isDiscontinuous ? (pair.0.line, pair.1) : nil
        }
    }

    /// The codec names for `CODECS` of all streams; nil if one is unknown.
    var codecs: [String]? {
        guard let tracks = first?.tracks else { return nil }
        let known = tracks.compactMap(\.codec)
        return known.count == tracks.count ? known : nil
    }

    /// The start times of the segments, relative to the first.
    var starts: [Double] {
        let all = all.compactMap { $0.leading?.start }
        return all.map { $0 - (all.first ?? 0) }
    }

    /// The times of IDR frames, relative to the first frame.
    var keyTimes: [Double] {
        let origin = first?.video?.start ?? 0
        return all.flatMap { $0.video?.keyTimes ?? [] }.map { $0 - origin }
    }

    /// The durations of the segments of the leading stream, each up to the start of the next one.
    var lengths: [Double] {
        let near = 2 * tolerance
        return contents.indices.map { index in
            guard let track = contents[index]?.leading else { return playlist.segments[index].seconds }
            // Exclude the encoder's priming samples, which are not played.
            let start = track.isVideo || index > 0 ? track.start : max(0, track.start)
            guard index + 1 < contents.count, !playlist.segments[index + 1].isDiscontinuous,
                let next = contents[index + 1]?.leading?.start, abs(next - track.end) < near
            else { return track.end - start }
            return next - start
        }
    }

    var seconds: Double { lengths.reduce(0, +) }

    /// The typical time from packet to packet of the leading stream.
    var step: Double { first?.leading?.step ?? 0 }

    /// The tolerance of times: a frame and a half.
    var tolerance: Double { 1.5 * step + 0.002 }

    /// The rates for the declared target duration, else for the longest segment. Throws the errors of `task`.
    func rates(_ task: TaskContext) throws(MediaError) -> SegmentRates {
        let lengths = lengths
        let longest = Int(min(max(1, lengths.max() ?? 1), 1e6).rounded())
        return try SegmentRates(
            zip(lengths, sizes).map { ($0, $1) }, targetDuration: playlist.targetDuration ?? longest,
            check: task.check)
    }

    /// The average frame rate, and the rate of the shortest frame.
    var frameRate: (average: Double, max: Double)? {
        let times = all.flatMap { $0.video?.times ?? [] }.sorted()
        guard let start = times.first, let end = all.compactMap({ $0.video?.end }).max(), end > start else {
            return nil
        }
        let shortest = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 1e-6 }.min() ?? (end - start)
        return (Double(times.count) / (end - start), 1 / shortest)
    }

    /// The bit rate of audio, without its container.
    var audioRate: Double? {
        let tracks = all.compactMap(\.audio)
        let seconds = tracks.reduce(0) { $0 + $1.seconds }
        return seconds > 0 ? Double(tracks.reduce(0) { $0 + $1.bytes }) * 8 / seconds : nil
    }
}
