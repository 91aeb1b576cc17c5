public import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine
public import WayreelStory

/// The codes of a story for print: for each event its link as a QR code, its name and short text, and the characters to
/// type.
///
///     let kit = try CodeKit(of: story, address: "https://tours.example.org/")
///     try OutputFile.write(kit.draw(.sheet, as: .pdf), to: "codes.pdf")
///
/// A code is an ordinary link to the player's page, which opens the event with every phone's camera; a tag for NFC holds the
/// same link.
public struct CodeKit: Hashable, Sendable {
    /// One code of the kit.
    public struct Card: Hashable, Sendable {
        /// The event's id, and its name and description without markup.
        public var event: String
        public var name: String
        public var text: String
        /// The four characters.
        public var code: String
        /// `https://tours.example.org/#/story/code/7KQ2`.
        public var link: String
    }

    /// How codes lie on sheets of A4.
    public enum Layout: String, Hashable, Sendable, CaseIterable {
        /// One on each page, to hang up.
        case page
        /// Eight on each page, to cut out.
        case sheet

        /// The codes on a page.
        public var codesOnPage: Int { self == .page ? 1 : 8 }
    }

    public enum FileType: String, Hashable, Sendable, CaseIterable {
        case pdf, svg, png
    }

    /// The title of the story.
    public var title: String
    /// The address of the player's page, which is printed with the characters.
    public var address: String
    /// In the author's order; not empty.
    public var cards: [Card]

    /// `address`: where the player's page is, as players open it. `events`: only those with these ids; nil for all.
    ///
    /// Throws a `parameter` error for an address that is not on the web or has a `?` or `#`, an event that is not there, a story
    /// without codes, and one of a bundle, which has hashes instead.
    public init(of story: Story, address: String, events ids: [String]? = nil) throws(MediaError) {
        let page = try Self.page(at: address)
        (self.address, title) = (page, story.name)
        cards = try Self.events(of: story, ids).map { event in
            let code = event.activation.code ?? ""
            return Card(
                event: event.id, name: event.name, text: event.description?.plain ?? "", code: code,
                link: "\(page)#/\(story.id)/code/\(code)")
        }
    }

    /// Returns the events with codes, or those of them with these ids. Throws the errors of events above.
    public static func events(of story: Story, _ ids: [String]? = nil) throws(MediaError) -> [Event] {
        let fault = ErrorSite(.parameter, step: .draw)
        let events = story.chapters.flatMap(\.events).filter { $0.activation.trigger == .code }
        guard !events.contains(where: { $0.activation.code == nil }) else {
            throw fault(of: story.id, "is a bundle, which has hashes of its codes alone", "give the story's document")
        }
        guard !events.isEmpty else {
            throw fault(
                of: story.id, "has no event with the trigger 'code'", "give one an activation with that trigger")
        }
        guard let ids else { return events }
        if let unknown = ids.first(where: { id in !events.contains { $0.id == id } }) {
            throw MediaError.unknown(
                unknown, among: events.map(\.id), step: .draw, reason: "no event of this id has a code",
                list: "there are", marksRest: true)
        }
        return events.filter { ids.contains($0.id) }
    }

    /// The address of the page with a slash at its end.
    private static func page(at address: String) throws(MediaError) -> String {
        guard address.utf8.count <= 500,
            address.wholeMatch(of: /https?:\/\/[^\s\p{C}"'<>?#\/]+(\/[^\s\p{C}"'<>?#]*)?/) != nil
        else {
            throw ErrorSite(.parameter, step: .draw)(
                "'\(address.prefix(100))' is not the address of a page",
                "give one such as https://tours.example.org/, of at most 500 bytes")
        }
        return address.hasSuffix("/") ? address : "\(address)/"
    }

    /// The pages that a layout takes.
    public func pageCount(_ layout: Layout) -> Int {
        (cards.count + layout.codesOnPage - 1) / layout.codesOnPage
    }

    /// Draws the codes on sheets of A4; an SVG and a PNG, which has 254 dots per inch, are one sheet. Equal kits give equal
    /// bytes.
    ///
    /// Throws a `parameter` error for several pages of SVG or PNG, and a `limit` error for a link that no code holds.
    public func draw(_ layout: Layout, as type: FileType) throws(MediaError) -> [UInt8] {
        let count = pageCount(layout)
        guard count == 1 || type == .pdf else {
            throw ErrorSite(.parameter, step: .draw)(
                "\(cards.count) codes take \(count) pages, and a file of \(type.rawValue.uppercased()) has one",
                "write a PDF, or choose fewer events")
        }
        let kind: DrawingFile.Kind =
            switch type {
            case .pdf: .pdf
            case .svg: .svg
            case .png: .png
            }
        var file = DrawingFile(kind, size: CodeSheet.size)
        (file.title, file.summary) = (title, "Codes of the story, to print")
        file.unitsPerMillimetre = CodeSheet.millimetre
        let sink = MemorySink()
        try file.write(to: sink, pages: max(1, count)) { (canvas, page) throws(MediaError) in
            let first = page * layout.codesOnPage
            let shown = Array(cards[first..<min(first + layout.codesOnPage, cards.count)])
            try CodeSheet(kit: self, layout: layout, cards: shown).paint(on: canvas)
        }
        return sink.bytes
    }
}
