internal import WayreelAV
internal import WayreelCore

/// The audio tracks of a file to deliver, the default one first.
struct AudioChoice {
    /// An audio track of a file, or several that hold one channel each of a recording.
    struct Track {
        /// One stream, or those of the channels.
        var streams: [MediaStream]
        var format: AudioFormat
        /// The numbers of the streams among the audio tracks of the file, from 1.
        var numbers: [Int]

        /// `all`: the audio streams of the file. Returns nil for a stream whose format is not known.
        init?(_ streams: [MediaStream], of all: [MediaStream]) {
            guard var format = streams.first?.format else { return nil }
            if streams.count > 1 { format.channels = streams.compactMap(\.soleChannel) }
            (self.streams, self.format) = (streams, format)
            numbers = streams.compactMap { stream in all.firstIndex { $0.index == stream.index }.map { $0 + 1 } }
        }
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
        let (chosen, missing) = try Self.choose(info, all, settings)
        for stream in chosen { try stream.checkIsClear(step: "plan") }
        let undecodable = chosen.compactMap { stream in stream.undecodable.map { "\($0); the audio is left out" } }
        let isSingle = settings.track != nil
        tracks = chosen.filter { $0.undecodable == nil }.compactMap { stream in
            Track(isSingle ? [stream] : info.recording(of: stream), of: all)
        }
        warnings = missing.map { "there is no audio track in \($0)" } + undecodable
        guard tracks.count <= Self.maxTracks else {
            throw MediaError(
                .parameter, step: "plan",
                reason: "\(tracks.count) audio tracks are selected; at most \(Self.maxTracks) can be kept",
                advice: "choose among them with \(.languages)")
        }
    }

    /// Chooses tracks, and returns the requested languages that no track has as well.
    private static func choose(
        _ info: MediaInfo, _ all: [MediaStream], _ settings: AudioSettings
    ) throws(MediaError) -> (chosen: [MediaStream], missing: [String]) {
        if let number = settings.track { return ([try track(number, of: all)], []) }
        var chosen: [MediaStream] = []
        /// Adds a stream, unless the recording that it is a channel of was added.
        func add(_ stream: MediaStream) {
            let first = info.recording(of: stream)[0]
            if !chosen.contains(first) { chosen.append(first) }
        }
        guard !settings.languages.isEmpty else {
            guard let preferred = info.audio else { return ([], []) }
            for stream in [preferred] + (settings.keepsAll ? all : []) { add(stream) }
            return (chosen, [])
        }
        var missing: [String] = []
        for language in settings.languages {
            let matching = all.filter { $0.isInLanguage(language) }
            if matching.isEmpty { missing.append(language) }
            let kept = settings.keepsAll ? matching : [MediaInfo.preferred(among: matching)].compactMap(\.self)
            for stream in kept { add(stream) }
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
}

extension MediaStream {
    /// Whether the stream is in a language; a code without a region matches all regions.
    fileprivate func isInLanguage(_ text: String) -> Bool {
        guard let own = language.flatMap({ LanguageCode($0) }), let wanted = LanguageCode(text) else { return false }
        return own == wanted || own.tag.hasPrefix("\(wanted.tag)-")
    }
}
