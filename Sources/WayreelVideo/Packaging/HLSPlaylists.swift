internal import WayreelCore

/// An audio track of a package, as players are told of it.
struct PackagedAudio {
    var track: PackagedTrack
    var language: LanguageCode?
    /// What players call it.
    var title: String?
    var channelCount: Int?
}

/// The playlists of a package, made from what was written.
struct HLSPlaylists {
    /// The renditions, the first variant first.
    var pictures: [PackagedTrack]
    /// The default track first.
    var audio: [PackagedAudio] = []
    var subtitles: [PackagedSubtitles] = []
    /// The name of the file with the chapters.
    var chapters: String?
    /// What players ask for the key by; nil: nothing is encrypted.
    var keyAddress: String?
    /// Pictures a second, where the plan has them stand on a grid.
    var frameRate: Double?

    private static let version = 7
    private static let soundGroup = "sound"
    private static let subtitleGroup = "subtitles"

    /// Names in the package, and texts.
    var files: [(name: String, text: String)] {
        let media = (pictures + audio.map(\.track)).map {
            ("\($0.folder)/\(HLSNames.playlist)", playlist(of: $0).text)
        }
        let keyFrames = pictures.map { ("\($0.folder)/\(HLSNames.keyFrames)", keyFramePlaylist(of: $0).text) }
        let texts = subtitles.map { ("\($0.folder)/\(HLSNames.playlist)", playlist(of: $0).text) }
        return [(HLSNames.master, master.text)] + media + keyFrames + texts
    }

    var warnings: [MediaWarning] {
        pictures.compactMap { track in
            let longest = track.segments.map(\.seconds).max() ?? 0
            guard longest > Self.longestSegment else { return nil }
            return MediaWarning(
                step: "write",
                "\(track.folder) has a segment of \(longest.decimals(1)) s; "
                    + "players expect \(Self.longestSegment.decimals(1)) s at most")
        }
    }

    private static let longestSegment = 6.5

    // MARK: Media playlists

    private func playlist(of track: PackagedTrack) -> MediaPlaylist {
        var playlist = emptyPlaylist
        playlist.segments = track.segments.map { segment in
            MediaPlaylist.Segment(
                address: segment.name, seconds: segment.seconds,
                header: MediaPlaylist.Header(address: HLSNames.header), key: key(segment.vector))
        }
        playlist.targetDuration = Self.targetDuration(playlist)
        return playlist
    }

    private func keyFramePlaylist(of track: PackagedTrack) -> MediaPlaylist {
        var playlist = emptyPlaylist
        playlist.isOfKeyFrames = true
        playlist.segments = Self.spans(of: track).map { frame, seconds in
            MediaPlaylist.Segment(
                address: frame.name, seconds: seconds,
                range: frame.range.map { ByteRange(count: $0.count, offset: $0.lowerBound) },
                header: MediaPlaylist.Header(address: HLSNames.header), key: key(frame.vector))
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

    private func key(_ vector: [UInt8]?) -> MediaPlaylist.Key? {
        guard let keyAddress, let vector else { return nil }
        return MediaPlaylist.Key(method: "AES-128", address: keyAddress, vector: vector)
    }

    /// No segment's length, rounded, is above it.
    private static func targetDuration(_ playlist: MediaPlaylist) -> Int {
        max(1, Int((playlist.segments.map(\.seconds).max() ?? 1).rounded()))
    }

    /// Key frames, each with the time to the next.
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
        guard !pictures.isEmpty else {
            master.variants = zip(audio.map(\.track), audioRates).map { track, rates in
                MasterPlaylist.Variant(
                    address: "\(track.folder)/\(HLSNames.playlist)", bandwidth: rates.peak,
                    averageBandwidth: rates.average, codecs: track.entry.codec)
            }
            return master
        }
        master.renditions = audioRenditions
        master.renditions += subtitleRenditions
        master.chapters = chapters
        master.variants = pictures.map { track in
            let rates = rates(of: track)
            return MasterPlaylist.Variant(
                address: "\(track.folder)/\(HLSNames.playlist)", bandwidth: rates.peak + audioPeak,
                averageBandwidth: rates.average + audioAverage,
                codecs: codecs(beside: track),
                size: track.entry.size, frameRate: frameRate(of: track), audio: audio.isEmpty ? nil : Self.soundGroup,
                subtitles: subtitles.isEmpty ? nil : Self.subtitleGroup)
        }
        master.keyFrameVariants = pictures.map { track in
            let playlist = keyFramePlaylist(of: track)
            let rates = SegmentRates(
                Self.spans(of: track).map { ($0.seconds, $0.frame.bytes) },
                targetDuration: playlist.targetDuration ?? 1)
            return MasterPlaylist.Variant(
                address: "\(track.folder)/\(HLSNames.keyFrames)", bandwidth: rates.peak,
                averageBandwidth: rates.average, codecs: track.entry.codec, size: track.entry.size)
        }
        return master
    }

    /// Of a variant: that of its pictures and of all audio that may be played with them, each once.
    private func codecs(beside track: PackagedTrack) -> String {
        let all = ([track] + audio.map(\.track)).compactMap(\.entry.codec)
        return all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }.joined(separator: ",")
    }

    /// A player chooses by language among those that it may choose itself: one in each (RFC 8216, section 4.3.4.1.1).
    private var audioRenditions: [MasterPlaylist.Rendition] {
        let names = Self.distinct(audio.map { $0.title ?? $0.language?.name ?? Self.soundGroup })
        return zip(audio.indices, names).map { index, name in
            let track = audio[index]
            return MasterPlaylist.Rendition(
                type: "AUDIO", group: Self.soundGroup, name: name, language: track.language?.tag,
                isDefault: index == 0, isAutoselected: !audio[..<index].contains { $0.language == track.language },
                channels: track.channelCount.map(String.init), address: "\(track.track.folder)/\(HLSNames.playlist)")
        }
    }

    private var subtitleRenditions: [MasterPlaylist.Rendition] {
        let names = Self.distinct(subtitles.map { $0.title ?? $0.language?.name ?? "Subtitles" })
        return zip(subtitles, names).map { track, name in
            MasterPlaylist.Rendition(
                type: "SUBTITLES", group: Self.subtitleGroup, name: name, language: track.language?.tag,
                address: "\(track.folder)/\(HLSNames.playlist)")
        }
    }

    /// Names of which each is another one: a number follows what was there before.
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
            MediaPlaylist.Segment(address: segment.name, seconds: segment.seconds, key: key(segment.vector))
        }
        playlist.targetDuration = Self.targetDuration(playlist)
        return playlist
    }

    private func rates(of track: PackagedTrack) -> SegmentRates {
        SegmentRates(
            track.segments.map { ($0.seconds, $0.bytes) }, targetDuration: playlist(of: track).targetDuration ?? 1)
    }

    /// The plan's where pictures stand on its grid without many left out, else the most that begin in a second of a segment,
    /// brought to a rate of the field that is as near as the rounding of times.
    private func frameRate(of track: PackagedTrack) -> Double {
        let measured =
            track.segments.filter { $0.seconds > 0 }.map { Double($0.pictureCount) / $0.seconds }.max() ?? 0
        let known = [frameRate].compactMap(\.self) + Self.commonRates
        return known.first { abs($0 - measured) < 0.005 * $0 } ?? measured
    }

    private static let commonRates: [Double] = [24, 25, 30, 50, 60, 24_000 / 1001, 30_000 / 1001, 60_000 / 1001]
}
