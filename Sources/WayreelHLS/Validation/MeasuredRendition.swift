internal import WayreelAV
internal import WayreelCore

/// A media playlist and what its segments really hold.
struct MeasuredRendition {
    /// From the folder on.
    let path: String
    var playlist: MediaPlaylist
    /// For each segment of the playlist; nil where it cannot be read.
    var contents: [SegmentContent?] = []
    /// Of the segments as files, for each.
    var sizes: [Int] = []

    private var all: [SegmentContent] { contents.compactMap(\.self) }
    var first: SegmentContent? { all.first }
    var isVideo: Bool { first?.picture != nil }
    /// Whether every segment could be read.
    var isWhole: Bool { !contents.isEmpty && all.count == contents.count }

    var discontinuities: Int { playlist.segments.count(where: \.isDiscontinuous) }

    /// The first segment and those behind discontinuities, by their lines in the playlist; nil where one cannot be read.
    var sections: [(line: Int, content: SegmentContent?)] {
        zip(playlist.segments, contents).enumerated().compactMap { index, pair in
            index == 0 || pair.0.isDiscontinuous ? (pair.0.line, pair.1) : nil
        }
    }

    /// As in `CODECS`, of all streams; nil where one is not known.
    var codecs: [String]? {
        guard let tracks = first?.tracks else { return nil }
        let known = tracks.compactMap(\.codec)
        return known.count == tracks.count ? known : nil
    }

    /// When segments begin, from the first on.
    var starts: [Double] {
        let all = all.compactMap { $0.leading?.start }
        return all.map { $0 - (all.first ?? 0) }
    }

    /// When IDR pictures are shown, from the first picture on.
    var keyTimes: [Double] {
        let origin = first?.picture?.start ?? 0
        return all.flatMap { $0.picture?.keyTimes ?? [] }.map { $0 - origin }
    }

    /// How long the segments of the leading stream last, each until the next begins.
    var lengths: [Double] {
        let near = 2 * tolerance
        return contents.indices.map { index in
            guard let track = contents[index]?.leading else { return playlist.segments[index].seconds }
            // What an encoder puts in front of the sound is not heard.
            let start = track.isVideo || index > 0 ? track.start : max(0, track.start)
            guard index + 1 < contents.count, !playlist.segments[index + 1].isDiscontinuous,
                let next = contents[index + 1]?.leading?.start, abs(next - track.end) < near
            else { return track.end - start }
            return next - start
        }
    }

    var seconds: Double { lengths.reduce(0, +) }

    /// The usual time from packet to packet of the leading stream.
    var step: Double { first?.leading?.step ?? 0 }

    /// How far a time may be off: a frame and a half.
    var tolerance: Double { 1.5 * step + 0.002 }

    var rates: SegmentRates {
        let lengths = lengths
        let target = Int(min(max(1, lengths.max() ?? 1), 1e6).rounded())
        return SegmentRates(zip(lengths, sizes).map { ($0, $1) }, targetDuration: target)
    }

    /// Pictures a second: on average, and at most from one to the next.
    var frameRate: (average: Double, most: Double)? {
        let times = all.flatMap { $0.picture?.times ?? [] }.sorted()
        guard let start = times.first, let end = all.compactMap({ $0.picture?.end }).max(), end > start else {
            return nil
        }
        let shortest = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 1e-6 }.min() ?? (end - start)
        return (Double(times.count) / (end - start), 1 / shortest)
    }

    /// Bits per second of a stream of sound, without its container.
    var soundRate: Double? {
        let tracks = all.compactMap(\.sound)
        let seconds = tracks.reduce(0) { $0 + $1.seconds }
        return seconds > 0 ? Double(tracks.reduce(0) { $0 + $1.bytes }) * 8 / seconds : nil
    }
}
