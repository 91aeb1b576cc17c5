internal import WayreelAV
internal import WayreelCore

/// The audio tracks of a file to deliver, the default one first.
struct AudioChoice {
    /// An audio track of a file.
    struct Track {
        var stream: MediaStream
        var format: AudioFormat
        /// The number among the audio tracks of the file, from 1.
        var number: Int
    }

    let tracks: [Track]
    let warnings: [String]

    private static let maxTracks = 24

    /// Throws a `parameter` error if the file has no such track, an `unsupported` error if a track is encrypted.
    init(_ info: MediaInfo, _ settings: AudioSettings) throws(MediaError) {
        guard !settings.isDropped else {
            (tracks, warnings) = ([], [])
            return
        }
        let all = info.streams.filter { $0.kind == .audio }
        let (chosen, missing) = try Self.choose(all, settings)
        for stream in chosen { try stream.checkIsClear(step: "plan") }
        let unplayable = chosen.filter { !$0.isPlayable }.map {
            "the audio (\($0.codec)) cannot be decoded; it is left out"
        }
        tracks = chosen.filter(\.isPlayable).compactMap { stream in
            stream.format.map { Track(stream: stream, format: $0, number: (all.firstIndex(of: stream) ?? 0) + 1) }
        }
        warnings = missing.map { "there is no audio track in \($0)" } + unplayable
        guard tracks.count <= Self.maxTracks else {
            throw MediaError(
                .parameter, step: "plan",
                reason: "\(tracks.count) audio tracks are selected; at most \(Self.maxTracks) can be kept",
                advice: "choose among them with \(.languages)")
        }
    }

    /// Chooses tracks, and returns the requested languages that no track has as well.
    private static func choose(
        _ all: [MediaStream], _ settings: AudioSettings
    ) throws(MediaError) -> (chosen: [MediaStream], missing: [String]) {
        if let number = settings.track { return ([try track(number, of: all)], []) }
        guard !settings.languages.isEmpty else {
            guard let preferred = preferred(of: all) else { return ([], []) }
            return ([preferred] + (settings.keepsAll ? all.filter { $0 != preferred } : []), [])
        }
        var (chosen, missing): ([MediaStream], [String]) = ([], [])
        for language in settings.languages {
            let matching = all.filter { $0.isInLanguage(language) }
            if matching.isEmpty { missing.append(language) }
            let kept = settings.keepsAll ? matching : [preferred(of: matching)].compactMap(\.self)
            chosen += kept.filter { !chosen.contains($0) }
        }
        guard !chosen.isEmpty || all.isEmpty else {
            let known = all.map { $0.language ?? "no language" }.joined(separator: ", ")
            throw MediaError(
                .parameter, step: "plan",
                reason:
                    "has no audio track in \(settings.languages.joined(separator: " or ")); its tracks are in \(known)",
                advice: "name one of these, or use \(.keepsAll)")
        }
        return (chosen, missing)
    }

    private static func track(_ number: Int, of all: [MediaStream]) throws(MediaError) -> MediaStream {
        guard all.indices.contains(number &- 1) else {
            throw MediaError(
                .parameter, step: "plan", reason: "has no audio track \(number); it has \(all.count)",
                advice: all.count < 2 ? "leave \(.track) out" : "use \(.track) 1 to \(all.count)")
        }
        return all[number - 1]
    }

    /// Returns the default track if it can be decoded, else the first track that can, else the first.
    private static func preferred(of all: [MediaStream]) -> MediaStream? {
        let playable = all.filter(\.isPlayable)
        return playable.first(where: \.isDefault) ?? playable.first ?? all.first
    }
}

extension MediaStream {
    /// Whether it is audio that FFmpeg can decode.
    var isPlayable: Bool {
        guard let format else { return false }
        return codec != "unknown" && format.sampleRate > 0 && !format.channels.isEmpty
    }

    /// Whether the stream is in a language; a code without a region matches all regions.
    fileprivate func isInLanguage(_ text: String) -> Bool {
        guard let own = language.flatMap({ LanguageCode($0) }), let wanted = LanguageCode(text) else { return false }
        return own == wanted || own.tag.hasPrefix("\(wanted.tag)-")
    }
}
