import Foundation
import TestSupport
import Testing
import WayreelBundle
import WayreelPages
import WayreelStory

/// The page, its manifest and the pages of links with a house's face: what names may hold, and what is made of them.
@Suite struct HouseFaceTests {
    /// A manifest of a bundle as `wayreel prepare` writes it, with a face.
    private func manifest(name: String, language: String = "en", shares: [String] = []) throws -> BundleManifest {
        var files: [[String: Any]] = []
        var media: [[String: Any]] = []
        func add(_ role: String, _ type: String, _ side: Int? = nil, languages: [String]? = nil) {
            let number = String(format: "%02x", files.count)
            let hash = number + String(repeating: "0", count: 62)
            let path = "media/\(number)/\(hash).\(type.split(separator: "/")[1])"
            var file: [String: Any] = ["path": path, "type": type, "bytes": 1, "sha256": hash]
            if let side { (file["width"], file["height"]) = (side, side) }
            files.append(file)
            var entry: [String: Any] = ["source": "logo.png", "role": role, "path": path]
            entry["languages"] = languages
            media.append(entry)
        }
        for (role, side) in [
            ("icon", 192), ("icon", 512), ("icon", 32), ("maskable-icon", 192), ("maskable-icon", 512),
            ("touch-icon", 180),
        ] {
            add(role, "image/png", side)
        }
        add("font", "font/woff2")
        for language in shares { add("share", "image/jpeg", 1200, languages: [language]) }
        let colors = ["color": "#7a1020", "text": "#ffffff", "edge": "#7a1020"]
        let json: [String: Any] = [
            "version": 1, "wayreel": "0",
            "story": ["id": "letters", "language": language, "name": "S", "chapters": 1, "events": 1], "screens": [],
            "face": ["name": name, "colors": ["light": colors, "dark": colors]],
            "database": ["path": "story.sqlite", "bytes": 0, "sha256": ""], "files": files, "media": media,
        ]
        return try JSONDecoder().decode(BundleManifest.self, from: JSONSerialization.data(withJSONObject: json))
    }

    private func story(
        _ name: String = "The Late Post", language: String = "en", languages: [String]? = nil, house: String? = nil,
        description: RichText? = nil
    ) -> Story {
        let event = Event(
            id: "gate", name: "The secret gate", position: GeoPoint(latitude: 1, longitude: 2),
            activation: Activation(radius: 9), content: .quiz(QuizContent(questions: [])))
        return Story(
            id: "letters", language: language, languages: languages, name: name, description: description,
            face: Face(name: house, color: "#7a1020"), chapters: [Chapter(id: "c", name: "C", events: [event])])
    }

    private func face(_ name: String, language: String = "en") throws -> HouseFace {
        try #require(
            HouseFace(story(language: language, house: name), manifest(name: name, language: language)))
    }

    /// Quotes, tags, the end of a title, controls of direction, and 10,000 characters.
    private static let attacks = [
        #"House "of" 'Letters' & <b>Posts</b>"#, "</title><script>alert(1)</script>",
        "\u{202E}evil\u{2066}\u{0}\u{1B}[31m",
        "a\nb\r\nc\u{2028}d", "\"><img src=x onerror=alert(1)>", String(repeating: "<a&'\">", count: 2000),
        String(repeating: "e\u{301}\u{302}", count: 5000), "",
    ]

    /// Whether a line is one element of a head, whose texts end where they should.
    private func isSound(_ line: Substring) -> Bool {
        let forms = [
            #"<!doctype html>|</?(html|head|body)>|"#, #"<html lang="[A-Za-z-]+" dir="(ltr|rtl)">"#,
            #" *<title>[^<>]*</title>"#, #" *<meta( [a-z-]+="[^"<>]*")+>"#, #" *<link( [a-z]+="[^"<>]*")+>"#,
            #" *<p><a href="[^"<>]*">[^<>]*</a></p>"#,
        ]
        return forms.contains { form in line.range(of: "^(?:\(form))$", options: .regularExpression) != nil }
    }

    @Test func namesCannotLeaveTheirPlaces() throws {
        let plain = try #require(PageFile.player.first { $0.path == "index.html" })
        let known = Set(String(decoding: plain.bytes, as: UTF8.self).split(separator: "\n"))
        for name in Self.attacks {
            let face = try face(name)
            #expect(face.name.count <= 100 && face.name.utf8.count <= 4000)
            #expect(!face.name.unicodeScalars.contains { $0.value < 0x20 || (0x202A...0x202E).contains($0.value) })
            let lines = String(decoding: face.index(plain.bytes), as: UTF8.self).split(separator: "\n")
            // Two colours, two icons, the icon and the name of iOS; and the title, unless that is still Wayreel's.
            #expect(lines.filter { !known.contains($0) }.count == (face.name == "Wayreel" ? 6 : 7))
            #expect(lines.allSatisfy { known.contains($0) || isSound($0) }, "\(face.name)")
            for event in [nil, "gate"] {
                let page = try #require(
                    SharePage(
                        story(name, house: name, description: RichText(plain: name)), event: event,
                        manifest: manifest(name: name), address: nil))
                let html = String(decoding: page.html(root: "../"), as: UTF8.self)
                #expect(html.split(separator: "\n").allSatisfy(isSound), "\(html.prefix(2000))")
                #expect(html.utf8.count < 40_000)
            }
        }
    }

    /// The members of the W3C's Web Application Manifest, with the values that it allows.
    @Test func theManifestHasTheMembersOfTheW3C() throws {
        for (name, short) in [
            ("Museum of Everyday Letters", "Museum"), ("Letters", "Letters"), ("The Old Post House", "The Old Post"),
            ("Donaudampfschifffahrtsmuseum", "Donaudampfschifffahrtsmuseum"), ("متحف الرسائل اليومية", "متحف الرسائل"),
        ] {
            let data = Data(try face(name, language: name.hasPrefix("م") ? "ar" : "en-GB").webManifest)
            let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(
                Set(manifest.keys) == [
                    "id", "start_url", "scope", "display", "name", "short_name", "lang", "dir", "theme_color",
                    "background_color", "icons",
                ])
            #expect(manifest["name"] as? String == name && manifest["short_name"] as? String == short)
            #expect(manifest["display"] as? String == "standalone" && manifest["start_url"] as? String == "./")
            #expect(manifest["dir"] as? String == (name.hasPrefix("م") ? "rtl" : "ltr"))
            let icons = try #require(manifest["icons"] as? [[String: String]])
            #expect(
                icons.map { "\($0["sizes"] ?? "") \($0["purpose"] ?? "") \($0["type"] ?? "")" } == [
                    "192x192 any image/png", "512x512 any image/png", "32x32 any image/png",
                    "192x192 maskable image/png", "512x512 maskable image/png",
                ])
            #expect(icons.allSatisfy { $0["src"]?.hasPrefix("v1/stories/letters/media/") == true })
        }
    }

    @Test func aSiteHasTheFaceThatAllStoriesHave() throws {
        let (one, other) = (try face("One"), try face("Other"))
        #expect(HouseFace.shared(by: [one]) == one && HouseFace.shared(by: [one, one]) == one)
        #expect(HouseFace.shared(by: [one, other]) == nil && HouseFace.shared(by: [one, nil]) == nil)
        #expect(HouseFace.shared(by: []) == nil && HouseFace.shared(by: [nil]) == nil)
    }

    /// Without a face, all is as it is in `Player/`.
    @Test func withoutAFaceThePageIsWayreels() {
        let files = PlayerFiles(nil).files
        #expect(files.map(\.path) == PageFile.player.map(\.path) && files.map(\.hash) == PageFile.player.map(\.hash))
        let manifest = PlayerManifest(PlayerFiles(nil), service: true, players: false)
        #expect(!String(decoding: manifest.json, as: UTF8.self).contains("\"face\""))
    }

    /// Every icon, the font and the name change the version, by which devices get the new page.
    @Test func anotherFaceIsAnotherVersion() throws {
        let versions = try [nil, face("One"), face("Two")].map {
            PlayerManifest(PlayerFiles($0), service: true, players: false).version
        }
        #expect(Set(versions).count == 3)
    }

    private func meta(_ html: [UInt8], _ name: String) -> [String] {
        String(decoding: html, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.contains("=\"\(name)\" ") else { return nil }
            return line.firstMatch(of: /content="([^"]*)"/).map { String($0.1) }
        }
    }

    @Test func linksSayWhatTheStoryIs() throws {
        let manifest = try manifest(name: "House", shares: ["en", "de"])
        let german = story("Die späte Post", language: "de", languages: ["en", "de", "pt-BR"], house: "Haus")
        let page = try #require(
            SharePage(german, manifest: manifest, address: "https://stories.example.org"))
        let html = page.html(root: "../") { "?language=\($0)" }
        #expect(meta(html, "og:title") == ["Die späte Post"] && meta(html, "og:site_name") == ["Haus"])
        #expect(meta(html, "og:locale") == ["de"] && meta(html, "og:locale:alternate") == ["en", "pt_BR"])
        #expect(meta(html, "og:url") == ["https://stories.example.org/s/letters"])
        // The German image is the last file.
        let path = try #require(manifest.media.last?.path)
        #expect(meta(html, "og:image") == ["https://stories.example.org/v1/stories/letters/\(path)"])
        #expect(meta(html, "twitter:card") == ["summary_large_image"])
        let text = String(decoding: html, as: UTF8.self)
        #expect(text.contains("<html lang=\"de\" dir=\"ltr\">") && text.contains("content=\"0; url=../#/letters\""))
        #expect(text.contains("hreflang=\"pt-BR\" href=\"?language=pt-BR\""))
    }

    @Test func withoutAnAddressThereIsNoImage() throws {
        let page = try #require(SharePage(story(), manifest: manifest(name: "House", shares: ["en"]), address: nil))
        let html = page.html(root: "../")
        for name in ["og:image", "og:url", "og:image:width"] { #expect(meta(html, name).isEmpty) }
        #expect(meta(html, "twitter:card") == ["summary"])
    }

    /// In the languages of the interface, else in English; the name of the find is not told.
    @Test(arguments: [
        ("en", "A find in The Late Post"), ("de-AT", "Ein Fund in The Late Post"),
        ("fr", "Une découverte dans The Late Post"),
        ("es-MX", "Un hallazgo en The Late Post"), ("pt-BR", "Uma descoberta em The Late Post"),
        ("ar", "اكتشاف في The Late Post"), ("fi", "A find in The Late Post"),
        ("he", "A find in \u{2068}The Late Post\u{2069}"),
    ])
    func findsAreNotNamed(language: String, title: String) throws {
        let page = try #require(
            SharePage(story(language: language), event: "gate", manifest: manifest(name: "House"), address: nil))
        let html = page.html(root: "../../")
        #expect(meta(html, "og:title") == [title])
        let text = String(decoding: html, as: UTF8.self)
        #expect(!text.contains("secret") && text.contains("url=../../#/letters/event/gate"))
        #expect(SharePage(story(), event: "none", manifest: try manifest(name: "H"), address: nil) == nil)
    }

    @Test func pagesTakeFontsOfTheirOwnHostOnly() {
        #expect(PagePolicy.content().contains("; font-src 'self';"))
        #expect(SharePage.policy.hasPrefix("default-src 'none'"))
    }
}
