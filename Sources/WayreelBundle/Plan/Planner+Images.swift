internal import WayreelCore
internal import WayreelImage
internal import WayreelTasks

/// The images of a story, and those of its previews.
extension Planner {
    mutating func planImage(_ file: SourceFile) throws(MediaError) {
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
    mutating func planPreview(_ file: SourceFile, _ event: String, _ language: String) throws(MediaError) {
        guard let recipe = recipes.treatment(of: event, in: language)?.recipe else { return }
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
            [PlannedTask.Output(role: role, name: "image.\(format.extensions[0])", type: format.mediaType)], use, file,
            CostModel.Work(
                name: "\(kind.rawValue)/\(image.format)/\(format.rawValue)", units: source,
                outputUnits: source * share * share, memoryBytes: CostModel.memoryBytes(of: image)))
    }
}

extension Encoding {
    /// Sets the maximum size of a file, and the current quality as the maximum quality.
    mutating func limit(_ options: PrepareOptions) {
        maxBytes = options.maxFileBytes
        maxQuality = maxBytes == nil || !hasQuality ? nil : quality
    }
}

extension SourceFile {
    fileprivate var image: ImageProbe {
        get throws(MediaError) {
            guard case .image(let image)? = probe else {
                throw MediaError(
                    .parameter, step: .plan, subject: source,
                    reason: "is audio or video, where the story names an image")
            }
            return image
        }
    }
}
