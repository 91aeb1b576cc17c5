internal import WayreelCore

/// A field of a story that another language may have in its own way.
package struct TranslatableField: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Lines without markup.
        case plain
        /// One line without markup.
        case line
        /// Lines without markup that are drawn over a picture.
        case overlaid
        case rich
        case list
        /// A path in the story's folder.
        case file(MediaFileKind)

        /// Returns a translation in the form of a field of this kind; nil if it cannot stand for one.
        func fitting(_ value: Translation.Value) -> Translation.Value? {
            switch (self, value) {
            case (.rich, .plain(let text)): .rich(RichText(plain: text))
            case (.list, .plain(let text)): .list([text])
            case (.rich, .rich), (.list, .list): value
            case (.plain, .plain), (.line, .plain), (.overlaid, .plain), (.file, .plain): value
            case (.rich, .list), (.list, .rich), (.plain, _), (.line, _), (.overlaid, _), (.file, _): nil
            }
        }

        /// The most characters that a document allows; nil for those of any text.
        var maxLength: Int? {
            switch self {
            case .line: TextRule.line.maxLength
            case .file: TextRule.path.maxLength
            case .overlaid: Treatment.StyledText.maxLength
            case .plain, .rich, .list: nil
            }
        }

        /// Whether texts of this kind have markup, for translators; nil of paths.
        fileprivate var markup: String? {
            switch self {
            case .rich: "With markup (CommonMark)"
            case .plain, .line, .overlaid, .list: "Without markup"
            case .file: nil
            }
        }
    }

    /// The key in translations, such as `event/bell/name`.
    package let key: String
    package let kind: Kind
    /// What the story has there: of plain fields, lines and files ``Translation/Value/plain(_:)``.
    package var value: Translation.Value
    /// What the field is, such as `Alternative text`, and what else a translator has to know, as the file that it
    /// belongs to.
    fileprivate let what: String
    fileprivate let details: [String]
    /// Where it stands, from the outside to the inside.
    fileprivate let places: [String]

    package var isFile: Bool { if case .file = kind { true } else { false } }

    /// Whether readers see the text or hear it; accepted answers and files are not read.
    var isShown: Bool {
        switch kind {
        case .plain, .line, .overlaid, .rich: true
        case .list, .file: false
        }
    }

    /// The hash that a translation of this value has.
    package var hash: String { SourceHash.of(value) }

    /// The most characters that a document allows; nil for those of any text.
    package var maxLength: Int? { kind.maxLength }

    /// What a translator should know: what it is, where it stands, the file or the style that it has, and whether it
    /// takes markup.
    package var notes: [String] {
        [what] + (places.isEmpty ? [] : [places.joined(separator: " › ")]) + details
            + [kind.markup].compactMap(\.self)
    }

    /// Returns a translation in the form of the field's kind; nil if it cannot stand for this field.
    package func fitting(_ value: Translation.Value) -> Translation.Value? { kind.fitting(value) }

    /// The words of a value, without markup; items of a list in lines.
    static func words(of value: Translation.Value) -> String {
        switch value {
        case .plain(let text): text
        case .rich(let text): text.plain
        case .list(let texts): texts.joined(separator: "\n")
        }
    }
}

extension Story {
    /// The fields that can be translated, in the order of the document. Empty ones, and those that the story leaves
    /// out, are none.
    package var translatableFields: [TranslatableField] {
        var fields: [TranslatableField] = []
        var story = self
        story.updateFields { fields.append($0) }
        return fields
    }

    /// Calls `body` with each field in the order of the document; the values that it sets are put into the story.
    package mutating func updateFields(_ body: (inout TranslatableField) -> Void) {
        withoutActuallyEscaping(body) { FieldWalk(visit: $0).story(&self) }
    }
}

/// Goes through the fields of a story: the one place that knows their keys, their order and their kinds.
private struct FieldWalk {
    let visit: (inout TranslatableField) -> Void
    private var path = ""
    private var places: [String] = []

    init(visit: @escaping (inout TranslatableField) -> Void) { self.visit = visit }

    /// The same walk within a part; its path replaces this one's, or is added to it if it begins with `/`.
    private func at(_ path: String, _ place: String...) -> FieldWalk {
        var walk = self
        walk.path = path.hasPrefix("/") ? self.path + path : path
        walk.places += place
        return walk
    }

    /// A part by its name and its id, by which authors and translators speak of it.
    private static func place(_ what: String, _ name: String, _ id: String) -> String {
        "\(what) “\(name.onOneLine)” (\(id))"
    }

    /// A part by its number, unless it is the only one.
    private static func place(_ what: String, _ index: Int, of count: Int) -> String {
        count == 1 ? what : "\(what) \(index + 1) of \(count)"
    }

    func story(_ story: inout Story) {
        let head = at("story")
        head.text("name", &story.name, "Name of the story")
        head.rich("description", &story.description, "Description of the story")
        head.asset("cover", &story.cover, .image, "cover")
        head.rich("credits", &story.credits, "Credits, at the end of the story")
        update(&story.face) { face in
            at("face").text("name", &face.name, "Name of the house")
            at("face").asset("logo", &face.logo, .image, "logo of the house")
        }
        update(&story.about) { about in
            let walk = at("about", "About the house")
            walk.rich("text", &about.text, "What the house is")
            walk.text("address", &about.address, "Postal address")
            walk.rich("hours", &about.hours, "Opening hours")
        }
        for index in story.news.indices { at("").news(&story.news[index]) }
        for index in story.sections.indices { section(&story.sections[index]) }
        for index in story.plans.indices { plan(&story.plans[index]) }
        update(&story.arrival) { at("").arrival(&$0, "arrival") }
        for index in story.chapters.indices { chapter(&story.chapters[index]) }
    }

    // MARK: The house and its collection

    private func news(_ entry: inout NewsEntry) {
        let walk = at("news/\(entry.id)", Self.place("News of \(entry.date)", entry.title, entry.id))
        walk.text("title", &entry.title, "Title")
        walk.rich("text", &entry.text, "Text")
        walk.asset("image", &entry.image, .image, "image")
    }

    private func section(_ section: inout Section) {
        let walk = at("section/\(section.id)", Self.place("Section", section.name, section.id))
        walk.text("name", &section.name, "Name of the section")
        walk.rich("description", &section.description, "Description of the section")
        walk.asset("image", &section.image, .image, "image of the section")
        for index in section.items.indices { walk.item(&section.items[index]) }
    }

    private func item(_ item: inout Item) {
        let walk = at("item/\(item.id)", Self.place("item", item.name, item.id))
        walk.text("name", &item.name, "Name of the item")
        walk.rich("text", &item.text, "Text about the item")
        for index in item.images.indices {
            walk.asset(
                "images/\(index + 1)", &item.images[index], .image,
                Self.place("image", index, of: item.images.count) + " of the item")
        }
        update(&item.audio) { walk.track("audio", &$0) }
    }

    /// The picture itself is the same in all languages, because the pins belong to it.
    private func plan(_ plan: inout FloorPlan) {
        let walk = at("plan/\(plan.id)", Self.place("Floor plan", plan.name, plan.id))
        walk.text("name", &plan.name, "Name of the floor")
        let source = plan.image.source
        update(&plan.image.alt) { walk.alt("alt", &$0, "Alternative text of the floor plan", file: source) }
    }

    private func arrival(_ arrival: inout Arrival, _ path: String) {
        at(path).asset("sound", &arrival.sound, .audio, "sound on arrival", alt: "Caption of")
    }

    // MARK: Chapters

    private func chapter(_ chapter: inout Chapter) {
        let walk = at("chapter/\(chapter.id)", Self.place("Chapter", chapter.name, chapter.id))
        walk.text("name", &chapter.name, "Name of the chapter")
        walk.rich("description", &chapter.description, "Description of the chapter")
        walk.asset("image", &chapter.image, .image, "image of the chapter")
        update(&chapter.plans) { plans in for index in plans.indices { plan(&plans[index]) } }
        for index in chapter.lockboxes.indices { walk.lockbox(&chapter.lockboxes[index]) }
        for index in chapter.events.indices { walk.event(&chapter.events[index]) }
    }

    private func lockbox(_ lockbox: inout Lockbox) {
        let question = lockbox.question.words.asName(ofAtMost: 60)
        let walk = at("lockbox/\(lockbox.id)", Self.place("lockbox", question, lockbox.id))
        walk.rich("question", &lockbox.question, "Question of the lockbox")
        if !lockbox.answers.isEmpty {
            walk.field(
                "answers", .list, .list(lockbox.answers),
                "Accepted answers, in any number",
                details: [
                    "Case, spaces, punctuation and accents are ignored: ü counts as u, and ß as ss, but ü not as ue",
                    "Players may give an answer of any language of the story",
                ]
            ) { if case .list(let answers) = $0 { lockbox.answers = answers } }
        }
        for index in lockbox.hints.indices {
            walk.text("hints/\(index + 1)", &lockbox.hints[index], "Hint \(index + 1), shown after a wrong answer")
        }
    }

    private func event(_ event: inout Event) {
        let walk = at("event/\(event.id)", Self.place("event", event.name, event.id))
        walk.text("name", &event.name, "Name of the event")
        walk.rich("description", &event.description, "Description of the event")
        walk.content(&event.content)
        update(&event.journal) { journal in
            let walk = walk.at("/journal", "entry in the player's journal")
            walk.text("title", &journal.title, "Title of the entry")
            walk.rich("description", &journal.description, "Text of the entry")
            update(&journal.content) { walk.content(&$0) }
        }
        update(&event.arrival) { walk.arrival(&$0, "/arrival") }
    }

    private func content(_ content: inout EventContent) {
        let kind = content.kind
        let walk = at("/\(kind)")
        /// The walk within one of several parts, which have the path of all.
        func part(_ what: String, _ index: Int, of count: Int) -> FieldWalk {
            at("/\(kind)", count == 1 ? kind : "\(kind), \(Self.place(what, index, of: count))")
        }
        switch content {
        case .camera(var camera):
            walk.rich("clue", &camera.clue, "Clue: what the player takes a picture of")
            walk.asset("sample", &camera.sample, .image, "example picture")
            for index in camera.treatment.texts.indices { walk.overlaid(&camera.treatment.texts[index], index) }
            content = .camera(camera)
        case .radio(var radio):
            for index in radio.tracks.indices {
                part("sound", index, of: radio.tracks.count).track("\(index + 1)", &radio.tracks[index])
            }
            content = .radio(radio)
        case .scrapbook(var scrapbook):
            for index in scrapbook.items.indices {
                part("part", index, of: scrapbook.items.count).item(&scrapbook.items[index], number: index + 1)
            }
            content = .scrapbook(scrapbook)
        case .goggles(var goggles):
            for index in goggles.pins.indices {
                part("image", index, of: goggles.pins.count)
                    .asset("\(index + 1)", &goggles.pins[index].image, .image, "image in the camera's view")
            }
            content = .goggles(goggles)
        case .quiz(var quiz):
            for index in quiz.questions.indices {
                part("question", index, of: quiz.questions.count).at("/\(index + 1)").question(&quiz.questions[index])
            }
            content = .quiz(quiz)
        case .exhibit: return
        }
    }

    private func overlaid(_ text: inout Treatment.StyledText, _ index: Int) {
        let style = text.style.map { "Style: \($0.onOneLine)" }
        field(
            "texts/\(index + 1)", .overlaid, .plain(text.text), "Text drawn over the picture",
            details: [style, "Lines that are too wide for the picture break"].compactMap(\.self)
        ) { if case .plain(let new) = $0 { text.text = new } }
    }

    private func track(_ name: String, _ track: inout RadioContent.Track) {
        asset(name, &track.audio, .audio, "sound")
        rich("\(name)/transcript", &track.transcript, "Transcript of the sound", file: track.audio.source)
    }

    private func item(_ item: inout ScrapbookContent.Item, number: Int) {
        switch item {
        case .text(var text):
            rich("\(number)/text", &text, "Text")
            item = .text(text)
        case .image(var image):
            asset("\(number)", &image, .image, "image")
            item = .image(image)
        case .video(var video):
            var file = video.asset
            asset("\(number)", &file, .video, "video")
            (video.source, video.alt) = (file.source, file.alt)
            item = .video(video)
        }
    }

    private func question(_ question: inout QuizContent.Question) {
        rich("text", &question.text, "Question")
        asset("image", &question.image, .image, "image of the question")
        for index in question.choices.indices {
            text(
                "choices/\(index + 1)", &question.choices[index].text,
                question.choices[index].isCorrect ? "Choice, a correct one" : "Choice, a wrong one")
        }
    }

    // MARK: Fields

    private func update<Part>(_ part: inout Part?, _ body: (inout Part) -> Void) {
        guard var value = part else { return }
        part = nil
        body(&value)
        part = value
    }

    private func text(_ name: String, _ text: inout String, _ what: String) {
        field(name, .plain, .plain(text), what) { if case .plain(let new) = $0 { text = new } }
    }

    private func text(_ name: String, _ text: inout String?, _ what: String) {
        update(&text) { self.text(name, &$0, what) }
    }

    private func rich(_ name: String, _ text: inout RichText, _ what: String, file: String? = nil) {
        field(name, .rich, .rich(text), what, details: Self.details(of: file)) {
            if case .rich(let new) = $0 { text = new }
        }
    }

    private func rich(_ name: String, _ text: inout RichText?, _ what: String, file: String? = nil) {
        update(&text) { self.rich(name, &$0, what, file: file) }
    }

    private func asset(_ name: String, _ asset: inout Asset?, _ kind: MediaFileKind, _ what: String, alt: String? = nil)
    {
        update(&asset) { self.asset(name, &$0, kind, what, alt: alt ?? "Alternative text of") }
    }

    /// The file and its alternative text, whose note names the story's file, whatever the translation's is.
    private func asset(
        _ name: String, _ asset: inout Asset, _ kind: MediaFileKind, _ what: String, alt: String = "Alternative text of"
    ) {
        let source = asset.source
        field("\(name)/source", .file(kind), .plain(source), "File of the \(what)") {
            if case .plain(let new) = $0 { asset.source = new }
        }
        update(&asset.alt) { self.alt("\(name)/alt", &$0, "\(alt) the \(what)", file: source) }
    }

    private func alt(_ name: String, _ text: inout String, _ what: String, file: String) {
        field(name, .line, .plain(text), what, details: Self.details(of: file)) {
            if case .plain(let new) = $0 { text = new }
        }
    }

    private static func details(of file: String?) -> [String] { file.map { ["File: \($0)"] } ?? [] }

    private func field(
        _ name: String, _ kind: TranslatableField.Kind, _ value: Translation.Value, _ what: String,
        details: [String] = [], _ set: (Translation.Value) -> Void
    ) {
        guard !value.isEmpty else { return }
        var field = TranslatableField(
            key: "\(path)/\(name)", kind: kind, value: value, what: what, details: details, places: places)
        visit(&field)
        if field.value != value { set(field.value) }
    }
}

extension Translation.Value {
    var isEmpty: Bool {
        switch self {
        case .plain(let text): text.isEmpty
        case .rich(let text): text.blocks.isEmpty
        case .list(let texts): texts.isEmpty
        }
    }
}
