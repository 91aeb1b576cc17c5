/// The elements of a story document. This table defines the XML Schema, the reading of YAML, and the order of
/// elements in both writers.
///
/// YAML has the same content as XML: attributes and child elements are keys, a repeatable element is a list under its
/// plural, and an element that contains only text is a string.
enum Vocabulary {
    static let root = ChildRule("story", .story)

    /// Names in documents of the original app, mapped to their current names.
    static let formerNames = ["myth": "story", "shade": "chapter"]

    /// The name of an element that holds one text of a list in place of a text.
    static let listedText = "value"

    /// The names of elements that hold a text, wherever they are.
    static let textNames = names { $0.isText }

    /// The names of elements that hold a rich text, wherever they are.
    static let richNames = names { if case .rich = $0 { true } else { false } }

    /// Returns the names of elements whose content has a property in all places.
    private static func names(_ isWanted: (ElementRule.Content) -> Bool) -> Set<String> {
        var (wanted, others): (Set<String>, Set<String>) = ([], [root.name])
        for child in ElementType.allCases.flatMap(\.rule.children) {
            if isWanted(child.type.rule.content) { wanted.insert(child.name) } else { others.insert(child.name) }
        }
        return wanted.subtracting(others)
    }
}

/// The allowed content of an element.
struct ElementRule: Sendable {
    enum Content: Sendable {
        /// Only attributes.
        case empty
        case text(TextRule)
        /// A text with paragraphs, lists, quotes, emphasis and links: in XML these are elements, in YAML it is CommonMark.
        case rich
        /// A rich text, or a list of texts: in XML an element of this rule for each of them.
        case richOrList(ChildRule)
        /// These elements, in this order.
        case sequence([ChildRule])
        /// Any of these elements, in any order; `count` is their total number.
        case list([ChildRule], count: ClosedRange<Int>)

        var isRichOrList: Bool { if case .richOrList = self { true } else { false } }

        var isText: Bool {
            switch self {
            case .text, .rich, .richOrList: true
            case .empty, .sequence, .list: false
            }
        }
    }

    /// The name of the type in the XML Schema.
    var name: String
    var attributes: [AttributeRule] = []
    var content: Content
}

extension ElementRule {
    var children: [ChildRule] {
        switch content {
        case .sequence(let children), .list(let children, _): children
        case .richOrList(let child): [child]
        case .empty, .text, .rich: []
        }
    }
}

struct AttributeRule: Sendable {
    var name: String
    var type: TextRule
    var isRequired: Bool
    /// The value that is used if the attribute is absent.
    var defaultValue: String?

    static func required(_ name: String, _ type: TextRule) -> AttributeRule {
        AttributeRule(name: name, type: type, isRequired: true)
    }

    static func optional(_ name: String, _ type: TextRule, default value: String? = nil) -> AttributeRule {
        AttributeRule(name: name, type: type, isRequired: false, defaultValue: value)
    }
}

/// A child element of an element.
struct ChildRule: Sendable {
    enum Count: Sendable {
        case one, optional, any, some
    }

    var name: String
    var type: ElementType
    var count: Count = .one
    /// The key of its list in YAML if the element is repeatable.
    var plural: String?
    /// The choice group: only one of the elements of a sequence with the same group may occur.
    var choice: String?

    init(_ name: String, _ type: ElementType) {
        self.name = name
        self.type = type
    }

    /// Whether it has to occur, or one of its choice.
    var isNeeded: Bool { [.one, .some].contains(count) }

    static func one(_ name: String, _ type: ElementType) -> ChildRule { ChildRule(name, type) }

    static func optional(_ name: String, _ type: ElementType) -> ChildRule {
        var rule = ChildRule(name, type)
        rule.count = .optional
        return rule
    }

    static func many(_ name: String, _ plural: String, _ type: ElementType, atLeastOne: Bool = false) -> ChildRule {
        var rule = ChildRule(name, type)
        rule.plural = plural
        rule.count = atLeastOne ? .some : .any
        return rule
    }

    /// Returns the rules of a choice, of which exactly one, or at most one, may occur.
    static func choice(_ group: String, isOptional: Bool = false, _ rules: [ChildRule]) -> [ChildRule] {
        rules.map { rule in
            var rule = rule
            rule.choice = group
            rule.count = isOptional ? .optional : .one
            return rule
        }
    }
}

/// The types of elements, by name because conditions are recursive.
enum ElementType: String, CaseIterable, Sendable {
    case story, chapter, lockbox, event, journal, point, activation, window, condition, conditions, found, opened
    case camera, overlaidText, radio, track, visualizer, scrapbook, video, captions, goggles, pin, quiz, question
    case choice, exhibit
    case face, about, news, section, item, arrival, translation, translatedText
    case asset, map, plan, planPin, anchor
    case text, rich, filter, overlay

    /// The rules are made once: a document asks for them at each element.
    private static let rules = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.definition) })

    var rule: ElementRule { Self.rules[self] ?? definition }

    private var definition: ElementRule {
        switch self {
        case .story:
            ElementRule(
                name: "Story",
                attributes: [
                    .required("id", .id), .required("language", .language),
                    .optional("version", .version, default: "1"),
                ],
                content: .sequence([
                    .one("name", .text), .optional("description", .rich), .optional("cover", .asset),
                    .optional("credits", .rich), .optional("face", .face), .optional("about", .about),
                    .many("news", "news", .news), .many("section", "sections", .section),
                    .optional("map", .map), .many("plan", "plans", .plan), .optional("arrival", .arrival),
                    .many("chapter", "chapters", .chapter, atLeastOne: true),
                    .many("translation", "translations", .translation),
                ]))
        case .chapter:
            ElementRule(
                name: "Chapter",
                attributes: [
                    .required("id", .id), .optional("order", .keywords(Chapter.Order.self), default: "free"),
                    .optional("presentation", .keywords(Chapter.Presentation.self), default: "steps"),
                    .optional("floor", .id),
                ],
                content: .sequence([
                    .one("name", .text), .optional("description", .rich), .optional("image", .asset),
                    .optional("location", .point), .optional("map", .map), .many("plan", "plans", .plan),
                    .many("lockbox", "lockboxes", .lockbox), .many("event", "events", .event),
                ]))
        case .lockbox:
            ElementRule(
                name: "Lockbox", attributes: [.required("id", .id)],
                content: .sequence([
                    .one("question", .rich), .many("answer", "answers", .text, atLeastOne: true),
                    .many("hint", "hints", .text),
                ]))
        case .event:
            ElementRule(
                name: "Event", attributes: [.required("id", .id)],
                content: .sequence(
                    [
                        .one("name", .text), .optional("description", .rich), .one("position", .point),
                        .optional("anchor", .anchor), .one("activation", .activation), .optional("window", .window),
                        .optional("condition", .condition),
                    ] + ChildRule.choice("content", contents) + [
                        .optional("journal", .journal), .optional("arrival", .arrival),
                    ]))
        case .journal:
            ElementRule(
                name: "Journal",
                content: .sequence(
                    [.one("title", .text), .optional("description", .rich)]
                        + ChildRule.choice("content", isOptional: true, contents)))
        case .point:
            ElementRule(
                name: "Point",
                attributes: [
                    .required("latitude", .latitude), .required("longitude", .longitude),
                    .optional("altitude", .altitude),
                ],
                content: .empty)
        case .activation:
            ElementRule(
                name: "Activation",
                attributes: [
                    .required("radius", .radius),
                    .optional("trigger", .keywords(Activation.Trigger.self), default: "enter"),
                    .optional("seconds", .seconds), .optional("code", .code),
                ],
                content: .empty)
        case .window:
            ElementRule(
                name: "Window",
                attributes: [
                    .required("zone", .zone), .optional("from", .timeOfDay), .optional("until", .timeOfDay),
                    .optional("days", .days), .optional("first", .date), .optional("last", .date),
                ],
                content: .empty)
        case .condition: ElementRule(name: "Condition", content: .list(conditions, count: 1...1))
        case .conditions: ElementRule(name: "Conditions", content: .list(conditions, count: 1...1000))
        case .found: ElementRule(name: "Found", attributes: [.required("event", .id)], content: .empty)
        case .opened: ElementRule(name: "Opened", attributes: [.required("lockbox", .id)], content: .empty)
        case .camera:
            ElementRule(
                name: "Camera", attributes: [.optional("recipe", .line)],
                content: .sequence([
                    .one("clue", .rich), .optional("sample", .asset), .many("filter", "filters", .filter),
                    .many("overlay", "overlays", .overlay), .many("text", "texts", .overlaidText),
                ]))
        case .overlaidText:
            ElementRule(name: "OverlaidText", attributes: [.optional("style", .line)], content: .text(.text))
        case .radio:
            ElementRule(
                name: "Radio",
                content: .sequence([
                    .many("audio", "tracks", .track, atLeastOne: true), .optional("visualizer", .visualizer),
                ]))
        case .track:
            ElementRule(
                name: "Audio", attributes: assetAttributes,
                content: .sequence([.optional("transcript", .rich), .many("captions", "captions", .captions)]))
        case .visualizer:
            ElementRule(
                name: "Visualizer",
                attributes: [
                    .optional("rate", .rate, default: "30"), .optional("meter", .line, default: "peak"),
                    .optional("style", .oneOf("VisualizerStyle", ["waveform", "strip", "bars"]), default: "bars"),
                ],
                content: .empty)
        case .scrapbook:
            ElementRule(
                name: "Scrapbook",
                content: .list(
                    [.one("text", .rich), .one("image", .asset), .one("video", .video)], count: 1...1000))
        case .video:
            ElementRule(
                name: "Video", attributes: assetAttributes,
                content: .sequence([.many("captions", "captions", .captions)]))
        case .captions:
            ElementRule(
                name: "Captions",
                attributes: [
                    .required("source", .path), .optional("language", .language), .optional("label", .line),
                ],
                content: .empty)
        case .goggles:
            ElementRule(
                name: "Goggles",
                attributes: [
                    .optional("minScalingDistance", .radius), .optional("maxScalingDistance", .radius),
                    .optional("scalingFactor", .share), .optional("maxDistance", .radius),
                ],
                content: .sequence([.many("pin", "pins", .pin, atLeastOne: true)]))
        case .pin:
            ElementRule(
                name: "Pin",
                attributes: assetAttributes + ElementType.point.definition.attributes + [.required("size", .size)],
                content: .empty)
        case .quiz:
            ElementRule(
                name: "Quiz", content: .sequence([.many("question", "questions", .question, atLeastOne: true)]))
        case .question:
            ElementRule(
                name: "Question", attributes: [.optional("points", .points, default: "1")],
                content: .sequence([
                    .one("text", .rich), .optional("image", .asset),
                    .many("choice", "choices", .choice, atLeastOne: true),
                ]))
        case .choice:
            ElementRule(
                name: "Choice", attributes: [.optional("correct", .flag, default: "false")], content: .text(.text))
        case .exhibit: ElementRule(name: "Exhibit", attributes: [.required("item", .id)], content: .empty)
        case .face:
            ElementRule(
                name: "Face",
                attributes: [
                    .optional("color", .color), .optional("accent", .color), .optional("font", .path),
                    .optional("fontLicense", .line),
                ],
                content: .sequence([.optional("name", .text), .optional("logo", .asset)]))
        case .about:
            ElementRule(
                name: "About",
                content: .sequence([
                    .optional("text", .rich), .optional("address", .text), .optional("position", .point),
                    .optional("hours", .rich),
                ]))
        case .news:
            ElementRule(
                name: "News", attributes: [.required("id", .id), .required("date", .date)],
                content: .sequence([.one("title", .text), .optional("text", .rich), .optional("image", .asset)]))
        case .section:
            ElementRule(
                name: "Section", attributes: [.required("id", .id)],
                content: .sequence([
                    .one("name", .text), .optional("description", .rich), .optional("image", .asset),
                    .many("item", "items", .item),
                ]))
        case .item:
            ElementRule(
                name: "Item",
                attributes: [.required("id", .id), .optional("hidden", .flag, default: "false")],
                content: .sequence([
                    .one("name", .text), .optional("text", .rich), .many("image", "images", .asset),
                    .optional("audio", .track), .optional("position", .point), .optional("anchor", .anchor),
                ]))
        case .arrival:
            ElementRule(
                name: "Arrival", attributes: [.optional("vibrate", .flag, default: "true")],
                content: .sequence([.optional("sound", .asset)]))
        case .translation:
            ElementRule(
                name: "Translation", attributes: [.required("language", .language)],
                content: .sequence([.many("text", "texts", .translatedText)]))
        case .translatedText:
            ElementRule(
                name: "TranslatedText", attributes: [.required("key", .line), .optional("hash", .hash)],
                content: .richOrList(.one(Vocabulary.listedText, .text)))
        case .asset: ElementRule(name: "Asset", attributes: assetAttributes, content: .empty)
        case .map:
            ElementRule(
                name: "Map",
                attributes: [
                    .required("source", .path), .optional("author", .line), .optional("license", .line),
                    .optional("origin", .address),
                ],
                content: .empty)
        case .plan:
            ElementRule(
                name: "Plan",
                attributes: [.required("id", .id), .required("level", .level)] + assetAttributes,
                content: .sequence([.one("name", .text), .many("pin", "pins", .planPin, atLeastOne: true)]))
        case .planPin:
            ElementRule(
                name: "PlanPin",
                attributes: [
                    .required("x", .pixels), .required("y", .pixels), .required("latitude", .latitude),
                    .required("longitude", .longitude),
                ],
                content: .empty)
        case .anchor:
            ElementRule(
                name: "Anchor",
                attributes: [.required("floor", .id), .optional("x", .pixels), .optional("y", .pixels)],
                content: .empty)
        case .text: ElementRule(name: "Paragraphs", content: .text(.text))
        case .rich: ElementRule(name: "RichText", content: .rich)
        case .filter, .overlay: ElementRule(name: self == .filter ? "Filter" : "Overlay", content: .text(.line))
        }
    }

    private var assetAttributes: [AttributeRule] {
        [
            .required("source", .path), .optional("alt", .line), .optional("author", .line),
            .optional("license", .line), .optional("origin", .address),
        ]
    }

    private var contents: [ChildRule] {
        [
            .one("camera", .camera), .one("radio", .radio), .one("scrapbook", .scrapbook), .one("goggles", .goggles),
            .one("quiz", .quiz), .one("exhibit", .exhibit),
        ]
    }

    private var conditions: [ChildRule] {
        [
            .one("all", .conditions), .one("any", .conditions), .one("not", .condition), .one("found", .found),
            .one("opened", .opened), .one("during", .window),
        ]
    }
}
