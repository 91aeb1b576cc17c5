// The time to open a story of 10,000 events from its bundle, compared with parsing its XML, and to open a journal in
// which all events are found. Prints JSON.
//
//     StoryBench FOLDER
//
// The story and the bundle are written to the folder.

internal import Glibc
internal import Wayreel
internal import WayreelCore

guard CommandLine.arguments.count == 2 else {
    print("usage: StoryBench FOLDER")
    exit(2)
}
let folder = CommandLine.arguments[1]
let (chapters, events) = (100, 100)

var story = Story(id: "many", language: "en", name: "Ten thousand events", chapters: [])
for chapter in 0..<chapters {
    var made = Chapter(
        id: "chapter-\(chapter)", name: "Chapter \(chapter)", description: "The streets of part \(chapter).")
    for event in 0..<events {
        made.events.append(
            Event(
                id: "event-\(chapter)-\(event)", name: "Event \(event)",
                description: "What was found behind door number \(event), and by whom.",
                position: GeoPoint(latitude: 35 + Double(chapter) / 100, longitude: -120 - Double(event) / 100),
                activation: Activation(radius: 25),
                content: .scrapbook(
                    ScrapbookContent(items: [.text("A page of the diary."), .text("And the page after it.")])),
                journal: JournalEntry(title: "Door \(event)", description: "It was open.")))
    }
    story.chapters.append(made)
}
let document = "\(folder)/story.xml"
try OutputFile.write(Array(StoryDocument.text(of: story, as: .xml).utf8), to: document)
let options = PrepareOptions(screens: [try Screen(parsing: "640x960")])
_ = try await Preparation(document: document, bundle: "\(folder)/bundle", options: options).run()

/// Returns the median of several rounds in milliseconds.
func median(rounds: Int, _ work: (Int) throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for round in 0..<rounds {
        let start = Clock.wall
        try work(round)
        times.append((Clock.wall - start) * 1000)
    }
    return times.sorted()[rounds / 2]
}

let opening = try median(rounds: 201) { round in
    let chapter = try StoryBundle.open("\(folder)/bundle").chapter("chapter-\(round % chapters)")
    precondition(chapter.events.count == events)
}
let parsing = try median(rounds: 5) { _ in
    let parsed = try StoryDocument.read(path: document)
    precondition(parsed.story?.chapters.count == chapters)
}
var found = JournalContents()
for event in story.chapters.flatMap(\.events) {
    found.found[event.id] = .init(timestamp: Timestamp(milliseconds: 1_795_453_509_250), position: event.position)
}
try Journal.add(JournalDocument(story: story.id, contents: found), to: "\(folder)/player.sqlite")
let resuming = try median(rounds: 201) { _ in
    let contents = try Journal.open("\(folder)/player.sqlite", story: story.id).contents()
    precondition(contents.found.count == chapters * events)
}
// The complete time to a player's first step, with the story's fences already built.
let playback = try Playback(story)
let starting = try median(rounds: 51) { round in
    let chapter = try StoryBundle.open("\(folder)/bundle").chapter("chapter-\(round % chapters)")
    let contents = try Journal.open("\(folder)/player.sqlite", story: story.id).contents()
    precondition(chapter.events.count == events && playback.isDone(playback.state(resuming: contents)))
}
let journal = try Journal.open("\(folder)/player.sqlite")
let recording = try median(rounds: 51) { round in
    var news = JournalContents()
    news.opened["lockbox-\(round)"] = Timestamp(milliseconds: Int64(round))
    try journal.record(news)
}
print(
    #"{"open_chapter_ms": \#(opening), "parse_xml_ms": \#(parsing), "resume_journal_ms": \#(resuming), "start_ms": \#(starting), "#
        + #""record_ms": \#(recording), "events": \#(chapters * events)}"#)
