internal import WayreelCore
internal import WayreelLevels
internal import WayreelStory
internal import WayreelTasks
internal import WayreelVideo

/// The audio of radios, with its levels.
extension Planner {
    mutating func planAudio(
        _ file: SourceFile, _ visualizer: RadioContent.Visualizer?
    ) throws(MediaError) {
        let media = try file.audio
        warnOfLateCaptions(of: file, media, "audio")
        if arrivalSounds.contains(file.source), let warning = Arrival.warning(ofSoundWith: media.seconds) {
            let line = "\(file.source): \(warning)"
            if !warnings.contains(line) { warnings.append(line) }
        }
        let seconds = media.seconds ?? 0
        let codec = media.audio?.codec ?? "audio"
        var transcode = TranscodeOptions(
            video: VideoSettings(isDropped: true), audio: AudioSettings(bitRate: options.audioBitRate), delivery: .mp4,
            limits: options.videoLimits)
        if let bytes = options.maxFileBytes { transcode.video.rate = .maxBytes(bytes) }
        // A copy has the bit rate of the source.
        let bitRate = (try? TranscodePlan(of: media, transcode))?.audio.first?.bitRate ?? options.audioBitRate
        let bytes = min(seconds * Double(bitRate) / 8, Double(options.maxFileBytes ?? .max))
        try add(
            .audio, .transcode(TranscodeTask(input: file.path, output: "", options: transcode)),
            [PlannedTask.Output(role: .audio, name: "audio.m4a", type: "audio/mp4")],
            PlannedTask.Use(source: file.source), file,
            CostModel.Work(name: "audio/\(codec)", units: seconds, outputUnits: bytes / 16_000))
        guard let visualizer else { return }
        let levels = LevelsOptions(
            try visualizer.outputs(seconds: seconds), limits: options.audioLimits)
        try add(
            .levels, .levels(LevelsTask(input: file.path, outputs: ["", ""], options: levels)),
            [
                PlannedTask.Output(role: .levels, name: "levels.json", type: "application/json"),
                PlannedTask.Output(role: .plot, name: "plot.svg", type: "image/svg+xml"),
            ], PlannedTask.Use(source: file.source), file,
            CostModel.Work(name: "levels/\(codec)", units: seconds, outputUnits: seconds + Self.plotSeconds))
    }

    /// A plot is about as large as the levels of so many seconds.
    private static let plotSeconds = 7.5
}

extension RadioContent.Visualizer {
    /// Returns the levels output for the visualizer, and a plot of the whole audio.
    fileprivate func outputs(seconds: Double) throws(MediaError) -> [LevelsOutput] {
        guard let rate = Rational(Int((self.rate * 1000).rounded()), 1000) else {
            throw MediaError(
                .parameter, step: .plan,
                reason: "a visualizer with \(self.rate.shortDescription) readings per second is not supported")
        }
        var encoding = LevelsEncoding(.json, grid: .rate(rate))
        encoding.meter = MeterBallistics(rawValue: meter)
        return [
            .data(encoding), .plot(LevelsPlot(style: LevelsPlot.Style(rawValue: style) ?? .bars), .svg),
        ]
    }
}

extension SourceFile {
    fileprivate var audio: MediaInfo {
        get throws(MediaError) {
            guard case .media(let probe)? = probe, probe.media.audio != nil else {
                throw MediaError(.parameter, step: .plan, subject: source, reason: "holds no audio")
            }
            return probe.media
        }
    }
}
