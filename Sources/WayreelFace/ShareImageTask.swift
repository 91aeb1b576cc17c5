public import WayreelCore
internal import WayreelDrawing
internal import WayreelImage

/// What is on the image that other programs show beside a link to a story (Open Graph).
public struct ShareImageOptions: Hashable, Sendable, Codable {
    /// The size that programs ask for.
    public static let size = PixelSize(width: 1200, height: 630)
    /// The most bytes; some programs ignore larger images.
    public static let maxBytes = 300_000

    /// The story's name.
    public var title: String
    /// The house's name; nil to leave it out.
    public var house: String?
    /// The path of the cover; nil for the house's colour.
    public var cover: String?
    /// Whether the story's language is written from right to left.
    public var isRightToLeft: Bool
    public var look: HouseLook
    /// The most bytes of the image.
    public var maxBytes: Int
    public var limits: Limits

    public init(
        title: String, house: String? = nil, cover: String? = nil, isRightToLeft: Bool = false, look: HouseLook,
        maxBytes: Int = Self.maxBytes, limits: Limits = .standard
    ) {
        self.title = title
        self.house = house
        self.cover = cover
        self.isRightToLeft = isRightToLeft
        self.look = look
        self.maxBytes = maxBytes
        self.limits = limits
    }
}

/// Draws the image of a story for links to it, as JPEG: its name on its cover, with the house's name and logo.
public struct ShareImageTask: MediaTask {
    /// The cover, else the logo, else the font; empty if there is none.
    public var input: String
    public var output: String
    public var options: ShareImageOptions

    public init(output: String, options: ShareImageOptions) {
        input = options.cover ?? options.look.logo ?? options.look.font ?? ""
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var namedFiles: [String] { [options.cover].compactMap(\.self) + options.look.files }
    public var maxSeconds: Double { options.limits.seconds }
    /// Text is laid out by one call of Pango.
    public var isolationNeed: IsolationNeed { .work }

    public func makePipeline() throws(MediaError) -> ShareImagePipeline { ShareImagePipeline(options) }
}

/// Runs tasks of images for links.
public struct ShareImagePipeline: MediaPipeline {
    let options: ShareImageOptions

    init(_ options: ShareImageOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: ShareImageTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, threads: threads, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let files = try context.step(.open) { () throws(MediaError) in
                try HouseFiles(options.look, limits: options.limits, task: context)
            }
            let image = try context.step(.draw) { () throws(MediaError) in try draw(files, context) }
            let bytes = try context.step(.encode) { () throws(MediaError) in
                var encoding = Encoding(.jpeg)
                (encoding.maxBytes, encoding.maxQuality) = (options.maxBytes, 88)
                return try ImageEncoders.encode(image, as: encoding, metadata: OutputMetadata(), task: context).bytes
            }
            try context.step(.write) { () throws(MediaError) in
                try OutputFile.write(bytes, to: task.output, ifExists: ifExists)
            }
            report.output = TaskReport.Media(
                path: task.output, format: "jpeg", width: image.width, height: image.height, bytes: bytes.count)
        }
    }

    // MARK: Drawing

    private static let (margin, bar) = (64.0, 16.0)
    /// The darkest of a cover, at its end: white text on a white cover then has a contrast of 5.6.
    private static let (lightest, darkest): (Float, Float) = (0.9, 0.4)

    private func draw(_ files: HouseFiles, _ context: TaskContext) throws(MediaError) -> Image {
        let size = ShareImageOptions.size
        let area = Rectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let surface = try PixelSurface(size: size, format: .rgb24)
        let canvas = Canvas(on: surface)
        canvas.rectangle(area)
        canvas.fill(options.look.color)
        let text = options.cover == nil ? options.look.text : .white
        let title = try self.title(files, width: area.width - 2 * Self.margin)
        let foot = area.maxY - Self.margin - (options.cover == nil ? 0 : Self.bar)
        let top = foot - title.logicalBounds.height
        if let cover = options.cover {
            canvas.draw(try self.cover(cover, of: size, above: top), x: 0, y: 0)
            canvas.rectangle(Rectangle(x: 0, y: area.maxY - Self.bar, width: area.width, height: Self.bar))
            canvas.fill(options.look.color)
        }
        try drawHead(files, on: canvas, in: area, text)
        canvas.drawText(title, x: Self.margin, y: top, color: text)
        try canvas.drawColorGlyphs(of: title, x: Self.margin, y: top)
        try canvas.finish()
        return try surface.image()
    }

    /// The cover, cropped to what matters in it, and darker towards the text, which begins at the row `top`.
    private func cover(_ path: String, of size: PixelSize, above top: Double) throws(MediaError) -> PixelSurface {
        let image = try Image.load(
            path: path,
            framing: Framing(screen: size, fit: .cover, cropsToAttention: true, turnsScreen: false, enlarges: true),
            limits: options.limits)
        let start = Float(max(1, top - 160)), end = Float(max(2, top))
        return try PixelSurface(image) { row in
            let share = min(max((Float(row) - start) / (end - start), 0), 1)
            return Self.lightest + (Self.darkest - Self.lightest) * share
        }
    }

    /// The story's name in the largest size in which it has three lines, or four of the smallest; a longer one ends with
    /// “…”.
    private func title(_ files: HouseFiles, width: Double) throws(MediaError) -> TextLayout {
        let alignment: TextLayout.Alignment = options.isRightToLeft ? .right : .left
        func layout(_ name: String, _ size: Double) throws(MediaError) -> TextLayout {
            try files.layout(name, size: size, isBold: true, width: width, alignment: alignment)
        }
        let whole = options.title.asName(ofAtMost: 300)
        let name = whole.isEmpty ? "…" : whole
        for size in [96.0, 84, 72, 64, 56] {
            let tried = try layout(name, size)
            if tried.lineCount <= 3, tried.logicalBounds.height <= 330 { return tried }
        }
        var (fits, most) = (1, name.count)
        while fits < most {
            let middle = (fits + most + 1) / 2
            let tried = try layout(name.asName(ofAtMost: middle), 48)
            if tried.lineCount <= 4, tried.logicalBounds.height <= 330 { fits = middle } else { most = middle - 1 }
        }
        return try layout(name.asName(ofAtMost: fits), 48)
    }

    /// Draws the logo on its ground, and the house's name beside it, where the story's language begins.
    private func drawHead(
        _ files: HouseFiles, on canvas: Canvas, in area: Rectangle, _ text: RGBColor
    ) throws(MediaError) {
        var x = Self.margin
        let height = 112.0
        func place(_ width: Double) -> Double { options.isRightToLeft ? area.width - x - width : x }
        if let logo = files.logo {
            let padding = 16.0
            let width = min(320, (height - 2 * padding) * Double(logo.width) / Double(logo.height)) + 2 * padding
            let plate = Rectangle(x: place(width), y: Self.margin, width: width, height: height)
            canvas.rectangle(plate, radius: 16)
            canvas.fill(options.look.color)
            try files.drawLogo(
                logo, on: canvas,
                in: Rectangle(
                    x: plate.x + padding, y: plate.y + padding, width: width - 2 * padding,
                    height: height - 2 * padding))
            x += width + 24
        }
        guard let house = options.house?.asName(ofAtMost: 80), !house.isEmpty else { return }
        let width = area.width - x - Self.margin
        var layout = try files.layout(
            house, size: 36, width: width, alignment: options.isRightToLeft ? .right : .left)
        if layout.lineCount > 2 {
            layout = try files.layout(
                house.asName(ofAtMost: 40), size: 30, width: width, alignment: options.isRightToLeft ? .right : .left)
        }
        let bounds = layout.logicalBounds
        let y = Self.margin + (files.logo == nil ? 0 : (height - bounds.height) / 2)
        if options.cover != nil {
            // The upper part of a cover stays bright: a plate of its own keeps the name readable.
            let left = options.isRightToLeft ? area.width - x - bounds.width : x
            canvas.rectangle(
                Rectangle(x: left - 16, y: y - 10, width: bounds.width + 32, height: bounds.height + 20), radius: 12)
            canvas.fill(RGBColor(red: 0, green: 0, blue: 0, alpha: 0.66))
        }
        let start = options.isRightToLeft ? Self.margin : x
        canvas.drawText(layout, x: start, y: y, color: text)
        try canvas.drawColorGlyphs(of: layout, x: start, y: y)
    }
}
