internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

struct CodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Prints the codes of a story's events, to hang up where there is no GPS.",
        discussion: """
            The codes of a story, and the links that a QR code or a tag for NFC holds:
              wayreel codes story.xml
              wayreel codes story.xml --address https://tours.example.org/
            A print kit, one code a page or eight, with German names:
              wayreel codes story.xml --address https://tours.example.org/ -o codes.pdf
              wayreel codes story.xml --address https://tours.example.org/ --layout sheet --language de -o codes.pdf
            One code as SVG or, by the file's ending, as PNG:
              wayreel codes story.xml --address https://tours.example.org/ --event hall -o hall.svg
            Random codes for new events, other than those of the story:
              wayreel codes --new 5 story.xml

            A code has four characters, of 23456789ACDEFGHJKMNPQRTVWXY; of two that look alike, there is one at most. In a bundle \
            there are hashes of the codes, so that this takes the story's document.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "The story's document: .xml, .yml or .yaml.", completion: .file())
    var story: String?

    @Option(name: [.short, .long], help: "A file that ends in .pdf, .svg or .png.", completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("Where the player's page is, as players open it.", valueName: "url"))
    var address: String?

    @Option(help: "page, one code on each, or sheet, eight of them.")
    var layout: CodeKit.Layout?

    @Option(help: "The id of an event. Repeatable. (default: all with a code)")
    var event: [String] = []

    @OptionGroup var language: StoryLanguage

    @Option(help: "Print so many random codes that are free, 1 to 1000.")
    var new: Int?

    private var type: CodeKit.FileType? {
        output?.split(separator: ".").last.flatMap { CodeKit.FileType(rawValue: $0.lowercased()) }
    }

    func validate() throws {
        if let new {
            guard (1...1000).contains(new) else { throw ValidationError("--new takes a number from 1 to 1000") }
            guard output == nil, address == nil, layout == nil, event.isEmpty, language.language == nil else {
                throw ValidationError("--new prints codes and nothing else; remove the other options")
            }
            return
        }
        guard story != nil else { throw ValidationError("name the story's document, or ask for codes with --new") }
        guard output != nil else {
            if layout != nil { throw ValidationError("--layout has no effect without --output") }
            return
        }
        guard type != nil else { throw ValidationError("--output takes a file that ends in .pdf, .svg or .png") }
        guard address != nil else { throw ValidationError("--output needs --address, which the codes lead to") }
    }

    func run() throws {
        if let new { return try Console.output(free(new).joined(separator: "\n")) }
        guard let story else { return }
        let told = try Story.opening(story, language: language.language)
        let ids = event.isEmpty ? nil : event
        guard let address else {
            let rows = try CodeKit.events(of: told, ids).map { [$0.activation.code ?? "", $0.id, $0.name.onOneLine] }
            return try Console.output(TextColumns.aligned(rows))
        }
        let kit = try CodeKit(of: told, address: address, events: ids)
        guard let output, let type else {
            return try Console.output(
                TextColumns.aligned(kit.cards.map { [$0.code, $0.event, $0.name.onOneLine, $0.link] }))
        }
        try OutputFile.check(output, isNoneOf: [story])
        try Console.deliver(kit.draw(layout ?? .page, as: type), to: output)
    }

    /// Random codes that no event of the story has.
    private func free(_ count: Int) throws -> [String] {
        let used = try story.map { try Story.opening($0) }?.chapters.flatMap(\.events).compactMap(\.activation.code)
        var generator = SystemRandomNumberGenerator()
        return EventCode.random(count, notIn: Set(used ?? []), using: &generator)
    }
}
