/// What an event, or an entry of the journal, shows, plays or asks for.
public enum EventContent: Hashable, Sendable, Codable {
    case camera(CameraContent)
    case radio(RadioContent)
    case scrapbook(ScrapbookContent)
    case goggles(GogglesContent)
    case quiz(QuizContent)

    /// The name of the kind, as in documents: `camera`, `radio`, …
    public var kind: String {
        switch self {
        case .camera: "camera"
        case .radio: "radio"
        case .scrapbook: "scrapbook"
        case .goggles: "goggles"
        case .quiz: "quiz"
        }
    }
}

/// A capture that the player takes, and how it is treated.
public struct CameraContent: Hashable, Sendable, Codable {
    /// What is to be captured.
    public var clue: String
    /// An example of it.
    public var sample: Asset?
    public var treatment: Treatment

    public init(clue: String, sample: Asset? = nil, treatment: Treatment = Treatment()) {
        self.clue = clue
        self.sample = sample
        self.treatment = treatment
    }
}

/// How a capture is treated, in the words of `wayreel capture`.
public struct Treatment: Hashable, Sendable, Codable {
    /// A preset's name, or the path of a recipe in the story's folder.
    public var recipe: String?
    /// `sepia-tone:intensity=0.8`, applied in order after the recipe's.
    public var filters: [String]
    /// `badge.png@north-east+16+16`, drawn in order.
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
        /// `gravity=south,size=6%`
        public var style: String?

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
        /// What is said and heard.
        public var transcript: String?

        public init(_ audio: Asset, transcript: String? = nil) {
            self.audio = audio
            self.transcript = transcript
        }
    }

    public struct Visualizer: Hashable, Sendable, Codable {
        /// Readings in a second, 1 to 1000.
        public var rate: Double
        /// The name of a meter: see `wayreel meters`.
        public var meter: String
        /// `waveform`, `strip` or `bars`.
        public var style: String

        public init(rate: Double = 30, meter: String = "peak", style: String = "bars") {
            self.rate = rate
            self.meter = meter
            self.style = style
        }
    }

    /// At least one.
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
        case text(String)
        case image(Asset)
        case video(Asset)
    }

    /// At least one.
    public var items: [Item]

    public init(items: [Item]) { self.items = items }
}

/// Images pinned to geographic points, seen through the camera.
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

    /// At least one.
    public var pins: [Pin]
    /// Metres: nearer pins look as large as at this distance; nil: 0.
    public var minScalingDistance: Double?
    /// Metres: farther pins look as large as at this distance; nil: no limit.
    public var maxScalingDistance: Double?
    /// The size at ``maxScalingDistance`` as a share of that at ``minScalingDistance``, 0 to 1; nil: what is natural.
    public var scalingFactor: Double?
    /// Metres beyond which pins are not seen; nil: no limit.
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

/// Questions with choices, whose score is kept.
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
        public var text: String
        public var image: Asset?
        /// At least two, of which at least one is correct.
        public var choices: [Choice]
        /// What a correct answer adds to the score, 0 to 1000.
        public var points: Int

        public init(text: String, image: Asset? = nil, choices: [Choice], points: Int = 1) {
            self.text = text
            self.image = image
            self.choices = choices
            self.points = points
        }
    }

    /// At least one.
    public var questions: [Question]

    public init(questions: [Question]) { self.questions = questions }
}
