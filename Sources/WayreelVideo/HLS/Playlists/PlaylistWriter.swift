internal import WayreelCore

/// An audio track of a package, with the properties that players show.
struct PackagedAudio {
    var track: PackagedTrack
    var language: LanguageCode?
    /// The name in players.
    var title: String?
    var channelCount: Int?
}

/// Writes the playlists of a package from its segments.
struct PlaylistWriter {
    /// The renditions, the first variant first.
    var video: [PackagedTrack]
    /// The audio tracks, the default one first.
    var audio: [PackagedAudio] = []
    var subtitles: [PackagedSubtitles] = []
    var chapters: String?
    /// The URI of the key; nil: nothing is encrypted.
    var keyURI: String?
    /// The constant frame rate of the plan; nil: it varies.
    var frameRate: Double?

    private static let version = 7
    private static let audioGroup = "audio"
    private static let subtitleGroup = "subtitles"

    /// The playlists with their names in the package.
    var files: [(name: String, text: String)] {
        let media = (video + audio.map(\.track)).map {
            ("\($0.folder)/\(HLSNames.playlist)", playlist(of: $0).text)
        }
        let keyFrames = video.map { ("\($0.folder)/\(HLSNames.keyFrames)", iFramePlaylist(of: $0).text) }
        let texts = subtitles.map { ("\($0.folder)/\(HLSNames.playlist)", playlist(of: $0).text) }
        return [(HLSNames.master, master.text)] + media + keyFrames + texts
    }

    var warnings: [MediaWarning] {
        video.compactMap { track in
            let longest = track.segments.map(\.seconds).max() ?? 0
            guard longest > Self.maxSegmentSeconds else { return nil }
            return MediaWarning(
                step: .write,
                "\(track.folder) has a segment of \(longest.formatted(1)) s; "
                    + "players expect \(Self.maxSegmentSeconds.formatted(1)) s at most")
        }
    }

    private static let maxSegmentSeconds = 6.5

    // MARK: Media playlists

    private func playlist(of track: PackagedTrack) -> MediaPlaylist {
        playlist(
            track.segments.map { segment in
                MediaPlaylist.Segment(
                    uri: segment.name, seconds: segment.seconds,
                    initSegment: MediaPlaylist.InitSegment(uri: HLSNames.initSegment), key: key(segment.iv))
            })
    }

    private func iFramePlaylist(of track: PackagedTrack) -> MediaPlaylist {
        playlist(
            Self.spans(of: track).map { frame, seconds in
                MediaPlaylist.Segment(
                    uri: frame.name, seconds: seconds,
                    range: frame.range.map { ByteRange(count: $0.count, offset: $0.lowerBound) },
                    initSegment: MediaPlaylist.InitSegment(uri: HLSNames.initSegment), key: key(frame.iv))
            }, isIFramesOnly: true)
    }

    private func playlist(_ segments: [MediaPlaylist.Segment], isIFramesOnly: Bool = false) -> MediaPlaylist {
        MediaPlaylist(
            version: Self.version, targetDuration: max(1, Int((segments.map(\.seconds).max() ?? 1).rounded())),
            type: "VOD", isIndependent: true, isIFramesOnly: isIFramesOnly, isEnded: true, segments: segments)
    }

    private func key(_ iv: [UInt8]?) -> MediaPlaylist.Key? {
        guard let keyURI, let iv else { return nil }
        return MediaPlaylist.Key(method: "AES-128", uri: keyURI, iv: iv)
    }

    /// Returns the keyframes, each with the time to the next one.
    private static func spans(of track: PackagedTrack) -> [(frame: PackagedKeyFrame, seconds: Double)] {
        let frames = track.segments.flatMap(\.keyFrames)
        let ends = frames.dropFirst().map(\.start) + [track.end]
        return zip(frames, ends).map { ($0, $1 - $0.start) }
    }

    // MARK: The master playlist

    private var master: MasterPlaylist {
        var master = MasterPlaylist(version: Self.version, isIndependent: true)
        let audioRates = audio.map { rates(of: $0.track) }
        let (audioPeak, audioAverage) = (audioRates.map(\.peak).max() ?? 0, audioRates.map(\.average).max() ?? 0)
        guard !video.isEmpty else {
            master.variants = zip(audio.map(\.track), audioRates).map { track, rates in
                MasterPlaylist.Variant(
                    uri: "\(track.folder)/\(HLSNames.playlist)", bandwidth: rates.peak,
                    averageBandwidth: rates.average, codecs: track.entry.codec)
            }
            return master
        }
        master.renditions = audioRenditions + subtitleRenditions
        master.chapters = chapters
        master.variants = video.map { track in
            let rates = rates(of: track)
            return MasterPlaylist.Variant(
                uri: "\(track.folder)/\(HLSNames.playlist)", bandwidth: rates.peak + audioPeak,
                averageBandwidth: rates.average + audioAverage,
                codecs: codecs(beside: track),
                size: track.entry.size, frameRate: frameRate(of: track), audio: audio.isEmpty ? nil : Self.audioGroup,
                subtitles: subtitles.isEmpty ? nil : Self.subtitleGroup)
        }
        master.iFrameVariants = video.map { track in
            let playlist = iFramePlaylist(of: track)
            let rates = SegmentRates(
                Self.spans(of: track).map { ($0.seconds, $0.frame.bytes) },
                targetDuration: playlist.targetDuration ?? 1)
            return MasterPlaylist.Variant(
                uri: "\(track.folder)/\(HLSNames.keyFrames)", bandwidth: rates.peak,
                averageBandwidth: rates.average, codecs: track.entry.codec, size: track.entry.size)
        }
        return master
    }

    /// Returns the codecs of a variant without duplicates: those of its video and of all audio that may be played
    /// with it.
    private func codecs(beside track: PackagedTrack) -> String {
        let all = ([track] + audio.map(\.track)).compactMap(\.entry.codec)
        return all.indices.filter(all.isFirst(at:)).map { all[$0] }.joined(separator: ",")
    }

    /// The audio renditions. Players choose by language among autoselected renditions, so there is one per language, as
    /// of subtitles (RFC 8216, section 4.3.4.1.1).
    private var audioRenditions: [MasterPlaylist.Rendition] {
        let names = Self.distinct(audio.map { $0.title ?? $0.language?.name ?? Self.audioGroup })
        let languages = audio.map(\.language)
        return zip(audio, names).enumerated().map { index, track in
            MasterPlaylist.Rendition(
                type: "AUDIO", group: Self.audioGroup, name: track.1, language: languages[index]?.tag,
                isDefault: index == 0, isAutoselected: languages.isFirst(at: index),
                channels: track.0.channelCount.map(String.init), uri: "\(track.0.track.folder)/\(HLSNames.playlist)")
        }
    }

    private var subtitleRenditions: [MasterPlaylist.Rendition] {
        let names = Self.distinct(subtitles.map { $0.title ?? $0.language?.name ?? "Subtitles" })
        let languages = subtitles.map(\.language)
        return zip(subtitles, names).enumerated().map { index, track in
            MasterPlaylist.Rendition(
                type: "SUBTITLES", group: Self.subtitleGroup, name: track.1, language: languages[index]?.tag,
                isAutoselected: languages.isFirst(at: index), uri: "\(track.0.folder)/\(HLSNames.playlist)")
        }
    }

    /// Makes names unique by appending numbers.
    private static func distinct(_ wanted: [String]) -> [String] {
        var names: Set<String> = []
        return wanted.enumerated().map { index, name in
            var number = index + 1
            var unique = name
            while !names.insert(unique).inserted {
                unique = "\(name) \(number)"
                number += 1
            }
            return unique
        }
    }

    private func playlist(of track: PackagedSubtitles) -> MediaPlaylist {
        playlist(
            track.segments.map { MediaPlaylist.Segment(uri: $0.name, seconds: $0.seconds, key: key($0.iv)) })
    }

    private func rates(of track: PackagedTrack) -> SegmentRates {
        SegmentRates(
            track.segments.map { ($0.seconds, $0.bytes) }, targetDuration: playlist(of: track).targetDuration ?? 1)
    }

    /// Returns the frame rate of the plan if the track has it, or else the highest rate of a segment, snapped to a
    /// common rate within the rounding error of timestamps.
    private func frameRate(of track: PackagedTrack) -> Double {
        let measured =
            track.segments.filter { $0.seconds > 0 }.map { Double($0.frameCount) / $0.seconds }.max() ?? 0
        let known = [frameRate].compactMap(\.self) + Self.commonRates
        return known.first { abs($0 - measured) < 0.005 * $0 } ?? measured
    }

    private static let commonRates: [Double] = [24, 25, 30, 50, 60, 24_000 / 1001, 30_000 / 1001, 60_000 / 1001]
}

extension Array where Element: Equatable {
    /// Whether no element before the one at `index` equals it.
    fileprivate func isFirst(at index: Int) -> Bool { !self[..<index].contains(self[index]) }
}

/// Codec names with profiles, as defined by RFC 6381 and the codecs' bindings to ISO/IEC 14496-12.
package enum CodecString {
    /// Returns a name such as `avc1.640028`: ISO/IEC 14496-15, the three bytes after the version of an AVC decoder
    /// configuration.
    package static func avc(_ format: String, profile: UInt8, constraints: UInt8, level: UInt8) -> String {
        format + "." + [profile, constraints, level].hexadecimal
    }

    /// Returns a name such as `hvc1.1.6.L93.B0`: ISO/IEC 14496-15, annex E.
    package static func hevc(_ format: String, configuration: [UInt8]) -> String {
        guard configuration.count > 12 else { return format }
        let profile = ["", "A", "B", "C"][Int(configuration[1] >> 6)] + String(configuration[1] & 0x1F)
        let tier = configuration[1] & 0x20 == 0 ? "L" : "H"
        // The compatibility flags are in reverse bit order.
        var flags: UInt32 = 0
        for index in 0..<32 where configuration[2 + index / 8] & 0x80 >> UInt8(index % 8) != 0 {
            flags |= 1 << UInt32(index)
        }
        var constraints = Array(configuration[6..<12])
        while constraints.last == 0 { constraints.removeLast() }
        let start = [format, profile, String(flags, radix: 16, uppercase: true), tier + String(configuration[12])]
        return (start + constraints.map { String($0, radix: 16, uppercase: true) }).joined(separator: ".")
    }

    /// Returns a name such as `av01.0.08M.08`: AV1 Codec ISO Media File Format Binding, section 5. Optional parts are
    /// omitted.
    package static func av1(configuration: [UInt8]) -> String {
        guard configuration.count > 2 else { return "av01" }
        let level = String(configuration[1] & 0x1F, paddedTo: 2)
        let isHigh = configuration[2] & 0x80 != 0
        let depth = configuration[2] & 0x40 == 0 ? "08" : configuration[2] & 0x20 == 0 ? "10" : "12"
        return "av01.\(configuration[1] >> 5).\(level)\(isHigh ? "H" : "M").\(depth)"
    }
}

/// The bit rates of the segments of a rendition.
package struct SegmentRates: Hashable {
    /// The average bits per second.
    package var average: Int
    /// The highest rate of consecutive segments that together last 0.5 to 1.5 target durations: the peak segment bit
    /// rate of RFC 8216, section 4.1.
    package var peak: Int

    /// Calls `check` before each segment: a playlist of many short segments takes long.
    package init<Failure>(
        _ segments: [(seconds: Double, bytes: Int)], targetDuration: Int, check: () throws(Failure) -> Void
    ) throws(Failure) {
        let seconds = segments.reduce(0) { $0 + $1.seconds }
        let bytes = segments.reduce(0) { $0 + $1.bytes }
        let whole = Self.rate(bytes, seconds)
        let target = Double(max(1, targetDuration))
        var highest = 0.0
        for first in segments.indices {
            try check()
            var run = (seconds: 0.0, bytes: 0)
            for segment in segments[first...] {
                run.seconds += segment.seconds
                run.bytes += segment.bytes
                guard run.seconds <= 1.5 * target else { break }
                if run.seconds >= 0.5 * target { highest = max(highest, Self.rate(run.bytes, run.seconds)) }
                // Segments without a duration would extend the run forever.
                if segment.seconds <= 0 { break }
            }
        }
        average = Self.whole(whole)
        // If the whole rendition is shorter than half a target duration, or all segments are longer than 1.5, there
        // is no run.
        peak = Self.whole(highest > 0 ? highest : segments.map { Self.rate($0.bytes, $0.seconds) }.max() ?? 0)
    }

    init(_ segments: [(seconds: Double, bytes: Int)], targetDuration: Int) {
        self.init(segments, targetDuration: targetDuration, check: {})
    }

    private static func rate(_ bytes: Int, _ seconds: Double) -> Double {
        seconds > 0 ? Double(bytes) * 8 / seconds : 0
    }
    private static func whole(_ rate: Double) -> Int { Int(min(rate, 1e15).rounded(.up)) }
}
