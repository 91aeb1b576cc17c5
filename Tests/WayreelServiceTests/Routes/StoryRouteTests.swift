import Glibc
import HTTPTypes
import TestSupport
import Testing
import WayreelBundle
import WayreelCore
import WayreelPages
import WayreelStory

/// Stories in the languages of their readers.
struct StoryRouteTests {
    /// A service with a story in English and German.
    private static func service(
        event id: String = "look", description: RichText = "A walk", more: Int = 0
    ) async throws -> TestService {
        let camera = CameraContent(clue: "The bell")
        let event = Event(
            id: id, name: "Look", position: GeoPoint(latitude: 1, longitude: 2),
            activation: Activation(radius: 9), content: .camera(camera))
        let others = (0..<more).map { number in
            Event(
                id: "more-\(number)", name: "More", description: description,
                position: GeoPoint(latitude: 3, longitude: 4), activation: Activation(radius: 9),
                content: .camera(camera))
        }
        let lockbox = Lockbox(id: "year", question: "What rings?", answers: ["bell"])
        let german = Translation(
            language: "de",
            entries: [
                .init(key: "story/name", value: .plain("Der Turm")),
                .init(key: "event/\(id)/name", value: .plain("Schau")),
                .init(key: "lockbox/year/answers", value: .list(["Glocke"])),
            ])
        let story = Story(
            id: "tower", language: "en", name: "The Tower", description: "A walk",
            chapters: [Chapter(id: "c", name: "First", lockboxes: [lockbox], events: [event] + others)],
            translations: [german])
        let document = Array(try StoryDocument.text(of: story, as: .xml).utf8)
        let service = try TestService([("stories", "FOLDER")], files: ["story.xml": document])
        let report = try await Preparation(
            document: "\(service.folder.path)/story.xml", bundle: "\(service.folder.path)/tower",
            options: PrepareOptions(screens: [try Screen(parsing: "64x64")])
        ).run()
        #expect(report.isComplete)
        return service
    }

    private static let accept = HTTPField.Name.acceptLanguage

    /// RFC 9110, sections 12.5.4 and 12.5.5.
    @Test func aStoryIsInTheLanguageThatTheReaderWants() async throws {
        try await Self.service().test { client in
            for (wish, language, name) in [
                (nil, "en", "The Tower"), ("de", "de", "Der Turm"), ("de-AT, en;q=0.5", "de", "Der Turm"),
                ("fr, en;q=0.1", "en", "The Tower"), ("fr", "en", "The Tower"), ("de;q=0, en", "en", "The Tower"),
            ] {
                var fields: HTTPFields = [:]
                fields[Self.accept] = wish
                let answer = try await client.send(.get, "/v1/stories/tower", fields)
                #expect(answer.status == 200 && answer.header("Content-Language") == language, "\(wish ?? "")")
                #expect(answer.header("Vary") == "Accept-Encoding, Accept-Language")
                #expect(answer.text.contains("\"name\":\"\(name)\""))
                #expect(answer.text.contains("\"languages\":[\"en\",\"de\"]") && !answer.text.contains("translations"))
            }
            let named = try await client.send(.get, "/v1/stories/tower?language=DE", [Self.accept: "en"])
            #expect(named.header("Content-Language") == "de" && named.text.contains("Schau"))
            for path in ["tower?language=fr", "tower/story.fr.json"] {
                let unknown = try await client.send(.get, "/v1/stories/\(path)")
                #expect(unknown.status == 404 && unknown.member("code") == "not-found")
                #expect(unknown.member("detail") == "the story is not in that language; it is in en, de")
            }
            for path in ["story.de", "story.json", "story..json", "story.%ff.json"] {
                let status = try await client.send(.get, "/v1/stories/tower/\(path)").status
                #expect([400, 404].contains(status), "\(path)")
            }
        }
    }

    @Test func eachLanguageHasItsAddressAndItsTag() async throws {
        try await Self.service().test { client in
            let english = try await client.send(.get, "/v1/stories/tower/story.en.json", [Self.accept: "de"])
            let german = try await client.send(.get, "/v1/stories/tower/story.de.json")
            #expect(english.text.contains("The Tower") && german.text.contains("Der Turm"))
            #expect(german.header("Vary") == "Accept-Encoding" && german.header("Content-Language") == "de")
            let tags = [english, german].compactMap { $0.header("ETag") }
            #expect(Set(tags).count == 2)
            let negotiated = try await client.send(.get, "/v1/stories/tower", [Self.accept: "de"])
            #expect(negotiated.header("ETag") == tags[1] && negotiated.bytes == german.bytes)
            let known = try await client.send(.get, "/v1/stories/tower", [Self.accept: "de", .ifNoneMatch: tags[1]])
            #expect(known.status == 304)
            let other = try await client.send(.get, "/v1/stories/tower", [Self.accept: "en", .ifNoneMatch: tags[1]])
            #expect(other.status == 200)
            // U+0164: the pseudo-language is answered and not listed.
            let pseudo = try await client.send(.get, "/v1/stories/tower/story.qps.json")
            #expect(pseudo.status == 200 && pseudo.header("Content-Language") == "qps")
            #expect(pseudo.text.contains("\"name\":\"[\u{166}\u{127}\u{1E17} \u{166}"))
            #expect(pseudo.text.contains("\"languages\":[\"en\",\"de\"]"))
        }
    }

    /// A story is made once for all who ask for it: afterwards nothing is read of its bundle.
    @Test(arguments: ["story.qps.json", "story.en.json"])
    func aStoryIsMadeOnce(name: String) async throws {
        // Words of chance, which gzip does not shorten to nothing: 4.5 MB.
        var random = SeededRandom(seed: 5)
        let words = (0..<12_000).map { _ in String(UInt32.random(in: 0...UInt32.max, using: &random), radix: 36) }
        let service = try await Self.service(description: RichText(plain: words.joined(separator: " ")), more: 50)
        try await service.test { client in
            let first = try await client.send(.get, "/v1/stories/tower/\(name)")
            #expect(first.status == 200 && first.bytes.count > 4_000_000)
            let version = try Directory.realPath("\(service.folder.path)/tower/current")
            try #require(truncate("\(version)/story.sqlite", 0) == 0)
            let again = try await client.send(.get, "/v1/stories/tower/\(name)")
            #expect(again.status == 200 && again.bytes == first.bytes)
            let coded = try await client.send(.get, "/v1/stories/tower/\(name)", [.acceptEncoding: "gzip"])
            #expect(coded.status == 200 && coded.header("Content-Encoding") == "gzip")
            // The last four bytes are the length of the plain text (RFC 1952, section 2.3.1).
            let length = coded.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(length == first.bytes.count)
        }
    }

    /// The page of a find is made without the story's chapters.
    @Test func aLinkLeadsToAStoryOrToAFind() async throws {
        try await Self.service().test { client in
            let story = try await client.send(.get, "/s/tower", [Self.accept: "de"])
            #expect(story.status == 200 && story.text.contains("<title>Der Turm · Wayreel</title>"))
            let find = try await client.send(.get, "/s/tower/look")
            #expect(find.status == 200 && find.text.contains("<title>A find in The Tower · Wayreel</title>"))
            #expect(find.text.contains("url=../../#/tower/event/look") && !find.text.contains("Look"))
            let none = try await client.send(.get, "/s/tower/none")
            #expect(none.status == 404 && none.member("detail") == "no such event")
            let long = "de" + String(repeating: "-aa", count: 9000)
            let other = try await client.send(.get, "/s/tower?language=\(long)")
            #expect(other.status == 200 && other.header("Content-Language") == "en")
        }
    }

    /// A find may have the id of a page of the story.
    @Test func aSiteHasThePagesOfLinks() async throws {
        for (id, names) in [
            ("look", ["index.de.html", "index.html", "look"]), ("index.html", ["index.de.html", "index.html"]),
            ("index.de.html", ["index.de.html", "index.html"]),
        ] {
            let folder = try await Self.service(event: id).folder
            _ = try PlayerSite([try StoryBundle.open("\(folder.path)/tower")]).write(to: "\(folder.path)/site")
            #expect(Fixture.listing("\(folder.path)/site/s/tower").sorted() == names)
        }
    }

    /// A visitor who plays in English may think of the German word.
    @Test func lockboxesAcceptTheAnswersOfAllLanguages() async throws {
        try await Self.service().test { client in
            let english = try await client.send(.get, "/v1/stories/tower/story.en.json")
            #expect(english.text.contains("\"answers\":[\"bell\",\"Glocke\"]"))
            let german = try await client.send(.get, "/v1/stories/tower/story.de.json")
            #expect(german.text.contains("\"answers\":[\"Glocke\",\"bell\"]"))
        }
    }

    @Test func theListHasTheWordsOfAllLanguages() async throws {
        try await Self.service().test { client in
            let plain = try await client.send(.get, "/v1/stories")
            #expect(
                plain.text == #"[{"description":"A walk","id":"tower","language":"en","languages":["en","de"],"#
                    + #""name":"The Tower","translations":{"de":{"description":"A walk","name":"Der Turm","#
                    + #""textLanguages":{"story/description":"en"}}}}]"#)
            let german = try await client.send(.get, "/v1/stories", [Self.accept: "de"])
            #expect(german.header("Vary") == "Accept-Language")
            #expect(
                german.text == #"[{"description":"A walk","id":"tower","language":"de","languages":["en","de"],"#
                    + #""name":"Der Turm","textLanguages":{"story/description":"en"},"#
                    + #""translations":{"en":{"description":"A walk","name":"The Tower"}}}]"#)
        }
    }
}
