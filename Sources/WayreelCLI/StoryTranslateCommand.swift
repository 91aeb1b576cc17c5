internal import ArgumentParser
internal import Glibc
internal import WayreelCore
internal import WayreelMedia
internal import WayreelStory

struct StoryTranslateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "translate",
        abstract: "Gives a story's texts to translators, and takes their translations.",
        discussion: """
            wayreel story translate story.xml --language de -o de.po     # the texts, and the German that there is
            wayreel story translate story.xml --from de.po               # the German of de.po, into story.xml
            wayreel story translate story.yml --from de.csv --language de -o new.yml
            wayreel story translate story.xml --language pt-BR -o pt.xlf --format xliff2
            wayreel story translate story.xml --language de -o de.po --previous de.po   # with the sources as they were
            wayreel story check story.xml --language de                  # what is missing or out of date

            Formats: PO (Poedit, Weblate, gettext), XLIFF 1.2 and 2.0 (CAT tools), CSV and TSV (spreadsheets). Rich texts are in CommonMark's
            syntax: _emphasis_, **strong**, [words](https://example.org), lists with - or 1., quotes with >. A list, such as the accepted
            answers, has one item in each line.

            --from changes nothing of the document but the translation's element: comments, order and form stay. What is in the document
            already, also in other words that the file does not mention, stays. A translation whose source has changed since, or that is
            marked as fuzzy, is out of date: players see it, and wayreel story check tells of it. Who removes the mark says that the
            translation fits today's source.

            A document has only the hashes of the sources that were translated. --previous names a translators' file that was written
            before, or the story's document as it was, which have those texts: what is out of date gets its source as it was (#| msgid).

            A regional language, such as de-AT beside de, begins without translations: what stays empty is shown as in de, whose words are
            in the notes. A comment <!-- translators: ... --> before an element, or # translators: ... above a key of YAML, is a note for
            translators about all texts in it.
            """)

    @Argument(help: "The story: .xml, .yml or .yaml.")
    var document: String

    @Option(
        name: [.short, .long],
        help: "The language of the translation, such as de or pt-BR; with --from, that of the file.")
    var language: String?

    @Option(help: "A translators' file to take translations from.")
    var from: String?

    @Option(
        name: [.short, .long],
        help:
            "The file to write: for translators (- is standard output), or with --from the changed document; else it is changed in place."
    )
    var output: String?

    @Option(help: "The format for translators: po, xliff (1.2), xliff2, csv or tsv; else the output's ending says it.")
    var format: TranslationFormat?

    @Option(help: "A translators' file, or the story's document, from before: it has the former sources.")
    var previous: String?

    @Flag(help: "List also the paths of files, for sounds, videos and images that differ in that language.")
    var files = false

    func validate() throws {
        if from == nil {
            guard language != nil else {
                throw ValidationError(
                    "name the --language of the translation, as in --language de or pt-BR, or the file to take translations --from, as in --from de.po"
                )
            }
            guard output == nil || output == "-" || writtenFormat != nil else {
                throw ValidationError(
                    "--output takes a file that ends in .po, .xlf, .xliff, .csv or .tsv, or name the --format")
            }
        } else {
            guard format == nil, previous == nil, !files else {
                throw ValidationError(
                    "--format, --previous and --files are for what translators get; --from is read as what it is")
            }
            if let output, output != "-",
                StoryDocument.Format(path: output) == nil
                    || StoryDocument.Format(path: output) != StoryDocument.Format(path: document)
            {
                throw ValidationError(
                    "with --from, --output takes a document of the same format; wayreel story convert makes others")
            }
        }
    }

    private var writtenFormat: TranslationFormat? { format ?? output.flatMap { TranslationFormat(path: $0) } }

    func run() throws {
        let document = try TranslatableDocument(path: self.document, locatesFields: from == nil)
        if let from { try take(from, into: document) } else { try give(document) }
    }

    // MARK: For translators

    private func give(_ document: TranslatableDocument) throws {
        let former = try previous.map { try FormerSources.read(path: $0, of: document.story, language: language) }
        let file = try document.file(into: language ?? "", withFiles: files, former: former ?? FormerSources())
        let output = output ?? "-"
        try OutputFile.check(output, isNoneOf: [self.document])
        let bytes = file.bytes(as: writtenFormat ?? .po)
        try Console.deliver(bytes, to: output)
        if bytes.count > TranslationFile.maxBytes {
            Console.error(
                "warning: \(output): has \(bytes.count.asSize); --from takes files of \(TranslationFile.maxBytes.asSize) at most, and parts of it"
                    .onOneLine)
        }
        guard output != "-" else { return }
        let open = file.units.count { $0.translation == nil }
        let fuzzy = file.units.count(where: \.isFuzzy)
        let fallback = document.fallback(of: file.language).map { "; what stays empty is shown as in '\($0)'" } ?? ""
        try Console.output(
            "\(output): \(file.units.count.counted("text")) into '\(file.language)', \(open) without a translation, \(fuzzy) out of date\(fallback)"
                .onOneLine)
    }

    // MARK: From translators

    private func take(_ path: String, into document: TranslatableDocument) throws {
        let story = document.story
        let file = try TranslationFile.read(
            path: path, story: story.id, sourceLanguage: story.language, language: language)
        let change = try document.change(by: file, name: path)
        for remark in change.remarks {
            let place = remark.line.map { "\(path):\($0)" } ?? path
            Console.error("\(place): warning: \(remark.message)".onOneLine)
        }
        if let output {
            try OutputFile.check(output, isNoneOf: [self.document, path])
            try Console.deliver(change.bytes ?? document.bytes, to: output)
        } else if let bytes = change.bytes {
            try replaceDocument(with: bytes)
        }
        guard output != "-" else { return }
        let counts =
            change.bytes == nil
            ? "nothing is new" : "\(change.added.counted("new translation")), \(change.changed) changed"
        let progress = change.progress.map { "; \($0.summary)" } ?? ""
        try Console.output("\(output ?? self.document): \(counts)\(progress)".onOneLine)
    }

    /// Replaces the document at once; it keeps its permissions.
    private func replaceDocument(with bytes: [UInt8]) throws {
        var status = stat()
        let isKnown = stat(document, &status) == 0
        try Console.deliver(bytes, to: document)
        if isKnown { chmod(document, status.st_mode & 0o7777) }
    }
}

extension TranslationProgress {
    /// The counts in a line: `de: 41 of 45 texts are current, 2 out of date, 2 missing`.
    var summary: String {
        var parts = ["\(current) of \(texts.counted("text")) \(texts == 1 ? "is" : "are") current"]
        if outOfDate > 0 { parts.append("\(outOfDate) out of date") }
        if unwatched > 0 { parts.append("\(unwatched) without a hash") }
        if missing > 0 { parts.append("\(missing) missing") }
        return "\(language): \(parts.joined(separator: ", "))"
    }
}
