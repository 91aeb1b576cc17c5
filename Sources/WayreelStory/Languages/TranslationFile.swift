/// A file that translators work on: the texts of a story in its own language and in another one.
public struct TranslationFile: Hashable, Sendable {
    /// A text of the story, and its translation.
    public struct Unit: Hashable, Sendable {
        /// Which field of the story it is, such as `event/bell/name`.
        public var key: String
        /// The hash of ``source``; nil if the translator's tools have lost it.
        public var hash: String?
        /// The text in the story's own language: rich text as CommonMark, a list as its items, one in each line.
        public var source: String
        /// The text in the other language, in the form of ``source``; nil if there is none yet.
        public var translation: String?
        /// Whether the translation has to be looked at again, since its source has changed or somebody has doubts.
        public var isFuzzy: Bool
        /// What a translator should know: where the text stands, its picture, its place. Each is one line.
        public var notes: [String]
        /// Where the source stands: a file and a line, as `story.xml:12`.
        public var reference: String?
        /// The most characters that a translation may have.
        public var maxLength: Int?
        /// Whether each line is an item of a list.
        public var isList: Bool
        /// The source that the translation was made of, if that was another one.
        public var previousSource: String?
        /// What translators have written for each other. Each is one line.
        public var translatorComments: [String]
        /// Where the unit begins in the file that it was read from, counted from 1.
        public var line: Int?

        public init(
            key: String, hash: String? = nil, source: String, translation: String? = nil, isFuzzy: Bool = false,
            notes: [String] = [], reference: String? = nil, maxLength: Int? = nil, isList: Bool = false,
            previousSource: String? = nil, translatorComments: [String] = [], line: Int? = nil
        ) {
            self.key = key
            self.hash = hash
            self.source = source
            self.translation = translation
            self.isFuzzy = isFuzzy
            self.notes = notes
            self.reference = reference
            self.maxLength = maxLength
            self.isList = isList
            self.previousSource = previousSource
            self.translatorComments = translatorComments
            self.line = line
        }
    }

    /// The story's id.
    public var story: String
    /// The story's own language, a tag of BCP 47.
    public var sourceLanguage: String
    /// The language that it is translated to, a tag of BCP 47.
    public var language: String
    public var units: [Unit]

    public init(story: String, sourceLanguage: String, language: String, units: [Unit]) {
        self.story = story
        self.sourceLanguage = sourceLanguage
        self.language = language
        self.units = units
    }
}

extension String {
    /// The file and the line of a reference such as `story.xml:12`; the line is nil if it names none.
    var fileAndLine: (file: Substring, line: Int?) {
        guard let colon = lastIndex(of: ":"), let line = Int(self[index(after: colon)...]) else {
            return (self[...], nil)
        }
        return (self[..<colon], line)
    }
}
