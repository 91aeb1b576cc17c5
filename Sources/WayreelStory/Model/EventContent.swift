internal import WayreelCore

/// The content of an event or of a journal entry: what it shows, plays or asks for.
public enum EventContent: Hashable, Sendable, Codable {
    case camera(CameraContent)
    case radio(RadioContent)
    case scrapbook(ScrapbookContent)
    case goggles(GogglesContent)
    case quiz(QuizContent)
    case exhibit(ExhibitContent)

    /// The name of the kind in documents: `camera`, `radio`, …
    public var kind: String {
        switch self {
        case .camera: "camera"
        case .radio: "radio"
        case .scrapbook: "scrapbook"
        case .goggles: "goggles"
        case .quiz: "quiz"
        case .exhibit: "exhibit"
        }
    }

    /// Reads `{"type": "camera", "clue": …}`, and the form of version 1: see ``Story``.
    public init(from decoder: any Decoder) throws {
        let content = try CaseDecoder(decoder)
        self =
            switch content.name {
            case "camera": .camera(try content.value())
            case "radio": .radio(try content.value())
            case "scrapbook": .scrapbook(try content.value())
            case "goggles": .goggles(try content.value())
            case "quiz": .quiz(try content.value())
            case "exhibit": .exhibit(try content.value())
            default: throw content.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .camera(let content): try encoder.encode(case: kind, content)
        case .radio(let content): try encoder.encode(case: kind, content)
        case .scrapbook(let content): try encoder.encode(case: kind, content)
        case .goggles(let content): try encoder.encode(case: kind, content)
        case .quiz(let content): try encoder.encode(case: kind, content)
        case .exhibit(let content): try encoder.encode(case: kind, content)
        }
    }
}

/// A capture that the player takes, and its treatment.
public struct CameraContent: Hashable, Sendable, Codable {
    /// A hint about the subject of the capture.
    public var clue: RichText
    /// An example capture.
    public var sample: Asset?
    public var treatment: Treatment

    public init(clue: RichText, sample: Asset? = nil, treatment: Treatment = Treatment()) {
        self.clue = clue
        self.sample = sample
        self.treatment = treatment
    }
}

/// The processing of a capture, in the syntax of `wayreel capture`.
public struct Treatment: Hashable, Sendable, Codable {
    /// The name of a preset, or the path of a recipe in the story's folder.
    public var recipe: String?
    /// Filters, such as `sepia-tone:intensity=0.8`, applied in order after the recipe's.
    public var filters: [String]
    /// Overlays, such as `badge.png@north-east+16+16`, drawn in order.
    public var overlays: [String]
    public var texts: [StyledText]

    public init(
        recipe: String? = nil, filters: [String] = [], overlays: [String] = [], texts: [StyledText] = []
    ) {
        self.recipe = recipe
        self.filters = filters
        self.overlays = overlays
        self.texts = texts
    }

    /// A text over a capture.
    public struct StyledText: Hashable, Sendable, Codable {
        public var text: String
        /// The style, such as `gravity=south,size=6%`.
        public var style: String?

        /// The most characters that can be drawn.
        static let maxLength = 10_000

        public init(_ text: String, style: String? = nil) {
            self.text = text
            self.style = style
        }
    }
}

/// Audio, with a visualizer of its levels.
public struct RadioContent: Hashable, Sendable, Codable {
    public struct Track: Hashable, Sendable, Codable {
        public var audio: Asset
        /// A transcript of what is said and heard.
        public var transcript: RichText?
        /// The captions, as of videos; nil if there are none.
        public var captions: [ScrapbookContent.Captions]?

        public init(_ audio: Asset, transcript: RichText? = nil, captions: [ScrapbookContent.Captions]? = nil) {
            self.audio = audio
            self.transcript = transcript
            self.captions = captions
        }
    }

    public struct Visualizer: Hashable, Sendable, Codable {
        /// The readings per second, 1 to 1000.
        public var rate: Double
        /// The name of a meter; `wayreel meters` lists them.
        public var meter: String
        /// The style: `waveform`, `strip` or `bars`.
        public var style: String

        public init(rate: Double = 30, meter: String = "peak", style: String = "bars") {
            self.rate = rate
            self.meter = meter
            self.style = style
        }
    }

    /// The tracks; at least one.
    public var tracks: [Track]
    public var visualizer: Visualizer?

    public init(tracks: [Track], visualizer: Visualizer? = nil) {
        self.tracks = tracks
        self.visualizer = visualizer
    }
}

/// Text, images and video, in order.
public struct ScrapbookContent: Hashable, Sendable, Codable {
    public enum Item: Hashable, Sendable, Codable {
        case text(RichText)
        case image(Asset)
        case video(Video)

        /// Reads `{"type": "text", "text": …}` or `{"type": "image", "source": …}`, and the form of version 1.
        public init(from decoder: any Decoder) throws {
            let item = try CaseDecoder(decoder)
            self =
                switch item.name {
                case "text": .text(try item.member("text"))
                case "image": .image(try item.value())
                case "video": .video(try item.value())
                default: throw item.unknownName
                }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .text(let text): try encoder.encode(case: "text", "text", text)
            case .image(let image): try encoder.encode(case: "image", image)
            case .video(let video): try encoder.encode(case: "video", video)
            }
        }
    }

    public struct Video: Hashable, Sendable, Codable {
        /// The path relative to the story's folder.
        public var source: String
        /// A description of the content, for people who cannot see or hear it.
        public var alt: String?
        /// The captions, in the order of the player's menu; nil if there are none.
        public var captions: [Captions]?
        /// Who made it, under which licence it is shown, and the address that it was taken from: see ``Asset``.
        public var author: String?
        public var license: String?
        public var origin: String?

        public init(source: String, alt: String? = nil, captions: [Captions]? = nil) {
            self.init(Asset(source: source, alt: alt), captions: captions)
        }

        public init(_ asset: Asset, captions: [Captions]? = nil) {
            source = asset.source
            alt = asset.alt
            self.captions = captions
            author = asset.author
            license = asset.license
            origin = asset.origin
        }

        package var asset: Asset {
            Asset(source: source, alt: alt, author: author, license: license, origin: origin)
        }
    }

    /// What is said and heard in a video or in audio, as text with times.
    public struct Captions: Hashable, Sendable, Codable {
        /// The path of a SubRip (`.srt`) or WebVTT (`.vtt`) file, or of a video that has text subtitles.
        public var source: String
        /// The BCP 47 language tag; nil for the story's language.
        public var language: String?
        /// The name in the player's menu; nil for the name of the language.
        public var label: String?

        public init(source: String, language: String? = nil, label: String? = nil) {
            self.source = source
            self.language = language
            self.label = label
        }
    }

    /// The items; at least one.
    public var items: [Item]

    public init(items: [Item]) { self.items = items }

    var videos: [Video] {
        items.compactMap { item in if case .video(let video) = item { video } else { nil } }
    }
}

/// Images pinned to geographic points, shown over the camera image.
public struct GogglesContent: Hashable, Sendable, Codable {
    public struct Pin: Hashable, Sendable, Codable {
        public var image: Asset
        public var position: GeoPoint
        /// The width of the image in the world, in metres, above 0.
        public var size: Double

        public init(image: Asset, position: GeoPoint, size: Double) {
            self.image = image
            self.position = position
            self.size = size
        }
    }

    /// The pins; at least one.
    public var pins: [Pin]
    /// A distance in metres: nearer pins have the size that they have at this distance. nil is 0.
    public var minScalingDistance: Double?
    /// A distance in metres: farther pins have the size that they have at this distance. nil is no limit.
    public var maxScalingDistance: Double?
    /// The size at ``maxScalingDistance`` divided by the size at ``minScalingDistance``, 0 to 1. nil is natural
    /// perspective.
    public var scalingFactor: Double?
    /// The distance in metres beyond which pins are not visible; nil for no limit.
    public var maxDistance: Double?

    public init(
        pins: [Pin], minScalingDistance: Double? = nil, maxScalingDistance: Double? = nil,
        scalingFactor: Double? = nil, maxDistance: Double? = nil
    ) {
        self.pins = pins
        self.minScalingDistance = minScalingDistance
        self.maxScalingDistance = maxScalingDistance
        self.scalingFactor = scalingFactor
        self.maxDistance = maxDistance
    }
}

/// Multiple-choice questions with a score.
public struct QuizContent: Hashable, Sendable, Codable {
    public struct Choice: Hashable, Sendable, Codable {
        public var text: String
        public var isCorrect: Bool

        public init(_ text: String, isCorrect: Bool = false) {
            self.text = text
            self.isCorrect = isCorrect
        }
    }

    public struct Question: Hashable, Sendable, Codable {
        public var text: RichText
        public var image: Asset?
        /// The choices: at least two, of which at least one is correct.
        public var choices: [Choice]
        /// The points that a correct answer adds to the score, 0 to 1000.
        public var points: Int

        public init(text: RichText, image: Asset? = nil, choices: [Choice], points: Int = 1) {
            self.text = text
            self.image = image
            self.choices = choices
            self.points = points
        }
    }

    /// The questions; at least one.
    public var questions: [Question]

    public init(questions: [Question]) { self.questions = questions }
}
