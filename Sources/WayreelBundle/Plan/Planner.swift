internal import WayreelCore
internal import WayreelImage
internal import WayreelLevels
internal import WayreelStory
internal import WayreelTasks
internal import WayreelVideo

/// Plans the tasks of a story in its order: one for each distinct combination of file and screen.
struct Planner {
    let story: Story
    let options: PrepareOptions
    let folder: StoryFolder
    let recipes: [String: Recipe]
    let sources: [String: Result<SourceFile, MediaError>]
    let costs: CostModel
    let tools: String

    private var tasks: [PlannedTask] = []
    /// The indices of ``tasks`` by their keys. Media that are used twice are prepared once.
    private var indices: [String: Int] = [:]
    private var failures: [PreparePlan.Failure] = []
    private var warnings: [String] = []
    /// The videos with captions.
    private let captioned: Set<String>

    init(
        story: Story, options: PrepareOptions, folder: StoryFolder, recipes: [String: Recipe],
        sources: [String: Result<SourceFile, MediaError>], costs: CostModel, tools: String
    ) {
        self.story = story
        self.options = options
        self.folder = folder
        self.recipes = recipes
        self.sources = sources
        self.costs = costs
        self.tools = tools
        captioned = Set(story.scrapbooks.flatMap(\.videos).filter { $0.captions != nil }.map(\.source))
    }

    mutating func plan(_ requests: [MediaRequest]) throws(MediaError) {
        var failed: Set<String> = []
        for request in requests {
            switch sources[request.source] {
            case .success(let file):
                do throws(MediaError) { try plan(request, file) } catch {
                    // A file may fail as audio and as a video, for other reasons.
                    guard failed.insert("\(request.source)\n\(error.reason)").inserted else { continue }
                    failures.append(PreparePlan.Failure(source: request.source, error: error.naming(request.source)))
                }
            case .failure(let error):
                guard failed.insert(request.source).inserted else { continue }
                failures.append(PreparePlan.Failure(source: request.source, error: error))
            case nil: break
            }
        }
    }

    /// Returns the plan. `store` holds the outputs of finished tasks; it is nil if there is no bundle yet.
    func result(_ store: MediaStore?) throws(MediaError) -> PreparePlan {
        var tasks = tasks
        var warnings = warnings
        for index in tasks.indices {
            switch try store?.standing(of: tasks[index]) {
            case .finished(let known): tasks[index] = tasks[index].reusing(known)
            case .damaged(let path): warnings.append("\(path) is damaged or missing, and is made again")
            case .absent, nil: continue
            }
        }
        var inputs: [PreparePlan.Input] = []
        for case .success(let file) in sources.values {
            inputs.append(
                PreparePlan.Input(
                    source: file.source, path: file.path, bytes: file.content.bytes, sha256: file.content.hash,
                    stamp: file.content.stamp.text))
        }
        return PreparePlan(
            story: story, options: options, inputs: inputs.sorted { $0.source < $1.source }, tasks: tasks,
            failures: failures, treatments: treatments, warnings: warnings)
    }

    // MARK: Kinds

    private mutating func plan(_ request: MediaRequest, _ file: SourceFile) throws(MediaError) {
        switch request {
        case .image: try planImage(file)
        case .preview(_, let event): try planPreview(file, event)
        case .audio(_, let visualizer): try planAudio(file, visualizer)
        case .video: try planVideo(file)
        case .captions(_, let language): try planCaptions(file, language)
        case .treatment(_, let event):
            let type =
                if case .image(let image)? = file.probe { "image/\(image.format)" } else { "application/octet-stream" }
            let work = BundleWork.copy(CopyTask(input: file.path, output: "", options: .init(limits: options.limits)))
            let ending = file.source.fileExtension.map { ".\($0)" } ?? ""
            try add(
                .copy, work, [PlannedTask.Output(.treatment, "copy\(ending)", type: type)],
                PlannedTask.Use(source: file.source, event: event), file,
                CostModel.Work(name: "copy", units: 1, outputUnits: Double(file.content.bytes)))
        }
    }

    private mutating func planImage(_ file: SourceFile) throws(MediaError) {
        let image = try file.image
        if image.frames > 1, ["gif", "webp", "png", "jxl"].contains(image.format) {
            warnings.append("\(file.source): only the first of its \(image.frames) frames is shown")
        }
        for screen in options.screens {
            var framing = Framing(turnsScreen: false)
            let size = screen.size
            // A smaller image keeps its size, so that one file serves all screens.
            if size.width == 0 ? image.size.height > size.height : image.size.width > size.width {
                framing.screen =
                    size.width == 0
                    ? PixelSize(width: 0, height: size.height) : PixelSize(width: size.width, height: 0)
                framing.fit = size.width == 0 ? .height : .width
            }
            try addCapture(
                .image, CaptureOptions(framing: framing, encoding: encoding(image), limits: options.limits), image,
                .image, PlannedTask.Use(source: file.source, screen: screen.name), file)
        }
    }

    /// Plans a preview, which is framed like a player's capture: it fills the screen unless the recipe sets something
    /// else.
    private mutating func planPreview(_ file: SourceFile, _ event: String) throws(MediaError) {
        guard let recipe = recipes[event] else { return }
        let image = try file.image
        for screen in options.screens {
            var capture = CaptureOptions(
                recipe, over: CaptureOptions(encoding: encoding(image), limits: options.limits))
            if capture.framing.screen == nil { capture.framing.screen = screen.size }
            // A recipe's own size limit may use the full range of qualities.
            if recipe.output.maxBytes == nil { capture.encoding.limit(options) }
            try addCapture(
                .preview, capture, image, .preview,
                PlannedTask.Use(source: file.source, screen: screen.name, event: event), file)
        }
    }

    private mutating func planAudio(
        _ file: SourceFile, _ visualizer: RadioContent.Visualizer?
    ) throws(MediaError) {
        let media = try file.audio
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
            [PlannedTask.Output(.audio, "audio.m4a", type: "audio/mp4")], PlannedTask.Use(source: file.source), file,
            CostModel.Work(name: "audio/\(codec)", units: seconds, outputUnits: bytes / 16_000))
        guard let visualizer else { return }
        let levels = LevelsOptions(
            try visualizer.outputs(seconds: seconds), limits: options.audioLimits)
        try add(
            .levels, .levels(LevelsTask(input: file.path, outputs: ["", ""], options: levels)),
            [
                PlannedTask.Output(.levels, "levels.json", type: "application/json"),
                PlannedTask.Output(.plot, "plot.svg", type: "image/svg+xml"),
            ], PlannedTask.Use(source: file.source), file,
            CostModel.Work(name: "levels/\(codec)", units: seconds, outputUnits: seconds + Self.plotSeconds))
    }

    /// A plot is about as large as the levels of so many seconds.
    private static let plotSeconds = 7.5

    private mutating func planVideo(_ file: SourceFile) throws(MediaError) {
        let media = try file.video.media
        let isStreamed = media.seconds ?? 0 >= options.streamingSeconds
        // Text subtitles of the file itself are delivered with HLS.
        let isCaptioned = captioned.contains(file.source) || isStreamed && media.hasTextSubtitles
        if media.audio != nil, !isCaptioned {
            warnings.append("\(file.source): it has audio but no captions")
        }
        if isStreamed { try planTranscode(file, for: nil) }
        for screen in options.screens {
            if !isStreamed { try planTranscode(file, for: screen) }
            try planPoster(file, for: screen)
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
                PlannedTask.Output(.video, "hls", type: "application/vnd.apple.mpegurl", entry: "master.m3u8")
            ) : (.video, PlannedTask.Output(.video, "video.mp4", type: "video/mp4"))
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
            [PlannedTask.Output(.poster, "poster.\(encoding.format.extensions[0])", type: encoding.format.mediaType)],
            PlannedTask.Use(source: file.source, screen: screen.name), file,
            CostModel.Work(name: "poster", units: 1, outputUnits: Double((box ?? shown).pixels) / 1e6))
    }

    private mutating func planCaptions(_ file: SourceFile, _ language: String) throws(MediaError) {
        let captions = CaptionsOptions(language: language, limits: options.videoLimits)
        try add(
            .captions, .captions(CaptionsTask(input: file.path, output: "", options: captions)),
            [PlannedTask.Output(.captions, "captions.vtt", type: "text/vtt")], PlannedTask.Use(source: file.source),
            file, CostModel.Work(name: "captions", units: 1, outputUnits: Double(file.content.bytes)))
    }

    // MARK: Parts

    private func encoding(_ image: ImageProbe) -> Encoding {
        let format: Encoding.Format = options.imageFormat == .jpeg && image.hasAlpha ? .png : options.imageFormat
        var encoding = Encoding(format)
        // PNG is lossless and has no quality.
        if format != .png { encoding.quality = options.imageQuality }
        encoding.limit(options)
        return encoding
    }

    private mutating func addCapture(
        _ kind: PlannedTask.Kind, _ capture: CaptureOptions, _ image: ImageProbe, _ role: MediaRole,
        _ use: PlannedTask.Use, _ file: SourceFile
    ) throws(MediaError) {
        let format = capture.encoding.format
        let source = Double(image.size.pixels) / 1e6
        let width = capture.framing.screen.map { $0.width == 0 ? $0.height : $0.width } ?? image.size.width
        let share = min(1, Double(width) / Double(max(1, image.size.width)))
        try add(
            kind, .capture(CaptureTask(input: file.path, output: "", options: capture)),
            [PlannedTask.Output(role, "image.\(format.extensions[0])", type: format.mediaType)], use, file,
            CostModel.Work(
                name: "\(kind.rawValue)/\(image.format)/\(format.rawValue)", units: source,
                outputUnits: source * share * share,
                memoryBytes: CostModel.memoryBytes(
                    format: image.format, isProgressive: image.isProgressive, megapixels: source)))
    }

    /// Adds a task, or a further use of one with the same key.
    private mutating func add(
        _ kind: PlannedTask.Kind, _ work: BundleWork, _ outputs: [PlannedTask.Output], _ use: PlannedTask.Use,
        _ file: SourceFile, _ cost: CostModel.Work
    ) throws(MediaError) {
        var named: [String: String] = [:]
        for path in work.task.namedFiles {
            guard let source = folder.source(of: path), case .success(let file) = sources[source] else { continue }
            named[path] = file.content.hash
        }
        let key = try TaskKey.key(
            of: work.moved(input: file.content.hash, outputs: outputs.map(\.name)), kind, files: named, tools: tools)
        if let index = indices[key] {
            if !tasks[index].uses.contains(use) { tasks[index].uses.append(use) }
            return
        }
        indices[key] = tasks.count
        tasks.append(
            PlannedTask(
                key: key, kind: kind, work: work.moved(input: file.path, outputs: outputs.map(\.name)),
                outputs: outputs, uses: [use], predicted: costs.prediction(for: cost), cost: cost, isReused: false))
    }

    /// The treatments of all camera events, with the paths of files as in the story.
    private var treatments: [EventTreatment] {
        recipes.sorted { $0.key < $1.key }.map { event, recipe in
            var capture = CaptureOptions(recipe)
            capture.filters = capture.filters.map { $0.renamingFiles { folder.source(of: $0) ?? $0 } }
            capture.overlays = capture.overlays.map { $0.renamingFile { folder.source(of: $0) ?? $0 } }
            return EventTreatment(event: event, options: capture)
        }
    }
}

extension RadioContent.Visualizer {
    /// Returns the levels output for the visualizer, and a plot of the whole audio.
    fileprivate func outputs(seconds: Double) throws(MediaError) -> [LevelsOutput] {
        guard let rate = Rational(Int((self.rate * 1000).rounded()), 1000) else {
            throw MediaError(
                .parameter, step: "plan",
                reason: "a visualizer with \(self.rate.shortDescription) readings per second is not supported")
        }
        var encoding = LevelsEncoding(.json, grid: .rate(rate))
        encoding.meter = MeterBallistics(rawValue: meter)
        return [
            .data(encoding), .plot(LevelsPlot(style: LevelsPlot.Style(rawValue: style) ?? .bars), .svg),
        ]
    }
}

extension Story {
    fileprivate var scrapbooks: [ScrapbookContent] {
        chapters.flatMap(\.events).flatMap(\.contents).compactMap { content in
            if case .scrapbook(let scrapbook) = content { scrapbook } else { nil }
        }
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

extension Encoding {
    /// Sets the maximum size of a file, and the current quality as the maximum quality.
    fileprivate mutating func limit(_ options: PrepareOptions) {
        maxBytes = options.maxFileBytes
        maxQuality = maxBytes == nil || !hasQuality ? nil : quality
    }
}

extension SourceFile {
    fileprivate var image: ImageProbe {
        get throws(MediaError) {
            guard case .image(let image)? = probe else {
                throw MediaError(
                    .parameter, step: "plan", subject: source,
                    reason: "is audio or video, where the story names an image")
            }
            return image
        }
    }

    fileprivate var audio: MediaInfo {
        get throws(MediaError) {
            guard case .media(let probe)? = probe, probe.media.audio != nil else {
                throw MediaError(.parameter, step: "plan", subject: source, reason: "holds no audio")
            }
            return probe.media
        }
    }

    fileprivate var video: (media: MediaInfo, frame: VideoProperties) {
        get throws(MediaError) {
            guard case .media(let probe)? = probe, let properties = probe.media.video?.videoProperties else {
                throw MediaError(.parameter, step: "plan", subject: source, reason: "is not video")
            }
            return (probe.media, properties)
        }
    }
}
