internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Plays a story along a walk: what fires when, and for the nearest misses why not.",
        discussion: """
            wayreel play bundle/ --track walk.gpx
            wayreel play story.xml --track walk.gpx --answers answers.yml
            wayreel play story.xml --track walk.gpx --explain five-lamps
            wayreel play bundle/ --track walk.gpx --language de
            wayreel play bundle/ --track walk.gpx --journal player.sqlite --json
            wayreel play bundle/ --track - --live < inputs.ndjson

            Answers are YAML: what to try at each lockbox, in order, and for each quiz the number or the text of a choice for every
            question:
              first-reader: [1904, 1905]
              counter: [2, A parking lot over the creek, 1]
            Codes are entered where they hang, within the circles of their events:
              codes: [7KQ2, M3PX]

            With --live, each line of standard input is one of:
              {"fix": {"position": {"latitude": 35.28, "longitude": -120.66}, "accuracy": 5, "timestamp": "2026-11-23T17:05:09Z"}}
              {"heading": {"degrees": 270, "timestamp": "…"}}
              {"answer": {"lockbox": "first-reader", "text": "1905", "timestamp": "…"}}
              {"code": {"text": "7KQ2", "timestamp": "…"}}
              {"quiz": {"event": "counter", "question": 0, "choices": [1], "timestamp": "…"}}     (counted from 0)
              {"capture": {"event": "library-door", "id": "6fd1", "file": "door.jpg", "timestamp": "…"}}
              {"clock": {"timestamp": "…"}}     {"lost": {"timestamp": "…"}}
            and what it brings about is printed at once, one object a line, after the journal has it. A line that makes no sense is one
            error, and the next line is read.

            A journal that exists is gone on with: what it holds was found.

            Exit status: 0 played, 1 failed, or a line of --live was wrong, 2 wrong usage.
            """)

    @Argument(help: "A prepared bundle, or a story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String

    @Option(help: "The walk: GPX; - for standard input.", completion: .file(extensions: ["gpx"]))
    var track: String

    @Flag(help: "Read inputs as NDJSON from standard input, and answer each at once.")
    var live = false

    @Option(help: "What to answer when asked: YAML or JSON.", completion: .file(extensions: ["yml", "yaml", "json"]))
    var answers: String?

    @Option(help: "The player's journal. Made if there is none.", completion: .file(extensions: ["sqlite"]))
    var journal: String?

    @OptionGroup var language: StoryLanguage

    @Option(help: "An event: explain what each fix meant to it.")
    var explain: String?

    @Option(help: "Play only this chapter, as if all others were done.")
    var chapter: String?

    @Option(help: "The time zone that times are shown in. (default: that of the story's first window, else UTC)")
    var zone: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if live {
            guard track == "-" else { throw ValidationError("--live reads standard input: --track -") }
            guard explain == nil, answers == nil, !json, zone == nil else {
                throw ValidationError(
                    "--live takes answers as lines and prints NDJSON; remove --answers, --explain, --json and --zone")
            }
        }
        if let zone, LocalClock(zone) == nil {
            let advice = TimeZones.fault(zone)?.advice ?? "use a name such as America/Los_Angeles"
            throw ValidationError("--zone takes a time zone, not '\(zone)'; \(advice)")
        }
    }

    func run() throws {
        let story = try PlayedStory(path: story, language)
        if let chapter { try story.check(.chapter, chapter) }
        if let explain { try story.check(.event, explain) }
        let playback = try Playback(story.story)
        let answers = try answers.map { try story.answers(at: $0, playback) }
        let walk = live ? nil : try Track.readingDamaged(track)
        // A new journal is only created after everything else was opened.
        let journal = try journal.map { try Journal.open($0, story: story.story.id) }
        let known = try journal?.contents() ?? JournalContents()
        let state = playback.state(resuming: chapter.map { known.merging(story.story.othersDone(than: $0)) } ?? known)
        guard let walk else { return try PlayLive(playback, story.story, state, journal).run() }

        var replay = Replay(playback, state: state, answers: answers ?? StoryAnswers(), explaining: explain)
        do { try replay.play(walk) } catch {
            throw MediaError(
                error.kind, step: error.step, subject: track == "-" ? "standard input" : track,
                reason: error.reason, advice: error.advice)
        }
        try journal?.record(replay.news)
        let report = PlayReport(
            story.story, replay, known.merging(replay.news), from: walk.points.first?.timestamp, only: chapter)
        let clock = LocalClock(zone ?? story.zone) ?? LocalClock("UTC")
        try Console.output(json ? JSON.text(report) : clock.map { PlayPage(report, $0).text } ?? "")
    }
}

/// A story that is played, and its path.
struct PlayedStory {
    let path: String
    let story: Story

    init(path: String, _ language: StoryLanguage) throws {
        self.path = path
        story = try Story.opening(path, language: language.language)
    }

    enum Part: String {
        case chapter, event
    }

    /// Throws a `parameter` error if the story has no such chapter or event.
    func check(_ part: Part, _ id: String) throws(MediaError) {
        let ids = part == .chapter ? story.chapters.map(\.id) : story.chapters.flatMap(\.events).map(\.id)
        guard !ids.contains(id) else { return }
        throw ErrorSite(.parameter, step: .play)(
            of: path, "has no \(part.rawValue) '\(id)'", "it has \(ids.prefix(50).joined(separator: ", "))")
    }

    /// Reads a player's answers. Throws a `parameter` error also for a code that no event has.
    func answers(at path: String, _ playback: Playback) throws(MediaError) -> StoryAnswers {
        var answers = try StoryAnswers.read(path: path, for: story)
        for index in answers.codes.indices {
            let code = answers.codes[index]
            answers.codes[index] = try story.enteredCode(code)
            guard playback.event(ofCode: answers.codes[index]) != nil else {
                throw ErrorSite(.parameter, step: .play)(
                    of: path, "has the code '\(code)', which no event has", "give the four characters of one")
            }
        }
        return answers
    }

    /// The time zone of the first window in the author's order, or UTC.
    var zone: String {
        story.chapters.lazy.flatMap(\.events).compactMap { $0.window?.zone ?? $0.condition?.zone }.first ?? "UTC"
    }
}

extension Condition {
    /// The time zone of the condition's first window.
    fileprivate var zone: String? {
        switch self {
        case .all(let parts), .any(let parts): parts.lazy.compactMap(\.zone).first
        case .not(let part): part.zone
        case .during(let window): window.zone
        case .found, .opened: nil
        }
    }
}
