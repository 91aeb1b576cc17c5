import TestSupport
import Testing
import WayreelCore
import WayreelMaps
import WayreelStory

/// The print kit of codes. Tests/Player/test_codes.py reads its codes with another library.
@Suite struct CodeKitTests {
    private static func story(_ codes: [String]) -> Story {
        let events = codes.enumerated().map { index, code in
            Event(
                id: "e\(index)", name: "Event \(index)", description: "Where it hangs.",
                position: GeoPoint(latitude: 1, longitude: 2),
                activation: Activation(radius: 9, trigger: .code, code: code),
                content: .scrapbook(ScrapbookContent(items: [.text("Words")])))
        }
        var story = Story(
            id: "mill", language: "en", name: "The Mill", chapters: [Chapter(id: "c", name: "C", events: events)])
        var walked = events[0]
        (walked.id, walked.activation) = ("yard", Activation(radius: 9))
        story.chapters[0].events.append(walked)
        return story
    }

    private static let address = "https://tours.example.org/krems"

    @Test func cardsHaveTheLinksOfTheirCodes() throws {
        let kit = try CodeKit(of: Self.story(["7KQ2", "M3PX"]), address: Self.address)
        #expect(kit.cards.map(\.link) == ["7KQ2", "M3PX"].map { "https://tours.example.org/krems/#/mill/code/\($0)" })
        #expect(kit.cards.map(\.name) == ["Event 0", "Event 1"] && kit.cards[0].text == "Where it hangs.")
        #expect(try CodeKit(of: Self.story(["7KQ2", "M3PX"]), address: Self.address, events: ["e1"]).cards.count == 1)
    }

    @Test(arguments: [
        "tours.example.org", "ftp://a.example/", "https://", "https://a.example/#/x", "https://a.example/?x",
    ])
    func otherAddressesAreRefused(address: String) {
        #expect(throws: MediaError.self) { try CodeKit(of: Self.story(["7KQ2"]), address: address) }
    }

    @Test func whatHasNoCodesIsTold() throws {
        func reason(_ story: Story, _ events: [String]? = nil) throws -> String? {
            try #require(throws: MediaError.self) {
                try CodeKit(of: story, address: Self.address, events: events)
            }.reason
        }
        var bundled = Self.story(["7KQ2"])
        (bundled.chapters[0].events[0].activation.code, bundled.chapters[0].events[0].activation.codeHash) = (nil, "00")
        #expect(try reason(bundled)?.contains("hashes") == true)
        var walked = Self.story(["7KQ2"])
        walked.chapters[0].events.removeFirst()
        #expect(try reason(walked)?.contains("no event with the trigger 'code'") == true)
        #expect(try reason(Self.story(["7KQ2"]), ["yard"]) == "no event of this id has a code")
    }

    @Test func pagesAndSheets() throws {
        let codes = ["7KQ2", "M3PX", "2345", "WXY9", "ACDE", "FGHJ", "KMNP", "QRTV", "6789"]
        let kit = try CodeKit(of: Self.story(codes), address: Self.address)
        #expect(kit.pageCount(.page) == 9 && kit.pageCount(.sheet) == 2)
        let pdf = try kit.draw(.sheet, as: .pdf)
        #expect(pdf.starts(with: "%PDF-".utf8) && pdf.count > 10_000)
        #expect(try kit.draw(.sheet, as: .pdf) == pdf)
        for type in [CodeKit.FileType.svg, .png] {
            let error = try #require(throws: MediaError.self) { try kit.draw(.sheet, as: type) }
            #expect(error.reason == "9 codes take 2 pages, and a file of \(type.rawValue.uppercased()) has one")
        }
    }

    /// The code is drawn as one black path, between the finder patterns of its corners.
    @Test func aSheetAsSVG() throws {
        let kit = try CodeKit(of: Self.story(["7KQ2"]), address: Self.address)
        let file = try #require(try SVGFile(kit.draw(.page, as: .svg)))
        let code = try #require(file.paths.first { $0.attributes["fill"] == "#000000" })
        // A link of 48 bytes takes version 5 with error correction Q (ISO/IEC 18004, table 7): 37 modules, and 4 beside it.
        let module = 1240.0 / 45
        #expect(abs(code.minX - (430 + 4 * module)) < 0.1 && abs(code.maxX - (430 + 41 * module)) < 0.1)
        #expect(abs(code.minY - (1010 + 4 * module)) < 0.1 && abs(code.maxY - (1010 + 41 * module)) < 0.1)
    }

    @Test func longTextsAreCut() throws {
        var story = Self.story(["7KQ2"])
        story.chapters[0].events[0].name = String(repeating: "n", count: 10_000)
        story.chapters[0].events[0].description = RichText(plain: String(repeating: "word ", count: 10_000))
        for layout in CodeKit.Layout.allCases {
            #expect(try CodeKit(of: story, address: Self.address).draw(layout, as: .pdf).count < 200_000)
        }
    }
}
