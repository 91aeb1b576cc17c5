internal import WayreelCore

/// Converts a story to a tree of elements. Default values are omitted.
enum StoryEncoder {
    static func element(_ story: Story) -> Element {
        .named(
            "story", [("id", story.id), ("language", story.language)],
            [
                text("name", story.name), richText("description", story.description), asset("cover", story.cover),
                richText("credits", story.credits), story.face.map(face), story.about.map(about),
            ] + story.news.map(news) + story.sections.map(section) + [map(story.map)] + story.plans.map(plan)
                + [story.arrival.map(arrival)]
                + story.chapters.map(chapter) + translations(of: story).map(translation))
    }

    /// The translations, with rich texts for plain ones where fields are rich: JSON has the same string for both.
    private static func translations(of story: Story) -> [Translation] {
        guard !story.translations.isEmpty else { return [] }
        let kinds = FieldKinds(story.translatableFields)
        return story.translations.map { translation in
            var translation = translation
            for index in translation.entries.indices where kinds[translation.entries[index].key] == .rich {
                guard case .plain(let text) = translation.entries[index].value else { continue }
                translation.entries[index].value = .rich(RichText(plain: text))
            }
            return translation
        }
    }

    // MARK: The house and its collection

    private static func face(_ face: Face) -> Element {
        .named(
            "face",
            [("color", face.color), ("accent", face.accent), ("font", face.font), ("fontLicense", face.fontLicense)],
            [text("name", face.name), asset("logo", face.logo)])
    }

    private static func about(_ about: About) -> Element {
        .named(
            "about", [],
            [
                richText("text", about.text), text("address", about.address),
                about.position.map { .named("position", point($0)) }, richText("hours", about.hours),
            ])
    }

    private static func news(_ entry: NewsEntry) -> Element? {
        .named(
            "news", [("id", entry.id), ("date", entry.date)],
            [text("title", entry.title), richText("text", entry.text), asset("image", entry.image)])
    }

    private static func section(_ section: Section) -> Element? {
        .named(
            "section", [("id", section.id)],
            [
                text("name", section.name), richText("description", section.description),
                asset("image", section.image),
            ] + section.items.map(item))
    }

    private static func item(_ item: Item) -> Element? {
        .named(
            "item", [("id", item.id), ("hidden", item.isHidden ? "true" : nil)],
            [text("name", item.name), richText("text", item.text)] + item.images.map { asset("image", $0) }
                + [
                    item.audio.flatMap(track), item.position.map { .named("position", point($0)) },
                    item.anchor.map(anchor),
                ])
    }

    private static func plan(_ plan: FloorPlan) -> Element? {
        var element = asset("plan", plan.image)
        element?.attributes.insert(
            contentsOf: [("id", plan.id), ("level", number(plan.level))].map {
                Element.Attribute(name: $0, value: $1, location: .none)
            }, at: 0)
        let pins = plan.pins.map { pin in
            Element.named(
                "pin",
                [
                    ("x", number(pin.x)), ("y", number(pin.y)), ("latitude", number(pin.latitude)),
                    ("longitude", number(pin.longitude)),
                ])
        }
        element?.children = [text("name", plan.name)].compactMap(\.self) + pins
        return element
    }

    private static func anchor(_ anchor: Anchor) -> Element {
        .named("anchor", [("floor", anchor.floor), ("x", anchor.x.map(number)), ("y", anchor.y.map(number))])
    }

    private static func arrival(_ arrival: Arrival) -> Element {
        .named(
            "arrival", [("vibrate", arrival.isVibrating ? nil : "false")], [asset("sound", arrival.sound)])
    }

    static func translation(_ translation: Translation) -> Element? {
        .named("translation", [("language", translation.language)], translation.entries.map(translated))
    }

    static func translated(_ entry: Translation.Entry) -> Element? {
        var element: Element? =
            switch entry.value {
            case .plain(let plain): text("text", plain)
            case .rich(let rich): richText("text", rich)
            case .list(let texts): .named("text", [], texts.map { text("value", $0) })
            }
        element?.set([("key", entry.key), ("hash", entry.hash)])
        return element
    }

    // MARK: Chapters

    private static func chapter(_ chapter: Chapter) -> Element? {
        .named(
            "chapter",
            [
                ("id", chapter.id), ("order", chapter.order == .free ? nil : chapter.order.rawValue),
                ("presentation", chapter.presentation == .steps ? nil : chapter.presentation.rawValue),
                ("floor", chapter.floor),
            ],
            [
                text("name", chapter.name), richText("description", chapter.description), asset("image", chapter.image),
                chapter.location.map { .named("location", point($0)) }, map(chapter.map),
            ] + (chapter.plans ?? []).map(plan) + chapter.lockboxes.map(lockbox) + chapter.events.map(event))
    }

    private static func lockbox(_ lockbox: Lockbox) -> Element? {
        .named(
            "lockbox", [("id", lockbox.id)],
            [richText("question", lockbox.question)] + lockbox.answers.map { text("answer", $0) }
                + lockbox.hints.map { text("hint", $0) })
    }

    private static func event(_ event: Event) -> Element? {
        .named(
            "event", [("id", event.id)],
            [
                text("name", event.name), richText("description", event.description),
                .named("position", point(event.position)), event.anchor.map(anchor), activation(event.activation),
                event.window.map { window("window", $0) },
                event.condition.map { .named("condition", [], [condition($0)]) }, content(event.content),
                event.journal.map(journal), event.arrival.map(arrival),
            ])
    }

    private static func journal(_ entry: JournalEntry) -> Element {
        .named(
            "journal", [],
            [text("title", entry.title), richText("description", entry.description), entry.content.map(content)])
    }

    private static func activation(_ activation: Activation) -> Element {
        .named(
            "activation",
            [
                ("radius", number(activation.radius)),
                ("trigger", activation.trigger == .enter ? nil : activation.trigger.rawValue),
                ("seconds", activation.dwellSeconds.map(number)),
                ("code", activation.code),
            ])
    }

    private static func window(_ name: String, _ window: TimeWindow) -> Element {
        .named(
            name,
            [
                ("zone", window.zone), ("from", window.from?.description), ("until", window.until?.description),
                ("days", window.days.isEmpty ? nil : window.days.map(\.rawValue).joined(separator: " ")),
                ("first", window.firstDate), ("last", window.lastDate),
            ])
    }

    private static func condition(_ condition: Condition) -> Element {
        switch condition {
        case .all(let parts): .named("all", [], parts.map { self.condition($0) })
        case .any(let parts): .named("any", [], parts.map { self.condition($0) })
        case .not(let part): .named("not", [], [self.condition(part)])
        case .found(let event): .named("found", [("event", event)])
        case .opened(let lockbox): .named("opened", [("lockbox", lockbox)])
        case .during(let window): self.window("during", window)
        }
    }

    // MARK: Content

    private static func content(_ content: EventContent) -> Element {
        switch content {
        case .camera(let camera): self.camera(camera)
        case .radio(let radio):
            .named("radio", [], radio.tracks.map(track) + [radio.visualizer.map(visualizer)])
        case .scrapbook(let scrapbook): .named("scrapbook", [], scrapbook.items.map(item))
        case .goggles(let goggles): .named("goggles", scaling(goggles), goggles.pins.map(pin))
        case .quiz(let quiz): .named("quiz", [], quiz.questions.map(question))
        case .exhibit(let exhibit): .named("exhibit", [("item", exhibit.item)])
        }
    }

    private static func camera(_ camera: CameraContent) -> Element {
        let treatment = camera.treatment
        return .named(
            "camera", [("recipe", treatment.recipe)],
            [richText("clue", camera.clue), asset("sample", camera.sample)]
                + treatment.filters.map { line("filter", $0) }
                + treatment.overlays.map { line("overlay", $0) }
                + treatment.texts.map { styled in
                    var element = text("text", styled.text)
                    element?.set([("style", styled.style)])
                    return element
                })
    }

    private static func track(_ track: RadioContent.Track) -> Element? {
        var element = asset("audio", track.audio)
        element?.children = [richText("transcript", track.transcript)].compactMap(\.self) + captions(track.captions)
        return element
    }

    private static func visualizer(_ visualizer: RadioContent.Visualizer) -> Element {
        let usual = RadioContent.Visualizer()
        return .named(
            "visualizer",
            [
                ("rate", visualizer.rate == usual.rate ? nil : number(visualizer.rate)),
                ("meter", visualizer.meter == usual.meter ? nil : visualizer.meter),
                ("style", visualizer.style == usual.style ? nil : visualizer.style),
            ])
    }

    private static func item(_ item: ScrapbookContent.Item) -> Element? {
        switch item {
        case .text(let text): richText("text", text)
        case .image(let image): asset("image", image)
        case .video(let video): self.video(video)
        }
    }

    private static func video(_ video: ScrapbookContent.Video) -> Element? {
        var element = asset("video", video.asset)
        element?.children = captions(video.captions)
        return element
    }

    private static func captions(_ captions: [ScrapbookContent.Captions]?) -> [Element] {
        (captions ?? []).map {
            .named("captions", [("source", $0.source), ("language", $0.language), ("label", $0.label)])
        }
    }

    private static func scaling(_ goggles: GogglesContent) -> [(String, String?)] {
        [
            ("minScalingDistance", goggles.minScalingDistance.map(number)),
            ("maxScalingDistance", goggles.maxScalingDistance.map(number)),
            ("scalingFactor", goggles.scalingFactor.map(number)), ("maxDistance", goggles.maxDistance.map(number)),
        ]
    }

    private static func pin(_ pin: GogglesContent.Pin) -> Element? {
        var element = asset("pin", pin.image)
        element?.set(point(pin.position) + [("size", number(pin.size))])
        return element
    }

    private static func question(_ question: QuizContent.Question) -> Element? {
        .named(
            "question", [("points", question.points == 1 ? nil : String(question.points))],
            [richText("text", question.text), asset("image", question.image)]
                + question.choices.map { choice in
                    var element = text("choice", choice.text)
                    element?.set([("correct", choice.isCorrect ? "true" : nil)])
                    return element
                })
    }

    // MARK: Values

    private static func text(_ name: String, _ text: String?) -> Element? {
        text.map { Element(name: name, text: Paragraphs.written($0)) }
    }

    private static func richText(_ name: String, _ text: RichText?) -> Element? {
        text.map { Element(name: name, rich: $0.normalized) }
    }

    private static func line(_ name: String, _ text: String) -> Element? { Element(name: name, text: text) }

    private static func asset(_ name: String, _ asset: Asset?) -> Element? {
        asset.map {
            .named(
                name,
                [
                    ("source", $0.source), ("alt", $0.alt), ("author", $0.author), ("license", $0.license),
                    ("origin", $0.origin),
                ])
        }
    }

    private static func map(_ map: BaseMap?) -> Element? {
        map.map {
            .named(
                "map",
                [("source", $0.source), ("author", $0.author), ("license", $0.license), ("origin", $0.origin)])
        }
    }

    private static func point(_ point: GeoPoint) -> [(String, String?)] {
        [
            ("latitude", number(point.latitude)), ("longitude", number(point.longitude)),
            ("altitude", point.altitude.map(number)),
        ]
    }

    private static func number(_ value: Double) -> String { DecimalNumber.text(value) }
}

extension Element {
    static func named(
        _ name: String, _ attributes: [(String, String?)], _ children: [Element?] = []
    ) -> Element {
        var element = Element(name: name, children: children.compactMap(\.self))
        element.set(attributes)
        return element
    }

    /// Adds the attributes whose values are not nil.
    fileprivate mutating func set(_ attributes: [(String, String?)]) {
        for case (let name, let value?) in attributes {
            self.attributes.append(Attribute(name: name, value: value, location: .none))
        }
    }
}
