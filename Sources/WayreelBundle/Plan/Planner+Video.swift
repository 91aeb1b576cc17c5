internal import WayreelCore
internal import WayreelImage
internal import WayreelStory
internal import WayreelTasks
internal import WayreelVideo

/// Videos, with their posters and captions.
extension Planner {
    mutating func planVideo(_ file: SourceFile) throws(MediaError) {
        let media = try file.video.media
        let isStreamed = media.seconds ?? 0 >= options.streamingSeconds
        // Text subtitles of the file itself are delivered with HLS.
        let isCaptioned = captioned.contains(file.source) || isStreamed && media.hasTextSubtitles
        if media.audio != nil, !isCaptioned {
            warnings.append("\(file.source): it has audio but no captions")
        }
        warnOfLateCaptions(of: file, media)
        if isStreamed { try planTranscode(file, for: nil) }
        for screen in options.screens {
            if !isStreamed { try planTranscode(file, for: screen) }
            try planPoster(file, for: screen)
        }
    }

    /// Warns of captions that belong to another or a longer file.
    mutating func warnOfLateCaptions(of file: SourceFile, _ media: MediaInfo, _ noun: String = "video") {
        guard let seconds = media.seconds else { return }
        for captions in stories.flatMap({ $0.captions(of: file.source) }) {
            guard case .success(let text) = sources[captions.source],
                let warning = CaptionCues.warning(ofFile: text.path, beyond: seconds, of: noun)
            else { continue }
            let line = "\(captions.source): \(warning)"
            if !warnings.contains(line) { warnings.append(line) }
        }
    }

    /// Plans an MP4 file for a screen, or HLS for all screens.
    private mutating func planTranscode(_ file: SourceFile, for screen: Screen?) throws(MediaError) {
        let (media, frame) = try file.video
        let box = screen?.size.video(from: frame.displayedSize)
        var video = VideoSettings(codec: options.videoCodec, preset: options.videoPreset)
        if let bytes = options.maxFileBytes, screen != nil { video.rate = .maxBytes(bytes) }
        let transcode = TranscodeOptions(
            framing: Framing(screen: box, fit: .contain), video: video,
            audio: AudioSettings(bitRate: options.audioBitRate),
            delivery: screen == nil ? .hls(HLSOptions()) : .mp4, limits: options.videoLimits)
        let (kind, output) =
            screen == nil
            ? (
                PlannedTask.Kind.stream,
                PlannedTask.Output(
                    role: .video, name: "hls", type: "application/vnd.apple.mpegurl", entry: "master.m3u8")
            ) : (.video, PlannedTask.Output(role: .video, name: "video.mp4", type: "video/mp4"))
        let pixels = Double((box ?? frame.displayedSize).pixels)
        let megapixels = pixels * (frame.frameRate?.value ?? 30) * (media.seconds ?? 0) / 1e6
        try add(
            kind, .transcode(TranscodeTask(input: file.path, output: "", options: transcode)), [output],
            PlannedTask.Use(source: file.source, screen: screen?.name), file,
            CostModel.Work(
                name: "\(kind.rawValue)/\(options.videoCodec.rawValue)", units: megapixels, outputUnits: megapixels))
    }

    private mutating func planPoster(_ file: SourceFile, for screen: Screen) throws(MediaError) {
        let shown = try file.video.frame.displayedSize
        let box = screen.size.video(from: shown)
        var encoding = Encoding(
            options.imageFormat == .png ? .jpeg : options.imageFormat, quality: options.imageQuality)
        encoding.limit(options)
        let poster = PosterOptions(
            framing: Framing(screen: box, fit: .contain), encoding: encoding, limits: options.videoLimits)
        try add(
            .poster, .poster(PosterTask(input: file.path, output: "", options: poster)),
            [
                PlannedTask.Output(
                    role: .poster, name: "poster.\(encoding.format.extensions[0])", type: encoding.format.mediaType)
            ],
            PlannedTask.Use(source: file.source, screen: screen.name), file,
            CostModel.Work(name: "poster", units: 1, outputUnits: Double((box ?? shown).pixels) / 1e6))
    }

    mutating func planCaptions(_ file: SourceFile, _ language: String) throws(MediaError) {
        let captions = CaptionsOptions(language: language, limits: options.videoLimits)
        try add(
            .captions, .captions(CaptionsTask(input: file.path, output: "", options: captions)),
            [PlannedTask.Output(role: .captions, name: "captions.vtt", type: "text/vtt")],
            PlannedTask.Use(source: file.source),
            file, CostModel.Work(name: "captions", units: 1, outputUnits: Double(file.content.bytes)))
    }
}

extension PixelSize {
    /// Returns the box of the screen that video of this size is fitted into; nil if the video already fits.
    fileprivate func video(from source: PixelSize) -> PixelSize? {
        if width == 0 || height == 0 {
            let isSmall = width == 0 ? source.height <= height : source.width <= width
            return isSmall ? nil : self
        }
        return source.longerSide <= longerSide && source.shorterSide <= shorterSide ? nil : self
    }
}

extension SourceFile {
    fileprivate var video: (media: MediaInfo, frame: VideoProperties) {
        get throws(MediaError) {
            guard case .media(let probe)? = probe, let properties = probe.media.video?.videoProperties else {
                throw MediaError(.parameter, step: .plan, subject: source, reason: "is not video")
            }
            return (probe.media, properties)
        }
    }
}
