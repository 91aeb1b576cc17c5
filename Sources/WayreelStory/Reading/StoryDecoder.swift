internal import WayreelCore

/// Converts a tree of elements that conforms to the schema to a story.
struct StoryDecoder {
    private(set) var issues: IssueLog
    /// The locations of chapters, events and lockboxes in the document.
    private(set) var locations = StoryLocations()

    /// Whether the locations of fields are wanted even of a story without translations.
    private let locatesFields: Bool

    init(issues: IssueLog, locatesFields: Bool = false) {
        self.issues = issues
        self.locatesFields = locatesFields
    }

    mutating func story(_ element: Element) -> Story {
        locations.addParts(of: element)
        var story = Story(
            id: value("id", of: element), language: element.language ?? "", name: text("name", of: element),
            description: richText("description", of: element), cover: element.child("cover").map(asset),
            credits: richText("credits", of: element), face: element.child("face").map(face),
            about: element.child("about").map { about($0) }, news: element.children("news").map { news($0) },
            sections: element.children("section").map { section($0) }, map: element.child("map").map(map),
            plans: element.children("plan").map { plan($0) }, arrival: element.child("arrival").map(arrival),
            chapters: element.children("chapter").map { chapter($0) })
        let translations = element.children("translation")
        if !translations.isEmpty {
            var reader = TranslationReader(story, issues, locations)
            story.set(translations.map { reader.translation($0) })
            (issues, locations) = (reader.issues, reader.locations)
        }
        if !translations.isEmpty || locatesFields {
            locations.fields = FieldLocations(element, notes: issues.notes)
        }
        return story
    }

    // MARK: The house and its collection

    private func face(_ element: Element) -> Face {
        Face(
            name: optionalText("name", of: element), color: element[attribute: "color"]?.trimmedSpace,
            accent: element[attribute: "accent"]?.trimmedSpace, logo: element.child("logo").map(asset),
            font: element[attribute: "font"]?.trimmedSpace,
            fontLicense: element[attribute: "fontLicense"]?.trimmedSpace)
    }

    private mutating func about(_ element: Element) -> About {
        About(
            text: richText("text", of: element), address: optionalText("address", of: element),
            position: element.child("position").map(point), hours: richText("hours", of: element))
    }

    private mutating func news(_ element: Element) -> NewsEntry {
        let id = value("id", of: element)
        locations.add(.news, id, element.location)
        return NewsEntry(
            id: id, date: value("date", of: element), title: text("title", of: element),
            text: richText("text", of: element), image: element.child("image").map(asset))
    }

    private mutating func section(_ element: Element) -> Section {
        let id = value("id", of: element)
        locations.add(.section, id, element.location)
        return Section(
            id: id, name: text("name", of: element), description: richText("description", of: element),
            image: element.child("image").map(asset), items: element.children("item").map { item($0) })
    }

    private mutating func item(_ element: Element) -> Item {
        let id = value("id", of: element)
        locations.add(.item, id, element.location)
        return Item(
            id: id, name: text("name", of: element), text: richText("text", of: element),
            images: element.children("image").map(asset), audio: element.child("audio").map { track($0) },
            position: element.child("position").map(point), anchor: element.child("anchor").map { anchor($0) },
            isHidden: flag("hidden", of: element) ?? false)
    }

    private mutating func plan(_ element: Element) -> FloorPlan {
        let id = value("id", of: element)
        locations.add(.plan, id, element.location)
        let pins = element.children("pin").map { pin in
            FloorPlan.Pin(
                x: number("x", of: pin) ?? 0, y: number("y", of: pin) ?? 0,
                latitude: number("latitude", of: pin) ?? 0, longitude: number("longitude", of: pin) ?? 0)
        }
        if !pins.isEmpty, !FloorPlan.pinCounts.contains(pins.count) {
            issues.error(
                element.location,
                "plan '\(id)' has \(pins.count.counted("pin")), but needs 2, or 3 if its axes have different scales")
        }
        return FloorPlan(
            id: id, level: number("level", of: element) ?? 0, name: text("name", of: element), image: asset(element),
            pins: pins)
    }

    private mutating func anchor(_ element: Element) -> Anchor {
        if (element[attribute: "x"] == nil) != (element[attribute: "y"] == nil) {
            issues.error(element.location, "an anchor has both 'x' and 'y', or neither for the place of the position")
        }
        return Anchor(
            floor: value("floor", of: element), x: number("x", of: element), y: number("y", of: element))
    }

    private func arrival(_ element: Element) -> Arrival {
        Arrival(sound: element.child("sound").map(asset), isVibrating: flag("vibrate", of: element) ?? true)
    }

    // MARK: Chapters

    private mutating func chapter(_ element: Element) -> Chapter {
        let id = value("id", of: element)
        locations.add(.chapter, id, element.location)
        return Chapter(
            id: id, name: text("name", of: element), description: richText("description", of: element),
            image: element.child("image").map(asset), location: element.child("location").map { point($0) },
            map: element.child("map").map(map), floor: element[attribute: "floor"]?.trimmedSpace,
            plans: plans(of: element),
            order: word(element[attribute: "order"]) ?? .free,
            presentation: word(element[attribute: "presentation"]) ?? .steps,
            lockboxes: element.children("lockbox").map { lockbox($0) },
            events: element.children("event").map { event($0) })
    }

    private mutating func plans(of element: Element) -> [FloorPlan]? {
        let plans = element.children("plan").map { plan($0) }
        return plans.isEmpty ? nil : plans
    }

    private mutating func lockbox(_ element: Element) -> Lockbox {
        let id = value("id", of: element)
        locations.add(.lockbox, id, element.location)
        return Lockbox(
            id: id, question: richText("question", of: element) ?? "",
            answers: element.children("answer").map { Paragraphs.normalized($0.text) },
            hints: element.children("hint").map { Paragraphs.normalized($0.text) })
    }

    private mutating func event(_ element: Element) -> Event {
        let id = value("id", of: element)
        locations.add(.event, id, element.location)
        return Event(
            id: id, name: text("name", of: element), description: richText("description", of: element),
            position: element.child("position").map { point($0) } ?? GeoPoint(latitude: 0, longitude: 0),
            anchor: element.child("anchor").map { anchor($0) },
            activation: element.child("activation").map { activation($0) } ?? Activation(radius: 1),
            window: element.child("window").map { window($0) },
            condition: element.child("condition")?.children.first.map { condition($0) },
            content: content(of: element) ?? .scrapbook(ScrapbookContent(items: [])),
            journal: element.child("journal").map { journal($0) }, arrival: element.child("arrival").map(arrival))
    }

    private mutating func journal(_ element: Element) -> JournalEntry {
        JournalEntry(
            title: text("title", of: element), description: richText("description", of: element),
            content: content(of: element))
    }

    private mutating func activation(_ element: Element) -> Activation {
        let activation = Activation(
            radius: number("radius", of: element) ?? 1, trigger: word(element[attribute: "trigger"]) ?? .enter,
            dwellSeconds: number("seconds", of: element), code: element[attribute: "code"]?.trimmedSpace)
        if (activation.trigger == .dwell) != (element[attribute: "seconds"] != nil) {
            issues.error(
                element.location,
                activation.trigger == .dwell
                    ? "an activation with the trigger 'dwell' needs 'seconds', how long the player stays"
                    : "an activation has 'seconds' only with the trigger 'dwell'")
        }
        if (activation.trigger == .code) != (activation.code != nil) {
            issues.error(
                element.location,
                activation.trigger == .code
                    ? "an activation with the trigger 'code' needs 'code', four characters that players enter"
                    : "an activation has 'code' only with the trigger 'code'")
        }
        return activation
    }

    private mutating func window(_ element: Element) -> TimeWindow {
        TimeWindow(
            zone: value("zone", of: element), from: element[attribute: "from"].flatMap { TimeOfDay($0.trimmedSpace) },
            until: element[attribute: "until"].flatMap { TimeOfDay($0.trimmedSpace) },
            days: (element[attribute: "days"] ?? "").split(whereSeparator: \.isWhitespace)
                .compactMap { TimeWindow.Day(rawValue: String($0)) },
            firstDate: element[attribute: "first"]?.trimmedSpace, lastDate: element[attribute: "last"]?.trimmedSpace)
    }

    private mutating func condition(_ element: Element) -> Condition {
        switch element.name {
        case "all": .all(element.children.map { condition($0) })
        case "any": .any(element.children.map { condition($0) })
        case "not": .not(element.children.first.map { condition($0) } ?? .all([]))
        case "found": .found(event: value("event", of: element))
        case "opened": .opened(lockbox: value("lockbox", of: element))
        default: .during(window(element))
        }
    }

    // MARK: Content

    private mutating func content(of element: Element) -> EventContent? {
        for child in element.children {
            switch child.name {
            case "camera": return .camera(camera(child))
            case "radio": return .radio(radio(child))
            case "scrapbook": return .scrapbook(ScrapbookContent(items: child.children.map { scrapbookItem($0) }))
            case "goggles": return .goggles(goggles(child))
            case "quiz": return .quiz(QuizContent(questions: child.children("question").map { question($0) }))
            case "exhibit": return .exhibit(ExhibitContent(item: value("item", of: child)))
            default: continue
            }
        }
        return nil
    }

    private mutating func camera(_ element: Element) -> CameraContent {
        let treatment = Treatment(
            recipe: element[attribute: "recipe"]?.trimmedSpace,
            filters: element.children("filter").map(\.text.trimmedSpace),
            overlays: element.children("overlay").map(\.text.trimmedSpace),
            texts: element.children("text").map {
                Treatment.StyledText(Paragraphs.normalized($0.text), style: $0[attribute: "style"]?.trimmedSpace)
            })
        return CameraContent(
            clue: richText("clue", of: element) ?? "", sample: element.child("sample").map(asset), treatment: treatment)
    }

    private mutating func radio(_ element: Element) -> RadioContent {
        let visualizer = element.child("visualizer").map { element in
            RadioContent.Visualizer(
                rate: number("rate", of: element) ?? 30, meter: element[attribute: "meter"]?.trimmedSpace ?? "peak",
                style: element[attribute: "style"]?.trimmedSpace ?? "bars")
        }
        return RadioContent(tracks: element.children("audio").map { track($0) }, visualizer: visualizer)
    }

    private mutating func track(_ element: Element) -> RadioContent.Track {
        RadioContent.Track(
            asset(element), transcript: richText("transcript", of: element), captions: captions(of: element))
    }

    private mutating func scrapbookItem(_ element: Element) -> ScrapbookContent.Item {
        switch element.name {
        case "text": .text(element.richText(&issues))
        case "image": .image(asset(element))
        default: .video(video(element))
        }
    }

    private func video(_ element: Element) -> ScrapbookContent.Video {
        ScrapbookContent.Video(asset(element), captions: captions(of: element))
    }

    private func captions(of element: Element) -> [ScrapbookContent.Captions]? {
        let captions = element.children("captions").map {
            ScrapbookContent.Captions(
                source: value("source", of: $0), language: $0.language,
                label: $0[attribute: "label"]?.trimmedSpace)
        }
        return captions.isEmpty ? nil : captions
    }

    private mutating func goggles(_ element: Element) -> GogglesContent {
        let content = GogglesContent(
            pins: element.children("pin").map { pin($0) },
            minScalingDistance: number("minScalingDistance", of: element),
            maxScalingDistance: number("maxScalingDistance", of: element),
            scalingFactor: number("scalingFactor", of: element), maxDistance: number("maxDistance", of: element))
        if content.scalingFactor != nil, content.minScalingDistance == nil || content.maxScalingDistance == nil {
            issues.error(element.location, "scalingFactor needs minScalingDistance and maxScalingDistance")
        }
        if let nearest = content.minScalingDistance, let farthest = content.maxScalingDistance, nearest >= farthest {
            issues.error(element.location, "minScalingDistance is not below maxScalingDistance")
        }
        return content
    }

    private mutating func pin(_ element: Element) -> GogglesContent.Pin {
        GogglesContent.Pin(image: asset(element), position: point(element), size: number("size", of: element) ?? 1)
    }

    private mutating func question(_ element: Element) -> QuizContent.Question {
        let choices = element.children("choice").map {
            QuizContent.Choice(
                Paragraphs.normalized($0.text), isCorrect: flag("correct", of: $0) ?? false)
        }
        if choices.count < 2 || !choices.contains(where: \.isCorrect) {
            issues.error(
                element.location,
                choices.count < 2
                    ? "a question needs two choices or more" : "a question has no choice that is 'correct'")
        }
        return QuizContent.Question(
            text: richText("text", of: element) ?? "", image: element.child("image").map(asset), choices: choices,
            points: element[attribute: "points"].flatMap { Int($0.trimmedSpace) } ?? 1)
    }

    // MARK: Values

    private func asset(_ element: Element) -> Asset {
        Asset(
            source: value("source", of: element), alt: element[attribute: "alt"]?.trimmedSpace,
            author: element[attribute: "author"]?.trimmedSpace, license: element[attribute: "license"]?.trimmedSpace,
            origin: element[attribute: "origin"]?.trimmedSpace)
    }

    private func map(_ element: Element) -> BaseMap {
        BaseMap(
            source: value("source", of: element), author: element[attribute: "author"]?.trimmedSpace,
            license: element[attribute: "license"]?.trimmedSpace, origin: element[attribute: "origin"]?.trimmedSpace)
    }

    private func point(_ element: Element) -> GeoPoint {
        GeoPoint(
            latitude: number("latitude", of: element) ?? 0, longitude: number("longitude", of: element) ?? 0,
            altitude: number("altitude", of: element))
    }

    private func value(_ attribute: String, of element: Element) -> String {
        element[attribute: attribute]?.trimmedSpace ?? ""
    }

    private func number(_ attribute: String, of element: Element) -> Double? {
        element[attribute: attribute].flatMap { Double($0.trimmedSpace) }
    }

    private func flag(_ attribute: String, of element: Element) -> Bool? {
        element[attribute: attribute].map { ["true", "1"].contains($0.trimmedSpace) }
    }

    private func word<Word: RawRepresentable<String>>(_ text: String?) -> Word? {
        text.flatMap { Word(rawValue: $0.trimmedSpace) }
    }

    private func text(_ name: String, of element: Element) -> String { optionalText(name, of: element) ?? "" }

    private func optionalText(_ name: String, of element: Element) -> String? {
        element.child(name).map { Paragraphs.normalized($0.text) }
    }

    private mutating func richText(_ name: String, of element: Element) -> RichText? {
        element.child(name).map { $0.richText(&issues) }
    }
}

extension Element {
    /// Returns the rich text, and reports what is wrong with its markup.
    func richText(_ issues: inout IssueLog) -> RichText {
        if let rich { return rich }
        guard !text.trimmedSpace.isEmpty else { return RichText(blocks: []) }
        do {
            return try RichText.parse(commonMark: text) { remark in
                let place = textLine.map { DocumentPosition(line: $0 + remark.line - 1, column: 1) } ?? location
                issues.add(remark.severity, place, "'\(name)' \(remark.message)")
            }
        } catch {
            issues.error(location, error.reason)
            return RichText(blocks: [])
        }
    }
}

/// The locations of a story's parts in its document: those with ids, files, translations, and parts of treatments.
package struct StoryLocations: Sendable {
    package enum Kind: String, Sendable {
        case chapter, event, lockbox, section, item, news, plan
        /// A language's translation, by its tag, and a field of it, by the tag, a space and the key.
        case translation, translated
        /// A file that is shown or played, by its path.
        case source
        /// A part of a treatment or a meter, by its text.
        case recipe, filter, overlay, style, meter
        /// The time zone of a window.
        case zone
        /// The house's face, with an empty text.
        case face
    }

    package struct Part: Hashable, Sendable {
        package var kind: Kind
        /// The id, path or text of the part.
        package var text: String

        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The parts in the order of the document.
    package private(set) var parts: [Part] = []
    private var all: [Part: [DocumentPosition]] = [:]
    /// The fields that can be translated, if they were wanted.
    var fields = FieldLocations()

    mutating func add(_ kind: Kind, _ id: String, _ location: DocumentPosition) {
        let part = Part(kind, id)
        parts.append(part)
        all[part, default: []].append(location)
    }

    /// Adds everything within an element that refers to a file or belongs to a treatment, in the order of the
    /// document.
    mutating func addParts(of element: Element) {
        func add(_ kind: Kind, _ text: String?) {
            if let text { self.add(kind, text.trimmedSpace, element.location) }
        }
        add(.source, element[attribute: "source"])
        if element.name == "face" {
            add(.face, "")
            add(.source, element[attribute: "font"])
        }
        switch element.name {
        case "camera":
            add(.recipe, element[attribute: "recipe"])
            for text in element.children("text") {
                self.add(.style, text[attribute: "style"]?.trimmedSpace ?? "", text.location)
            }
        case "filter": add(.filter, element.text)
        case "overlay": add(.overlay, element.text)
        case "visualizer": add(.meter, element[attribute: "meter"])
        case "window", "during": add(.zone, element[attribute: "zone"])
        default: break
        }
        for child in element.children { addParts(of: child) }
    }

    /// Returns all locations of parts with the given kind and id, in the order of the document.
    func locations(_ kind: Kind, _ id: String) -> [DocumentPosition] { locations(Part(kind, id)) }

    package func locations(_ part: Part) -> [DocumentPosition] { all[part] ?? [] }

    package func first(_ kind: Kind, _ id: String) -> DocumentPosition { locations(kind, id).first ?? .none }
}
