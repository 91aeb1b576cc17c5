internal import WayreelCore
internal import WayreelVideo

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
    /// The name of the file with the chapters.
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
                step: "write",
                "\(track.folder) has a segment of \(longest.formatted(1)) s; "
                    + "players expect \(Self.maxSegmentSeconds.formatted(1)) s at most")
        }
    }

    private static let maxSegmentSeconds = 6.5

    // MARK: Media playlists

    private func playlist(of track: PackagedTrack) -> MediaPlaylist {
        var playlist = emptyPlaylist
        playlist.segments = track.segments.map { segment in
            MediaPlaylist.Segment(
                uri: segment.name, seconds: segment.seconds,
                initSegment: MediaPlaylist.InitSegment(uri: HLSNames.initSegment), key: key(segment.iv))
        }
        playlist.targetDuration = Self.targetDuration(playlist)
        return playlist
    }

    private func iFramePlaylist(of track: PackagedTrack) -> MediaPlaylist {
        var playlist = emptyPlaylist
        playlist.isIFramesOnly = true
        playlist.segments = Self.spans(of: track).map { frame, seconds in
            MediaPlaylist.Segment(
                uri: frame.name, seconds: seconds,
                range: frame.range.map { ByteRange(count: $0.count, offset: $0.lowerBound) },
                initSegment: MediaPlaylist.InitSegment(uri: HLSNames.initSegment), key: key(frame.iv))
        }
        playlist.targetDuration = Self.targetDuration(playlist)
        return playlist
    }

    private var emptyPlaylist: MediaPlaylist {
        var playlist = MediaPlaylist()
        playlist.version = Self.version
        playlist.isIndependent = true
        playlist.type = "VOD"
        playlist.isEnded = true
        return playlist
    }

    private func key(_ iv: [UInt8]?) -> MediaPlaylist.Key? {
        guard let keyURI, let iv else { return nil }
        return MediaPlaylist.Key(method: "AES-128", uri: keyURI, iv: iv)
    }

    /// Returns the rounded length of the longest segment.
    private static func targetDuration(_ playlist: MediaPlaylist) -> Int {
        max(1, Int((playlist.segments.map(\.seconds).max() ?? 1).rounded()))
    }

    /// Returns the keyframes, each with the time to the next one.
    private static func spans(of track: PackagedTrack) -> [(frame: PackagedKeyFrame, seconds: Double)] {
        let frames = track.segments.flatMap(\.keyFrames)
        let ends = frames.dropFirst().map(\.start) + [track.end]
        return zip(frames, ends).map { ($0, $1 - $0.start) }
    }

    // MARK: The master playlist

    private var master: MasterPlaylist {
        var master = MasterPlaylist()
        master.version = Self.version
        master.isIndependent = true
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
        master.renditions = audioRenditions
        master.renditions += subtitleRenditions
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
        return zip(audio.indices, names).map { index, name in
            let track = audio[index]
            return MasterPlaylist.Rendition(
                type: "AUDIO", group: Self.audioGroup, name: name, language: track.language?.tag,
                isDefault: index == 0, isAutoselected: languages.isFirst(at: index),
                channels: track.channelCount.map(String.init), uri: "\(track.track.folder)/\(HLSNames.playlist)")
        }
    }

    private var subtitleRenditions: [MasterPlaylist.Rendition] {
        let names = Self.distinct(subtitles.map { $0.title ?? $0.language?.name ?? "Subtitles" })
        let languages = subtitles.map(\.language)
        return zip(subtitles.indices, names).map { index, name in
            let track = subtitles[index]
            return MasterPlaylist.Rendition(
                type: "SUBTITLES", group: Self.subtitleGroup, name: name, language: track.language?.tag,
                isAutoselected: languages.isFirst(at: index), uri: "\(track.folder)/\(HLSNames.playlist)")
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
        var playlist = emptyPlaylist
        playlist.segments = track.segments.map { segment in
            MediaPlaylist.Segment(uri: segment.name, seconds: segment.seconds, key: key(segment.iv))
        }
        playlist.targetDuration = Self.targetDuration(playlist)
        return playlist
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
