internal import FoundationEssentials
package import WayreelBundle
internal import WayreelCore
package import WayreelStory

/// The page that a link to a story or to a find opens: it tells programs that show links what they may show (Open Graph),
/// and leads people on to the player. It has no script.
///
/// A find's page does not say what is found: whoever is sent the link may not have found it yet.
package struct SharePage: Sendable {
    /// The story in ``language``.
    private let story: Story
    private let house: String?
    private let event: String?
    private let image: MediaFile?
    /// `https://stories.example.org/`, with a slash at its end; nil if it is not known. Open Graph takes no other addresses:
    /// without it, there is no image.
    private let address: String?

    /// `story` is in the language of the page. Returns nil if the story has no such event.
    package init?(_ story: Story, event: String? = nil, manifest: BundleManifest, address: String?) {
        if let event, !story.chapters.contains(where: { $0.events.contains { $0.id == event } }) { return nil }
        self.init(story, known: event, manifest: manifest, address: address)
    }

    /// `story` is in the language of the page, and may be without its chapters, one of which has the event.
    package init(_ story: Story, known event: String?, manifest: BundleManifest, address: String?) {
        (self.story, self.event) = (story, event)
        self.address = address.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
        let name = story.face?.name?.asName(ofAtMost: 100)
        house = name?.isEmpty == true ? nil : name
        image = Self.image(of: story, manifest)
    }

    /// The image that was drawn for links; without one the widest of the cover.
    private static func image(of story: Story, _ manifest: BundleManifest) -> MediaFile? {
        let files = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
        let drawn = manifest.media.filter { $0.role == .share }
        let own = drawn.first { $0.languages == nil || $0.languages!.contains(story.language) } ?? drawn.first
        if let file = own.flatMap({ files[$0.path] }) { return file }
        return manifest.media.filter { $0.source == story.cover?.source && $0.role == .image }.compactMap {
            files[$0.path]
        }.max { ($0.width ?? 0) < ($1.width ?? 0) }
    }

    /// The address of the page within the site: `s/late-post` or `s/late-post/bell`.
    private var path: String { "s/\(story.id)" + (event.map { "/\($0)" } ?? "") }

    /// The page. `root` leads from it to the player, such as `../`; `alternate` is its address in a language, if it has
    /// others.
    package func html(root: String, alternate: ((_ language: String) -> String)? = nil) -> [UInt8] {
        let name = story.name.asName(ofAtMost: 200)
        let title = event == nil ? name : InterfaceText.find(inStory: name, language: story.language)
        let site = house ?? "Wayreel"
        let heading = title == site ? title : "\(title) · \(site)"
        let description = (story.description?.plain ?? "").asName(ofAtMost: 300)
        let player = "\(root)#/\(story.id)" + (event.map { "/event/\($0)" } ?? "")
        var lines = [
            "<!doctype html>",
            "<html lang=\"\(story.language.xmlAttribute)\" dir=\"\(story.isRightToLeft ? "rtl" : "ltr")\">", "<head>",
            "  <meta charset=\"utf-8\">", "  <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "  <meta name=\"color-scheme\" content=\"light dark\">", "  <title>\(heading.xmlText)</title>",
        ]
        func meta(_ key: String, _ name: String, _ content: String?) {
            guard let content, !content.isEmpty else { return }
            lines.append("  <meta \(key)=\"\(name)\" content=\"\(content.xmlAttribute)\">")
        }
        meta("name", "description", description)
        meta("property", "og:type", "website")
        meta("property", "og:site_name", site)
        meta("property", "og:title", title)
        meta("property", "og:description", description)
        for (index, language) in ([story.language] + story.languages.filter { $0 != story.language }).enumerated() {
            meta("property", index == 0 ? "og:locale" : "og:locale:alternate", language.replacing("-", with: "_"))
        }
        if let address {
            meta("property", "og:url", address + path)
            if let image {
                meta("property", "og:image", "\(address)v1/stories/\(story.id)/\(image.path)")
                meta("property", "og:image:type", image.type)
                meta("property", "og:image:width", image.width.map { "\($0)" })
                meta("property", "og:image:height", image.height.map { "\($0)" })
                meta("property", "og:image:alt", story.cover?.alt.map { $0.asName(ofAtMost: 300) } ?? name)
            }
        }
        meta("name", "twitter:card", address != nil && image != nil ? "summary_large_image" : "summary")
        if let alternate, story.languages.count > 1 {
            lines += story.languages.map { language in
                "  <link rel=\"alternate\" hreflang=\"\(language.xmlAttribute)\" "
                    + "href=\"\(alternate(language).xmlAttribute)\">"
            }
        }
        lines += [
            "  <meta http-equiv=\"refresh\" content=\"0; url=\(player.xmlAttribute)\">", "</head>", "<body>",
            "  <p><a href=\"\(player.xmlAttribute)\">\(title.xmlText)</a></p>", "</body>", "</html>", "",
        ]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// `Content-Security-Policy` of these pages: they have nothing but text.
    package static let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

/// Texts of the player's interface that other pages use, from `Player/strings`.
enum InterfaceText {
    /// “A find in The Late Post”, in a language that the interface has, else in English.
    static func find(inStory name: String, language: String) -> String {
        let tags = Set(texts.keys)
        let primary = String(language.prefix { $0 != "-" }).lowercased()
        let known = tags.contains(language) ? language : tags.contains(primary) ? primary : "en"
        // The name may be written in another direction than the words around it.
        let isForeign = WritingDirection.isRightToLeft(known) != WritingDirection.isRightToLeft(language)
        let shown = isForeign ? "\u{2068}\(name)\u{2069}" : name
        return (texts[known]?["share.find"] ?? "{story}").replacing("{story}", with: shown)
    }

    /// By language: the texts that are not in forms of plurals.
    private static let texts: [String: [String: String]] = {
        var texts: [String: [String: String]] = [:]
        for file in PageFile.player where file.path.hasPrefix("strings/") && file.path.hasSuffix(".json") {
            let language = file.path.dropFirst("strings/".count).dropLast(".json".count)
            let found = try? JSONDecoder().decode([String: TextOrForms].self, from: Data(file.bytes))
            texts[String(language)] = found?.compactMapValues(\.text)
        }
        return texts
    }()

    private struct TextOrForms: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
