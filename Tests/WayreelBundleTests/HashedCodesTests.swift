internal import TestSupport
internal import Testing
internal import WayreelBundle
internal import WayreelCore
internal import WayreelStory

/// Codes of events in bundles.
@Suite struct HashedCodesTests {
    private let folder = TemporaryFolder()

    /// RFC 7914, section 11: the first 32 bytes of the test vectors for PBKDF2-HMAC-SHA-256.
    @Test(arguments: [
        ("passwd", "73616c74", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"),
        ("Password", "4e61436c", 80_000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"),
    ])
    func hashesAreThoseOfTheStandard(text: String, salt: String, iterations: Int, hash: String) throws {
        #expect(try CodeHashing(iterations: iterations, salt: salt).hash(of: text) == hash)
    }

    @Test(arguments: [
        CodeHashing(function: "scrypt", iterations: 1, salt: "00"), CodeHashing(iterations: 0, salt: "00"),
        CodeHashing(iterations: .max, salt: "00"), CodeHashing(iterations: 1, salt: "0g"),
    ])
    func otherParametersAreRefused(hashing: CodeHashing) {
        #expect(throws: MediaError.self) { try hashing.hash(of: "7KQ2") }
    }

    /// A bundle has no code anywhere, and plays with those that players type.
    @Test func bundlesHaveHashes() async throws {
        func event(_ id: String, _ code: String?) -> Event {
            Event(
                id: id, name: "E", position: GeoPoint(latitude: 1, longitude: 2),
                activation: Activation(radius: 9, trigger: code == nil ? .enter : .code, code: code),
                content: .scrapbook(ScrapbookContent(items: [.text("Words")])))
        }
        let chapter = Chapter(id: "c", name: "C", events: [event("a", "7KQ2"), event("b", "M3PX"), event("d", nil)])
        let story = Story(id: "one", language: "en", name: "One", chapters: [chapter])
        try OutputFile.write(
            Array(StoryDocument.text(of: story, as: .xml).utf8), to: "\(folder.path)/story.xml")
        let options = PrepareOptions(screens: [try Screen(parsing: "100x150")])
        let preparation = Preparation(
            document: "\(folder.path)/story.xml", bundle: "\(folder.path)/bundle", options: options)
        _ = try await preparation.run()

        let bundle = try StoryBundle.open("\(folder.path)/bundle")
        let told = try bundle.wholeStory(language: nil)
        let activations = told.chapters[0].events.map(\.activation)
        #expect(activations.allSatisfy { $0.code == nil } && activations[2].codeHash == nil)
        let database = try Fixture.bytes("\(folder.path)/bundle/story.sqlite")
        for code in ["7KQ2", "M3PX"] { #expect(!database.contains(code.utf8)) }
        let hashing = try #require(told.codeHashing)
        #expect(hashing.iterations >= 210_000 && hashing.salt.utf8.count == 32)
        #expect(Set(activations.compactMap(\.codeHash)).count == 2)

        #expect(try told.enteredCode("m3 px") == activations[1].codeHash)
        #expect(try !activations.map(\.codeHash).contains(told.enteredCode("2222")))
        // The same document gives the same bundle.
        #expect(try await !preparation.run().isSwitched)
    }

    @Test func codesOfADocumentAreThemselves() throws {
        let story = Story(id: "one", language: "en", name: "One", chapters: [])
        #expect(try story.enteredCode("7k-q2") == "7KQ2" && story.enteredCode("what?") == "what?")
    }
}
