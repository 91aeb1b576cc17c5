package import ArgumentParser
internal import WayreelCore
internal import WayreelImage
package import WayreelMedia

package struct FramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Output size: WIDTHxHEIGHT, WIDTHx, xHEIGHT, a percentage of the capture's size such as 50%, or a screen name (wayreel screens). Default: the capture's size.",
            valueName: "screen"), completion: .custom { _, _, _ in Screen.all.map(\.name) })
    var screen: String?

    @Option(help: "Device pixel ratio, a factor for the screen size. (default: 1)")
    var dpr: Double?

    @Option(
        help:
            "Scaling: cover fills the screen and crops, contain shows all, pad shows all on a canvas of the screen's size, width and height fit one side, fill stretches. (default: cover)"
    )
    var fit: Fit?

    @Option(
        help:
            "Alignment of a crop or of a padded capture: center, north, north-east, …, or attention, which crops to the salient region. (default: center)"
    )
    var gravity: CropGravity?

    @Option(
        help:
            "Background of padding and transparency: #fff, white, … (default: black padding; transparency is kept if the format supports it)",
        transform: RGBColor.parse)
    package var background: RGBColor?

    @Option(
        help: ArgumentHelp(
            "Part of the upright capture that is kept, in pixels or percent: 100,50,800,600 or 10%,10%,80%,80%. (default: all)",
            valueName: "x,y,width,height"))
    var crop: Framing.Crop?

    @Option(help: "Mirror image after the crop: horizontal exchanges left and right, vertical top and bottom, or both.")
    var flip: Framing.Flip?

    @Option(help: "Rotation clockwise after that: 90, 180 or 270 degrees.")
    var rotate: Framing.Rotation?

    @Flag(help: "Trim a border of uniform colour first.")
    var trim = false

    @Option(help: "Max colour difference within a border, 0 to 255; implies --trim. (default: 10)")
    var trimTolerance: Double?

    @Flag(help: "Do not rotate the screen to match the capture's orientation.")
    var noTurn = false

    @Flag(help: "Upscale captures that are smaller than the screen.")
    var enlarge = false

    @Flag(help: "Resample in linear light.")
    var linear = false

    @Flag(
        help:
            "Decode at full size before scaling. Otherwise a JPEG is decoded at some eighths of its size, which is faster and hardly visible."
    )
    var fullDecode = false

    package init() {}

    /// Throws a `parameter` error for an unknown screen, and for an option that has no effect.
    package func framing(over recipe: Recipe) throws(MediaError) -> Framing {
        var asked = recipe.output
        if let screen { asked.size = try OutputSize(parsing: screen) }
        asked.pixelRatio = dpr ?? asked.pixelRatio
        asked.fit = fit ?? asked.fit
        if let gravity { (asked.gravity, asked.cropsToAttention) = (gravity.gravity, gravity.isAttention) }
        asked.crop = crop ?? asked.crop
        asked.flip = flip ?? asked.flip
        asked.rotation = rotate ?? asked.rotation
        asked.trim = trimTolerance ?? (trim ? asked.trim ?? Framing.trimTolerance : asked.trim)
        asked.turn = noTurn ? false : asked.turn
        asked.enlarge = enlarge ? true : asked.enlarge
        asked.linear = linear ? true : asked.linear
        asked.fullDecode = fullDecode ? true : asked.fullDecode
        try OptionUse.check(
            asked,
            perSize: [
                ("--dpr", dpr != nil), ("--enlarge", enlarge), ("--linear", linear), ("--full-decode", fullDecode),
            ],
            perScreen: [("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn)])
        let framing = asked.framing()
        if gravity != nil, ![.cover, .pad].contains(framing.fit) {
            throw OptionUse.fault("--gravity has no effect with fit \(framing.fit.rawValue)", "use --fit cover or pad")
        }
        return framing
    }
}

/// Rejects options that have no effect.
enum OptionUse {
    typealias Given = (name: String, isGiven: Bool)

    static let fault = ErrorSite(.parameter, step: .screen)

    /// Throws a `parameter` error if one of `perSize` is given without any size, or one of `perScreen` without both
    /// sides of a screen.
    static func check(_ output: RecipeOutput, perSize: [Given] = [], perScreen: [Given]) throws(MediaError) {
        if let size = output.size {
            guard !size.isWholeScreen, let option = perScreen.first(where: \.isGiven) else { return }
            throw fault(
                "\(option.name) has no effect without both sides of a screen", "use --screen WIDTHxHEIGHT")
        }
        guard let option = (perScreen + perSize).first(where: \.isGiven) else { return }
        throw fault("\(option.name) has no effect without a screen", "add --screen")
    }
}

extension CropGravity: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package static var allValueStrings: [String] { keywords }
}

struct VideoFramingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Output size: WIDTHxHEIGHT, WIDTHx, xHEIGHT, a percentage of the video's size such as 50%, or a screen name (wayreel screens). Never upscaled. Default: the video's size.",
            valueName: "screen"), completion: .custom { _, _, _ in Screen.all.map(\.name) })
    var screen: String?

    @Option(
        help:
            "Scaling: contain shows all, cover fills the screen and crops, width and height fit one side, fill stretches; for posters also pad, which shows all on a canvas of the screen's size. (default: contain)"
    )
    var fit: Fit?

    @Option(help: "Alignment of a crop: center, north, north-east, … (default: center)")
    var gravity: Gravity?

    @Flag(help: "Do not rotate the screen to match the video's orientation.")
    var noTurn = false

    @Option(
        help: "Background of transparent frames and padding: #000, white, … (default: black)",
        transform: RGBColor.parse)
    var background: RGBColor?

    /// Applies the parts of a recipe's output that exist for video: screen and fit.
    ///
    /// Throws a `parameter` error for an unknown screen, and for an option that has no effect without one.
    func framing(over recipe: Recipe) throws(MediaError) -> Framing {
        var asked = RecipeOutput()
        asked.size = try screen.map { (text) throws(MediaError) in try OutputSize(parsing: text) } ?? recipe.output.size
        asked.pixelRatio = screen == nil ? recipe.output.pixelRatio : nil
        asked.fit = fit ?? recipe.output.fit
        asked.gravity = gravity ?? recipe.output.gravity
        asked.turn = noTurn ? false : recipe.output.turn
        try OptionUse.check(
            asked, perScreen: [("--fit", fit != nil), ("--gravity", gravity != nil), ("--no-turn", noTurn)])
        return asked.framing(over: Framing(fit: .contain))
    }
}

/// The section of a video to transcode.
struct RangeOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: "Start at the first frame at or after this time: 90, 1:30 or 00:01:30.5. (default: the beginning)")
    var start: Moment?

    @Option(parsing: .unconditional, help: "Stop before this time. (default: the end)")
    var end: Moment?

    func validate() throws {
        if let end, end.seconds <= start?.seconds ?? 0 {
            throw ValidationError("--end must be after \(start == nil ? "0" : "--start")")
        }
    }

    var range: TimeRange? {
        guard start != nil || end != nil else { return nil }
        return TimeRange(start: start?.seconds ?? 0, end: end?.seconds)
    }
}
