internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Draws a story's map: events with their circles, tours, and a walk through them.",
        discussion: """
            A chapter, as SVG or, by the file's ending, as PNG:
              wayreel map story.xml --chapter the-round -o map.svg
            With a recorded walk and what it fires, dark, for a poster:
              wayreel map bundle/ --chapter the-round --track walk.gpx --theme dark --size 3200x2400 -o map.png
            What a player has found:
              wayreel map bundle/ --journal player.sqlite -o found.svg
            All chapters on one map, with German names:
              wayreel map bundle/ --language de -o map.svg
            The upper floor of a house, with what is there:
              wayreel map story.xml --chapter house --floor upper -o upper.svg

            Everything on it comes from the story and the track: circles have their true size. Below them is the story's base map, if it \
            has one; else there are crosses as far apart as the scale bar is long.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String

    @Option(name: [.short, .long], help: "A file that ends in .svg or .png.", completion: .file())
    var output: String

    @Option(help: "The id of a chapter. Repeatable. (default: all chapters)")
    var chapter: [String] = []

    @Option(
        help:
            "The id of a floor plan: only the events on that floor. (default: the plan that the chapter names, and all events)"
    )
    var floor: String?

    @Option(help: "A walk: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var track: String?

    @Option(
        help: "What the player answered on the walk, as 'wayreel play' takes it.",
        completion: .file(extensions: ["yml", "yaml", "json"]))
    var answers: String?

    @Option(help: "A player's journal: what was found before.", completion: .file(extensions: ["sqlite"]))
    var journal: String?

    @OptionGroup var language: StoryLanguage

    @Option(help: "The time zone that times are shown in. (default: that of the story's first window, else UTC)")
    var zone: String?

    @Option(help: "Width and height in pixels, each 200 to 16384.")
    var size = PixelSize(width: 1200, height: 900)

    @Option(help: "light or dark.")
    var theme: MapImage.Theme = .light

    @Option(help: "The walk's colour: time, from pale to strong as time passes, or plain.")
    var walk: MapImage.WalkStyle = .time

    @Flag(help: "Add feet to the scale bar.")
    var feet = false

    @Flag(help: "Leave out the story's base map.")
    var noBaseMap = false

    private var type: MapImage.FileType? {
        output.split(separator: ".").last.flatMap { MapImage.FileType(rawValue: $0.lowercased()) }
    }

    func validate() throws {
        guard type != nil else { throw ValidationError("--output takes a file that ends in .svg or .png") }
        if answers != nil, track == nil { throw ValidationError("--answers needs a --track") }
        if let zone, LocalClock(zone) == nil {
            let advice = TimeZones.fault(zone)?.advice ?? "use a name such as America/Los_Angeles"
            throw ValidationError("--zone takes a time zone, not '\(zone)'; \(advice)")
        }
        if walk != .time, track == nil { throw ValidationError("--walk has no effect without a --track") }
    }

    func run() throws {
        try OutputFile.check(output, isNoneOf: [story, track, journal, answers].compactMap(\.self))
        let played = try PlayedStory(path: story, language)
        let chapters = chapter.isEmpty ? nil : chapter
        var map = try MapScene(story: played.story, chapters: chapters, floor: floor)
        map.plans = try played.plans(MapScene.plans(of: played.story, chapters: chapters, floor: floor))
        let known = try journal.map { try contents(of: $0, of: played) }
        map.found = known?.found
        if let track { try show(Track.readingDamaged(track), in: played, known ?? JournalContents(), on: &map) }
        map.clock = LocalClock(zone ?? played.zone)
        let image = MapImage(size: size, theme: theme, walkStyle: walk, showsFeet: feet)
        if !noBaseMap {
            map.ground = try StoryGround.ground(
                of: story, played.story, chapter: chapter.count == 1 ? chapter[0] : nil, below: map, image)
        }
        let undrawn = try map.undrawnNames()
        if !undrawn.isEmpty {
            let more = undrawn.count > 3 ? " and \(undrawn.count - 3) more" : ""
            let names = undrawn.prefix(3).map { "'\($0.prefix(60))'" }.joined(separator: ", ")
            Console.error(
                "warning: no installed font has outlines for all of \(names)\(more); a font package such as fonts-noto-cjk may help"
                    .onOneLine)
        }
        try Console.deliver(map.draw(image, as: type ?? .svg), to: output)
    }

    /// Reads a journal. Throws a `parameter` error if it is of another story.
    private func contents(of journal: String, of story: PlayedStory) throws -> JournalContents {
        let journal = try Journal.open(journal)
        guard journal.story == story.story.id else {
            throw ErrorSite(.parameter, step: .map)(
                of: journal.path, "is a journal of '\(journal.story)', not of '\(story.story.id)'", "give another one")
        }
        return try journal.contents()
    }

    /// Shows a walk and its findings, starting from the state of the journal. A walk without times is only drawn as a
    /// line.
    private func show(_ walk: Track, in story: PlayedStory, _ known: JournalContents, on map: inout MapScene) throws {
        guard walk.points.allSatisfy({ $0.timestamp != nil }) else {
            map.walk = walk
            return
        }
        let playback = try Playback(story.story)
        let done = chapter.count == 1 ? story.story.othersDone(than: chapter[0]) : JournalContents()
        let answers = try answers.map { try story.answers(at: $0, playback) }
        var replay = Replay(
            playback, state: playback.state(resuming: known.merging(done)), answers: answers ?? StoryAnswers())
        try replay.play(walk)
        map.show(replay, of: walk)
    }
}

extension PlayedStory {
    /// Reads the pictures of floor plans, from the story's folder or from its bundle.
    fileprivate func plans(_ plans: [FloorPlan]) throws -> [MapPlan] {
        guard !plans.isEmpty else { return [] }
        guard StoryDocument.Format(path: path) == nil else {
            let folder = try StoryFolder(path.folder)
            return try plans.map { try MapPlan($0, picture: folder.file($0.image.source)) }
        }
        let bundle = try StoryBundle.open(path)
        let floors = try bundle.manifest().floors ?? []
        return try plans.map { plan in
            let files = try bundle.media(for: plan.image.source, role: .image).map(\.file)
            guard let floor = floors.first(where: { $0.id == plan.id }),
                let file = files.max(by: { ($0.width ?? 0) < ($1.width ?? 0) })
            else {
                throw MediaError(
                    .parameter, step: .map, subject: path, reason: "has no picture of the plan '\(plan.id)'",
                    advice: "prepare the story again")
            }
            return try MapPlan(plan, picture: bundle.path(of: file), width: floor.width, height: floor.height)
        }
    }
}
