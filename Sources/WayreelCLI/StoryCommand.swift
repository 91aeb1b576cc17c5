internal import ArgumentParser
internal import WayreelCore
package import WayreelMedia
internal import WayreelStory

struct StoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "story",
        abstract: "Checks, shows, converts and translates the documents of stories.",
        discussion: """
            wayreel story check story.xml
            wayreel story show story.xml
            wayreel story convert story.xml -o story.yml
            wayreel story convert story.yml -o map.geojson
            wayreel story translate story.xml --language de -o de.po
            wayreel story schema > story.xsd
            """,
        subcommands: [
            StoryCheckCommand.self, StoryShowCommand.self, StoryConvertCommand.self, StoryTranslateCommand.self,
            StorySchemaCommand.self,
        ])
}

struct StoryCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Finds everything that is wrong with a story, or worth a look before walking it.",
        discussion: """
            wayreel story check Media/story/story.xml
            wayreel story check story.yml --json
            wayreel story check story.xml --language de
            wayreel story check story.xml --language de --previous old.po   # also what the sources were before

            Checks the document against the schema, its references, the files that it names and its treatments, and warns of events that
            nobody can reach, circles that overlap, conditions that can never hold, lockboxes without a hint and media without alt text.
            Of each language, it says what is missing, out of date or without a hash, where links and lists differ from the source's, and
            which videos and sounds have captions in other languages only. --previous names a translators' file, or the story's document,
            from before: it has the texts that a translation which is out of date was made of.

            Exit status: 0 nothing but warnings, 1 errors, 2 wrong usage.
            """)

    @Argument(help: "The stories: .xml, .yml or .yaml.")
    var documents: [String]

    @Option(name: [.short, .long], help: "Look at the translation into this language only, not at all of them.")
    var language: String?

    @Option(help: "A translators' file, or the story's document, from before: it has the former sources.")
    var previous: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Fail also on warnings.")
    var strict = false

    func run() throws {
        var isBroken = false
        var findings = FileResults<StoryFindings>(asJSON: json)
        for path in documents {
            findings.add(path) { () throws(MediaError) in
                let document = try StoryDocument.read(path: path).checked(in: path.folder)
                    .withMediaOpened(in: path.folder, cancellation: Interrupt.cancellation)
                    .checkedTranslations(into: language, previous: previous)
                if document.story == nil || strict && !document.issues.isEmpty { isBroken = true }
                let found = StoryFindings(document, language: language)
                return (found, found.page)
            }
        }
        try findings.print()
        if isBroken { throw ExitReason.failed }
    }
}

/// The output of `story check`.
private struct StoryFindings: Encodable {
    struct Walk: Encodable {
        var chapter: String
        var metres: Double
    }

    var issues: [StoryIssue]
    var walks: [Walk]
    /// How far the story is translated; nil if it has one language.
    var translations: [TranslationProgress]?

    init(_ document: StoryDocument, language: String?) {
        issues = document.issues
        walks = (document.story?.chapters ?? []).compactMap { chapter in
            ChapterWalk(through: chapter).map { Walk(chapter: chapter.id, metres: $0.metres.rounded()) }
        }
        let progress = document.story?.translationProgress ?? []
        translations =
            progress.isEmpty
            ? nil : progress.filter { $0.language.lowercased() == (language ?? $0.language).lowercased() }
    }

    var page: String {
        let errors = issues.count { $0.severity == .error }
        let warnings = issues.count - errors
        var lines = issues.map(\.description)
        lines += walks.map { "walk through '\($0.chapter)': \($0.metres.asDistance)" }
        lines += (translations ?? []).map(\.summary)
        lines.append(
            issues.isEmpty ? "nothing is wrong" : "\(errors.counted("error")), \(warnings.counted("warning"))")
        return lines.joined(separator: "\n")
    }
}

struct StoryShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what a story holds: its languages, sections and items, chapters, lockboxes and events.",
        discussion: """
            wayreel story show Media/story/story.xml
            wayreel story show story.yml --json
            wayreel story show story.xml --language de
            """)

    @Argument(help: "The story: .xml, .yml or .yaml.")
    var document: String

    @Option(
        name: [.short, .long],
        help:
            "Show the story in this language; qps is a pseudo-language, which shows what a translation will do to a page."
    )
    var language: String?

    @Flag(help: "Print the story as JSON.")
    var json = false

    func run() throws {
        let story =
            try language.map { try Story.document(at: document).localized(strictly: $0) }
            ?? Story.document(at: document)
        try Console.output(json ? JSON.text(story) : Self.page(story))
    }

    private static func page(_ story: Story) -> String {
        var lines = ["\(story.name) (\(story.id), \(story.language))"]
        let others = story.languages.filter { $0 != story.language }
        if !others.isEmpty { lines.append("also in \(others.joined(separator: ", "))") }
        for file in story.captionLanguages {
            let lacking = story.languages.filter { !file.hasCaptions(in: $0) }
            lines.append(
                "captions of \(file.source) in \(file.languages.joined(separator: ", "))"
                    + (lacking.isEmpty ? "" : ", none in \(lacking.joined(separator: ", "))"))
        }
        for section in story.sections {
            lines.append("\n  \(section.name) (\(section.id)): \(section.items.count.counted("item"))")
            lines += section.items.map { "    item       \($0.id): \($0.name)\($0.isHidden ? ", hidden" : "")" }
        }
        for chapter in story.chapters {
            let walk = ChapterWalk(through: chapter).map { ", a walk of \($0.metres.asDistance)" } ?? ""
            let order = chapter.order == .sequence ? ", in sequence" : ""
            lines.append("\n  \(chapter.name) (\(chapter.id)): \(chapter.events.count) events\(order)\(walk)")
            lines += chapter.lockboxes.map {
                "    lockbox    \($0.id): \($0.question.plain.replacing("\n", with: " "))"
            }
            for event in chapter.events {
                let kind = event.content.kind.padded(to: 11)
                let trigger = event.activation.trigger == .enter ? "" : ", \(event.activation.trigger.rawValue)"
                lines.append(
                    "    \(kind)\(event.id): \(event.name), \(event.activation.radius.shortDescription) m about "
                        + "\(event.position.latitude), \(event.position.longitude)\(trigger)")
            }
        }
        // Control characters are left out.
        return lines.joined(separator: "\n").onItsLines
    }
}

struct StoryConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a story between XML and YAML, or exports its places for maps.",
        discussion: """
            wayreel story convert story.xml -o story.yml
            wayreel story convert story.yml -o story.xml
            wayreel story convert story.xml -o map.geojson      # also .gpx and .kml: the places, for maps

            Everything is kept but comments, of which a warning tells.
            """)

    @Argument(help: "The story: .xml, .yml or .yaml.")
    var document: String

    @Option(name: [.short, .long], help: "A file that ends in .xml, .yml, .yaml, .geojson, .gpx or .kml.")
    var output: String

    private enum Target {
        case document(StoryDocument.Format)
        case map(StoryDocument.MapFormat)
    }

    private var target: Target? {
        if let format = StoryDocument.Format(path: output) { return .document(format) }
        return output.split(separator: ".").last
            .flatMap { StoryDocument.MapFormat(rawValue: $0.lowercased()) }.map(Target.map)
    }

    func validate() throws {
        guard target != nil else {
            throw ValidationError("--output takes a file that ends in .xml, .yml, .yaml, .geojson, .gpx or .kml")
        }
    }

    func run() throws {
        let document = try StoryDocument.read(path: self.document)
        let story = try document.storyOrIssues()
        guard let target else { return }
        let text =
            switch target {
            case .document(let format): try StoryDocument.text(of: story, as: format)
            case .map(let format): StoryDocument.text(of: story, as: format)
            }
        try OutputFile.check(output, isNoneOf: [self.document])
        try Console.deliver(Array(text.utf8), to: output)
        if case .document = target, let first = document.commentLines.first {
            let count = document.commentLines.count
            Console.error(
                "warning: \(document.name): \(count.counted("comment")) \(count == 1 ? "is not kept, in" : "are not kept, the first in") line \(first)"
                    .onOneLine)
        }
    }
}

struct StorySchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Prints the schema of story documents, for editors and validators.",
        discussion: """
            wayreel story schema > story.xsd && xmllint --noout --schema story.xsd story.xml
            wayreel story schema --format json > story.schema.json

            Editors complete and check YAML by the JSON Schema if the document begins with the line
              # yaml-language-server: $schema=story.schema.json
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case xsd, json, markdown
    }

    @Option(help: "xsd for XML, json for YAML, or markdown: a reference of the YAML form.")
    var format: Format = .xsd

    func run() throws {
        let text =
            switch format {
            case .xsd: StoryDocument.schema
            case .json: StoryDocument.jsonSchema
            case .markdown: StoryDocument.reference
            }
        try Console.output(String(text.dropLast()))
    }
}

extension Double {
    /// The number as metres, or as kilometres from 1000 on.
    fileprivate var asDistance: String {
        self < 1000 ? "\(Int(rounded())) m" : "\((self / 100).rounded() / 10) km"
    }
}

extension StoryDocument {
    /// Returns the same document with warnings about its translations; `previous`: the file that has their sources as
    /// they were.
    fileprivate func checkedTranslations(into language: String?, previous: String?) throws(MediaError) -> StoryDocument
    {
        guard let previous, let story else { return try checkedTranslations(into: language) }
        return try checkedTranslations(
            into: language, former: FormerSources.read(path: previous, of: story, language: language))
    }

    /// Prints all issues of a story and of the files that it names, and throws if any is an error.
    package static func reportErrors(in path: String) throws {
        let document = try StoryDocument.read(path: path).checked(in: path.folder)
        guard document.story == nil else { return }
        for issue in document.issues where issue.severity == .error { Console.error(issue.description) }
        throw ExitReason.failed
    }

    /// Returns the story. If the document has errors, prints its issues and throws.
    package func storyOrIssues() throws -> Story {
        guard let story else {
            for issue in issues { Console.error(issue.description) }
            throw ExitReason.failed
        }
        return story
    }
}

extension Story {
    /// Returns the story of a document. If it has errors, prints its issues and throws.
    package static func document(at path: String) throws -> Story {
        try StoryDocument.read(path: path).storyOrIssues()
    }
}
