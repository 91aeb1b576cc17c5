public import WayreelCore

/// A story as read from a document, with its issues.
public struct StoryDocument: Sendable {
    /// The format of a story document.
    public enum Format: String, Sendable, CaseIterable {
        case xml, yaml

        /// Determines the format by the extension of a path. Returns nil unless it is `.xml`, `.yml` or `.yaml`.
        public init?(path: String) {
            switch path.split(separator: ".").last?.lowercased() {
            case "xml": self = .xml
            case "yml", "yaml": self = .yaml
            default: return nil
            }
        }
    }

    /// The name of the document in issues: its path.
    public let name: String
    /// The story; nil if ``issues`` contain an error.
    public let story: Story?
    /// The issues of the whole document, in its order.
    public let issues: [StoryIssue]

    /// The readable content of the story, with or without errors; nil if the text has no elements.
    package let draft: Story?
    /// The locations of its parts in the document.
    package let locations: StoryLocations
    /// The lines of the document's comments, which neither the story nor a document written from it has.
    package let commentLines: [Int]

    /// Reads the document at `path` and checks it; files that it refers to are not opened.
    ///
    /// Throws an `io` error if the file cannot be read, a `parameter` error if its extension is unknown, and a
    /// `limit` error if it is larger than 64 MB.
    public static func read(path: String) throws(MediaError) -> StoryDocument {
        let (bytes, format) = try bytes(path: path)
        return try read(bytes, as: format, name: path)
    }

    static func bytes(path: String) throws(MediaError) -> ([UInt8], Format) {
        guard let format = Format(path: path) else {
            throw MediaError(
                .parameter, step: .read, subject: path, reason: "is neither .xml nor .yml nor .yaml",
                advice: "name the story's document")
        }
        try RegularFile.require(path)
        do throws(MediaError) {
            return (try MediaBytes.read(path: path, limit: DocumentLimits.bytes).array, format)
        } catch {
            var error = error
            if error.code == .tooManyBytes { error.advice = "make several stories of it; media do not belong into it" }
            throw error
        }
    }

    /// Reads a document from memory. `name` is its name in issues.
    ///
    /// Throws a `limit` error if it is larger than 64 MB.
    public static func read(
        _ bytes: [UInt8], as format: Format, name: String = "story"
    ) throws(MediaError) -> StoryDocument {
        try read(bytes, as: format, name: name, locatesFields: false)
    }

    /// Reads a document from memory. `locatesFields`: whether the locations of fields are wanted even if it has no
    /// translations.
    static func read(
        _ bytes: [UInt8], as format: Format, name: String, locatesFields: Bool
    ) throws(MediaError) -> StoryDocument {
        guard bytes.count <= DocumentLimits.bytes else {
            throw MediaError(
                .limit, step: .read, subject: name,
                reason: "\(bytes.count) bytes are more than a story may have, \(DocumentLimits.bytes)")
        }
        if format == .yaml { try SharedLibrary.libcmark.require(step: .read) }
        var issues = IssueLog(file: name)
        let root =
            switch format {
            case .xml: try XMLReader.read(bytes, issues: &issues)
            case .yaml: try YAMLReader.read(bytes, issues: &issues)
            }
        guard let root else {
            return StoryDocument(
                name: name, story: nil, issues: issues.sorted, draft: nil, locations: StoryLocations(),
                commentLines: issues.commentLines)
        }
        let words: DocumentWords = format == .xml ? .xml : .yaml
        VocabularyCheck.check(root, words, issues: &issues)
        TextMarkup.check(root, words, &issues)
        var decoder = StoryDecoder(issues: issues, locatesFields: locatesFields)
        let story = decoder.story(root)
        issues = decoder.issues
        IdentifierCheck.check(story, decoder.locations, &issues)
        return StoryDocument(
            name: name, story: issues.hasErrors ? nil : story, issues: issues.sorted, draft: story,
            locations: decoder.locations, commentLines: issues.commentLines)
    }

    /// Returns the same document with the issues that `references` adds, and with warnings for its author before walking,
    /// as on a date: windows that ended before it are reported. If the document has errors, only the references are
    /// checked.
    package func checked(
        on date: CalendarDate, references: (Story, inout IssueLog) throws(MediaError) -> Void
    ) throws(MediaError) -> StoryDocument {
        guard let draft else { return self }
        var issues = IssueLog(file: name, self.issues)
        try references(draft, &issues)
        FaceCheck.check(draft, locations, &issues)
        BaseMapCheck.check(draft, locations, &issues)
        var author = AuthorCheck(locations, issues, on: date)
        if let story { author.check(story) }
        return with(author.issues)
    }

    /// Returns the same document with a warning about a file that it names.
    package func warning(of source: String, _ message: String) -> StoryDocument {
        adding { $0.warning(locations.first(.source, source), "'\(source)': \(message)") }
    }

    /// Returns the same document with an error about a file that it names.
    package func error(of source: String, _ message: String) -> StoryDocument {
        adding { $0.error(locations.first(.source, source), "'\(source)': \(message)") }
    }

    /// Returns the same document with more issues.
    func adding(_ issues: (inout IssueLog) -> Void) -> StoryDocument {
        var log = IssueLog(file: name, self.issues)
        issues(&log)
        return with(log)
    }

    private func with(_ log: IssueLog) -> StoryDocument {
        StoryDocument(
            name: name, story: log.hasErrors ? nil : story, issues: log.sorted, draft: draft, locations: locations,
            commentLines: commentLines)
    }

    /// The media that the document names and that have no error, in order, each once for every kind that it is
    /// named as.
    package var soundMedia: [(source: String, kind: MediaFileKind)] {
        guard let draft else { return [] }
        let files: [(asset: Asset, kind: MediaFileKind)] =
            draft.filesBeforeChapters + draft.chapters.compactMap(\.image).map { ($0, .image) }
            + draft.chapters.flatMap(\.events).flatMap { event in
                event.contents.flatMap(\.files) + [event.arrival?.sound].compactMap(\.self).map { ($0, .audio) }
            }
        var seen: Set<String> = []
        let isSound = isSound
        let all = files.map { (source: $0.asset.source, kind: $0.kind) } + draft.translatedFiles
        return all.filter { file in
            seen.insert("\(file.kind) \(file.source)").inserted && isSound(file.source)
        }
    }

    /// The captions of videos and audio that have no error.
    package var soundCaptions: [(file: String, captions: ScrapbookContent.Captions, language: String)] {
        guard let draft else { return [] }
        let isSound = isSound
        return draft.captioned.flatMap { file in
            file.captions.map { (file.source, $0, $0.language ?? draft.language) }
        }.filter { isSound($0.captions.source) }
    }

    /// Whether there is no error where the document first names a file.
    private var isSound: (String) -> Bool {
        let errors = Set(
            issues.filter { $0.severity == .error }.map { DocumentPosition(line: $0.line, column: $0.column) })
        return { source in !errors.contains(locations.first(.source, source)) }
    }

    /// Returns the story of a document without errors.
    ///
    /// Throws a `parameter` error with the first error otherwise.
    package func validStory() throws(MediaError) -> Story {
        if let story { return story }
        let errors = issues.filter { $0.severity == .error }
        let first = errors.first.map { ", the first in line \($0.line): \($0.message)" } ?? ""
        throw MediaError(
            .parameter, step: .story, subject: name,
            reason: "has \(errors.count.counted("error"))\(first)",
            advice: "see \(.storyIssues)")
    }

    /// Returns the document of a story. Comments of the document that it was read from are not in it.
    ///
    /// Throws an `encoding` error if YAML cannot represent it, and an `io` error if libyaml is missing.
    public static func text(of story: Story, as format: Format) throws(MediaError) -> String {
        let root = StoryEncoder.element(story)
        switch format {
        case .xml:
            var writer = XMLWriter()
            writer.write(root, namespace: XMLSchema.namespace)
            return writer.text
        case .yaml: return try YAMLWriter.text(root)
        }
    }

    /// A map format for exporting the events of a story.
    public enum MapFormat: String, Sendable, CaseIterable {
        case geojson, gpx, kml
    }

    /// Returns the events of a story in a map format.
    public static func text(of story: Story, as format: MapFormat) -> String {
        switch format {
        case .geojson: GeoJSON.text(of: story)
        case .gpx: GPX.text(of: story)
        case .kml: KML.text(of: story)
        }
    }

    /// The XML Schema of story documents.
    public static var schema: String { XMLSchema.text }

    /// The JSON Schema of story documents in YAML, draft 7, which editors read.
    public static var jsonSchema: String { JSONSchema.text }

    /// A reference of story documents in YAML, in Markdown: all keys with their values.
    public static var reference: String { YAMLReference.text }
}

extension OptionName {
    public static let storyIssues = OptionName(rawValue: "StoryDocument.issues")

    /// All of this module.
    package static let ofStory: [OptionName] = [.storyIssues]
}
