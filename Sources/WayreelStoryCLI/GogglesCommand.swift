internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct GogglesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "goggles",
        abstract: "Shows the images that a story pins to places as a photo sees them.",
        discussion: """
            Position, heading and field of view from the photo's EXIF tags:
              wayreel goggles photo.heic bundle/ --event house-without-door -o seen.jpg
            Or given, in degrees; also print each pin's pixel, size, distance and bearing, and why it is not visible:
              wayreel goggles photo.jpg story.xml --event house-without-door -o seen.jpg \\
                --at 35.3050,-120.6625,100 --heading 30 --pitch 5 --roll 3 --fov 60 --json
            For a screen, with the images that the bundle has for it:
              wayreel goggles photo.heic bundle/ --event house-without-door --screen iphone-15 -o seen.jpg

            The photo is prepared as 'wayreel capture' does it, with the pins and their labels as overlays. A pin is as large as its size \
            in the world and its distance make it, and stands upright in the world. Altitudes are above the ellipsoid of WGS 84, as GPS \
            receivers measure them.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "The photo.", completion: .file())
    var photo: String

    @Argument(
        help:
            "The story, also as --bundle: a prepared bundle, of which the images for --screen are used, else the largest; or a story's document: .xml, .yml or .yaml.",
        completion: .file())
    var story: String?

    @Option(name: .customLong("bundle"), help: .hidden, completion: .directory)
    var bundle: String?

    @Option(help: "The id of a goggles event.")
    var event: String

    @OptionGroup var language: StoryLanguage

    @Option(name: [.short, .long], help: "Output file, or - for standard output.", completion: .file())
    var output: String?

    @OptionGroup(title: "Camera") var pose: PoseOptions
    @Flag(help: "Print the pose and each pin's pixel, size, distance and bearing as JSON; without -o, nothing else.")
    var json = false
    @Flag(help: "Draw the pins without labels.")
    var noLabels = false

    @OptionGroup(title: "Framing") var framing: FramingOptions
    @OptionGroup(title: "Effects") var effects: EffectOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Isolation") var isolation: IsolationOptions
    @OptionGroup(title: "Running") var running: RunningOptions

    func validate() throws {
        guard (story == nil) != (bundle == nil) else {
            throw ValidationError("name one story: 'wayreel goggles photo.jpg bundle/' or --bundle bundle/")
        }
        if output == nil, !json { throw ValidationError("give an output with -o, or --json for the numbers alone") }
        if output == "-", json { throw ValidationError("the photo and --json cannot share standard output") }
        if photo == "-" { throw ValidationError("the photo is read twice: give a file") }
    }

    func run() async throws {
        let recipe = try effects.loadRecipe(seconds: limits.maxSeconds)
        let framing = try framing.framing(over: recipe)
        guard let story = story ?? bundle else { return }
        let (found, drawing) = try await WorkPool.shared.run { (_) throws(MediaError) in
            let limits = limits.limits()
            let event =
                StoryDocument.Format(path: story) == nil
                ? try GogglesEvent(
                    self.event, of: StoryBundle.open(story), screen: framing.screen, language: language.language,
                    limits: limits)
                : try GogglesEvent(self.event, ofStoryAt: story, language: language.language, limits: limits)
            let found = try pose.source.pose(ofPhotoAt: photo, seeing: event.pins.map(\.position), limits: limits)
            let scene = GogglesScene(
                pins: event.pins, pose: found.pose, scaling: event.scaling, maxDistance: event.maxDistance,
                framing: framing)
            return (found, try scene.drawing(labels: !noLabels))
        }
        if !running.quiet {
            for note in found.notes { Console.error("note: \(note.withFlags)") }
            if let note = Self.note(on: drawing.sights) { Console.error("note: \(note)") }
        }
        if let output { try await draw(drawing, framing, recipe, to: output) }
        if json {
            let seen = PinsReport(pose: found.pose, pins: drawing.sights)
            try Console.output(JSON.text(seen))
        }
    }

    /// Says why no pin is visible; nil if one is.
    private static func note(on sights: [GogglesScene.Sight]) -> String? {
        guard sights.allSatisfy({ $0.culled != nil }) else { return nil }
        let reasons = Dictionary(grouping: sights.compactMap(\.culled)) { $0 }
            .map { "\($0.value.count) \($0.key.rawValue)" }.sorted()
        return "no pin is visible: of \(sights.count.counted("pin")) \(reasons.joined(separator: ", "))"
    }

    private func draw(
        _ drawing: GogglesScene.Drawing, _ framing: Framing, _ recipe: Recipe, to output: String
    ) async throws {
        let format = try encoding.format(recipe: recipe, output: output, inputs: [photo])
        let options = try CaptureOptions(
            framing: framing, background: self.framing.background ?? recipe.output.background,
            filters: effects.filters(over: recipe), overlays: drawing.overlays + effects.overlays(over: recipe),
            encoding: encoding.encoding(format, over: recipe), limits: limits.limits())
        try await running.capture(
            [photo], to: output, as: format, options, isolation.isolation(),
            besides: effects.files(options.overlays, options.filters) + [story ?? bundle])
    }
}

/// The output of `goggles --json`.
private struct PinsReport: Encodable {
    var pose: CameraPose
    /// The pins, farthest first.
    var pins: [GogglesScene.Sight]
}

/// Options for the position and orientation of a camera.
struct PoseOptions: ParsableArguments {
    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp(
            "The camera's position: latitude, longitude and, in metres, altitude above the ellipsoid. (default: from EXIF; the altitude as that of the pins)",
            valueName: "lat,lon[,alt]"))
    var position: GeoPosition?

    @Option(parsing: .unconditional, help: "Degrees clockwise from true north. (default: GPSImgDirection of EXIF)")
    var heading: Double?

    @Option(
        parsing: .unconditional, help: "Degrees up from the horizon. (default: CameraElevationAngle of EXIF, or else 0)"
    )
    var pitch: Double?

    @Option(parsing: .unconditional, help: "Degrees by which the camera was turned clockwise. (default: 0)")
    var roll: Double?

    @Option(
        name: .customLong("fov"),
        help: "Degrees across the width of the upright photo. (default: from FocalLengthIn35mmFilm of EXIF)")
    var fieldOfView: Double?

    @Option(
        parsing: .unconditional,
        help:
            "Degrees from true to magnetic north, for a magnetic heading in EXIF. (default: by the World Magnetic Model)"
    )
    var declination: Double?

    var source: PoseSource {
        PoseSource(
            position: position?.point, heading: heading, pitch: pitch, roll: roll, fieldOfView: fieldOfView,
            declination: declination)
    }
}
