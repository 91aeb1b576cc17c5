public import WayreelCore
internal import WayreelDrawing
internal import WayreelImage

/// The icons of a house.
public struct IconsOptions: Hashable, Sendable, Codable {
    /// The house's name, whose first letters stand for a missing logo.
    public var name: String
    public var look: HouseLook
    public var limits: Limits

    public init(name: String, look: HouseLook, limits: Limits = .standard) {
        self.name = name
        self.look = look
        self.limits = limits
    }
}

/// An icon in a size that systems ask for.
public struct HouseIcon: Hashable, Sendable {
    public enum Shape: Hashable, Sendable {
        /// Shown as it is.
        case square
        /// Cut by Android to a circle, or to another shape around it (W3C, Web Application Manifest, “maskable”): what
        /// matters is within a circle of 80 % of the side.
        case maskable
        /// Its corners are rounded by iOS.
        case touch
        /// For tabs and bookmarks.
        case small
    }

    /// The side in pixels.
    public var side: Int
    public var shape: Shape

    /// All that are made.
    public static let all = [
        HouseIcon(side: 192, shape: .square), HouseIcon(side: 512, shape: .square),
        HouseIcon(side: 192, shape: .maskable), HouseIcon(side: 512, shape: .maskable),
        HouseIcon(side: 180, shape: .touch), HouseIcon(side: 32, shape: .small),
    ]
}

/// Draws ``HouseIcon/all`` as PNG: the logo on the house's colour, or the first letters of its name.
public struct IconsTask: MediaTask {
    /// The logo, else the font; empty if there is neither.
    public var input: String
    public var outputs: [String]
    public var options: IconsOptions

    public init(outputs: [String], options: IconsOptions) {
        input = options.look.logo ?? options.look.font ?? ""
        self.outputs = outputs
        self.options = options
    }

    public var namedFiles: [String] { options.look.files }
    public var maxSeconds: Double { options.limits.seconds }
    /// Text is laid out by one call of Pango.
    public var isolationNeed: IsolationNeed { .work }

    public func check() throws(MediaError) {
        guard outputs.count == HouseIcon.all.count else {
            throw MediaError(.parameter, step: .draw, reason: "\(HouseIcon.all.count) icons need as many outputs")
        }
    }

    public func makePipeline() throws(MediaError) -> IconsPipeline { IconsPipeline(options) }
}

/// Runs tasks of icons.
public struct IconsPipeline: MediaPipeline {
    let options: IconsOptions

    init(_ options: IconsOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: IconsTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let files = try context.step(.open) { () throws(MediaError) in
                try HouseFiles(options.look, limits: options.limits, task: context)
            }
            var made: [TaskReport.Media] = []
            for (icon, path) in zip(HouseIcon.all, task.outputs) {
                let size = PixelSize(width: icon.side, height: icon.side)
                let image = try context.step(.draw) { () throws(MediaError) in
                    let surface = try PixelSurface(size: size, format: .rgb24)
                    let canvas = Canvas(on: surface)
                    try draw(icon, files, on: canvas)
                    try canvas.finish()
                    return try surface.image()
                }
                let bytes = try context.step(.encode) { () throws(MediaError) in
                    try ImageEncoders.encode(
                        image, as: Encoding(.png), metadata: OutputMetadata(), task: context
                    ).bytes
                }
                try OutputFile.write(bytes, to: path, ifExists: ifExists)
                made.append(
                    TaskReport.Media(
                        path: path, format: "png", width: size.width, height: size.height, bytes: bytes.count))
            }
            report.output = made[0]
            report.furtherOutputs = Array(made.dropFirst())
        }
    }

    private func draw(_ icon: HouseIcon, _ files: HouseFiles, on canvas: Canvas) throws(MediaError) {
        let side = Double(icon.side)
        canvas.rectangle(Rectangle(x: 0, y: 0, width: side, height: side))
        canvas.fill(options.look.color)
        func middle(_ width: Double, _ height: Double) -> Rectangle {
            Rectangle(x: (side - width) / 2, y: (side - height) / 2, width: width, height: height)
        }
        guard let logo = files.logo else {
            let share = icon.shape == .small ? 0.8 : 0.56
            return try drawLetters(files, on: canvas, in: middle(share * side, share * side))
        }
        switch icon.shape {
        case .maskable:
            // The circle goes through the corners of the logo.
            let (width, height) = (Double(logo.width), Double(logo.height))
            let diagonal = (width * width + height * height).squareRoot()
            let factor = 0.8 * side / diagonal
            try files.drawLogo(logo, on: canvas, in: middle(width * factor, height * factor))
        case .square, .touch, .small:
            // A logo that is a tile of its own needs no other ground.
            let isTile = !logo.hasAlpha && logo.width == logo.height
            let share = isTile ? 1 : icon.shape == .small ? 0.88 : 0.74
            try files.drawLogo(logo, on: canvas, in: middle(share * side, share * side))
        }
    }

    /// Draws the letters as large as `area` allows, in its middle.
    private func drawLetters(_ files: HouseFiles, on canvas: Canvas, in area: Rectangle) throws(MediaError) {
        let letters = Self.letters(of: options.name)
        let tried = try files.layout(letters, size: 100, isBold: true).inkBounds
        guard tried.width > 0, tried.height > 0 else { return }
        let size = 100 * min(area.width / tried.width, area.height / tried.height)
        let layout = try files.layout(letters, size: min(size, area.height * 1.4), isBold: true)
        let ink = layout.inkBounds
        let (x, y) = (area.midX - ink.midX, area.midY - ink.midY)
        canvas.drawText(layout, x: x, y: y, color: options.look.text)
        try canvas.drawColorGlyphs(of: layout, x: x, y: y)
    }

    /// The first letters of two words, in capitals where the script has such: of the first word, and of the next one that
    /// is written with a capital letter, else of the next one. Of other scripts the first letter: in Arabic two would be
    /// joined.
    static func letters(of name: String) -> String {
        let name = name.asName(ofAtMost: 200)
        let letters = name.split(separator: " ").compactMap { word in word.first { $0.isLetter || $0.isNumber } }
        guard let first = letters.first else { return String(name.first ?? "•") }
        func capital(_ letter: Character) -> String { letter.uppercased().first.map(String.init) ?? String(letter) }
        let others = letters.dropFirst().filter { $0.isCased || $0.isASCII }
        guard first.isCased || first.isASCII, let second = others.first(where: \.isUppercase) ?? others.first else {
            return capital(first)
        }
        return capital(first) + capital(second)
    }
}
