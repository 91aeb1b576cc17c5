internal import Foundation
public import WayreelCore
internal import WayreelDocument
public import WayreelStory

/// The answers of a player in a replay.
public struct StoryAnswers: Hashable, Sendable {
    /// The answers to try in order, by lockbox.
    public var lockboxes: [String: [String]] = [:]
    /// The choices for each question, counted from 0, by quiz event.
    public var quizzes: [String: [[Int]]] = [:]
    /// The codes that the player enters once inside the circles of their events, or in a bundle the hashes of these.
    public var codes: [String] = []

    public init() {}

    /// Reads answers in YAML or JSON. A lockbox has one answer or several, which are tried in order. A quiz has one
    /// answer for each question: the number of a choice, counted from 1, its text, or a list of these if several
    /// choices are correct.
    ///
    ///     first-reader: 1905
    ///     third-bell: [Joy, Gloria]
    ///     counter: [2, A parking lot over the creek, [1, 3]]
    ///     codes: [7KQ2, M3PX]
    ///
    /// Codes that the player reads where they hang stand under `codes`, unless a lockbox or a quiz has that id.
    ///
    /// Throws an `io` error if the file cannot be read, and a `parameter` error with the line if the story has no
    /// such question.
    public static func read(path: String, for story: Story) throws(MediaError) -> StoryAnswers {
        try RegularFile.require(path)
        let bytes = try MediaBytes.read(path: path, limit: YAMLDocument.sizeLimit).array
        let location = DocumentLocation(.answers, file: path)
        var answers = StoryAnswers()
        guard let document = try YAMLDocument.parse(bytes, at: location) else { return answers }
        guard let fields = document.fields else {
            throw document.location.fault("answers are lines such as 'year: 1905', not \(document.shown)")
        }
        let lockboxes = Set(story.chapters.flatMap(\.lockboxes).map(\.id))
        var quizzes: [String: QuizContent] = [:]
        for event in story.chapters.flatMap(\.events) {
            if case .quiz(let quiz) = event.content { quizzes[event.id] = quiz }
        }
        for field in fields {
            let values = field.value.items ?? [field.value]
            if lockboxes.contains(field.key) {
                answers.lockboxes[field.key] = try values.map { (node) throws(MediaError) in try text(node) }
            } else if let quiz = quizzes[field.key] {
                answers.quizzes[field.key] = try choices(values, quiz, field)
            } else if field.key == "codes" {
                answers.codes = try values.map { (node) throws(MediaError) in EventCode.meant(by: try text(node)) }
            } else {
                throw field.keyLocation.fault(
                    "the story has neither a lockbox nor a quiz '\(field.key)'",
                    "it asks \((lockboxes.sorted() + quizzes.keys.sorted()).joined(separator: ", "))")
            }
        }
        return answers
    }

    private static func text(_ node: YAMLNode) throws(MediaError) -> String {
        guard let text = node.text, !node.isNull else {
            throw node.location.fault("an answer is a text or a number, not \(node.shown)")
        }
        if let fault = Playback.fault("an answer", text) { throw node.location.fault(fault) }
        return text
    }

    private static func choices(
        _ nodes: [YAMLNode], _ quiz: QuizContent, _ field: YAMLNode.Field
    ) throws(MediaError) -> [[Int]] {
        guard nodes.count <= quiz.questions.count else {
            throw field.value.location.fault(
                "'\(field.key)' has \(quiz.questions.count) questions, and here are \(nodes.count) answers")
        }
        var choices: [[Int]] = []
        for (question, node) in zip(quiz.questions, nodes) {
            choices.append(
                try (node.items ?? [node]).map { (node) throws(MediaError) in
                    let text = try text(node)
                    if let number = Int(text), question.choices.indices.contains(number - 1) { return number - 1 }
                    guard let match = question.choices.firstIndex(where: { $0.text.asAnswer == text.asAnswer }) else {
                        throw node.location.fault(
                            "'\(text)' is not one of the choices of '\(question.text.plain)'",
                            "give a number from 1 to \(question.choices.count)")
                    }
                    return match
                })
        }
        return choices
    }
}

extension String {
    /// The text without the differences that are ignored in answers: case, accents, width, spaces, punctuation and
    /// symbols.
    ///
    /// It is Unicode's compatibility decomposition (NFKD) in lower case, without the accents of Latin, Greek,
    /// Cyrillic, Hebrew and Arabic. Marks that make another letter, as in Japanese and Hindi, stay. A text that
    /// consists only of punctuation keeps it, so that "?" can be an answer.
    package var asAnswer: String {
        // Case folding may undo the decomposition, and decomposition may undo case folding, as with İ.
        let folded = decomposedStringWithCompatibilityMapping.lowercased().decomposedStringWithCompatibilityMapping
        let spaceless = folded.unicodeScalars.filter { !$0.properties.isWhitespace && !$0.isMarkOrControl }
        let letters = spaceless.filter { !$0.isPunctuation }
        var answer = String.UnicodeScalarView()
        // By scalars, since a character may have a mark that stays.
        for scalar in letters.isEmpty ? spaceless : letters {
            switch scalar {
            case "ß": answer.append(contentsOf: "ss".unicodeScalars)
            case "ς": answer.append("σ")
            default: answer.append(scalar)
            }
        }
        return String(answer)
    }
}

extension Unicode.Scalar {
    /// Combining Diacritical Marks with their extensions and supplements, and Hebrew and Arabic points.
    private static let accents: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x483...0x487, 0x591...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670...0x670, 0x1AB0...0x1AFF,
        0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    fileprivate var isMarkOrControl: Bool {
        switch properties.generalCategory {
        case .control, .format: true
        default: Self.accents.contains { $0.contains(value) }
        }
    }

    fileprivate var isPunctuation: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .modifierSymbol, .modifierLetter, .otherSymbol:
            true
        default: false
        }
    }
}
