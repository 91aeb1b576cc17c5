package import WayreelBundle
internal import WayreelCore
internal import WayreelDocument
package import WayreelStory

/// The face of a house as its page needs it: with the addresses of the files, relative to the page.
package struct HouseFace: Hashable, Sendable, Encodable {
    /// An icon, as manifests of web applications name it.
    package struct Icon: Hashable, Sendable, Encodable {
        package var src: String
        /// Such as `192x192`.
        package var sizes: String
        package var type: String
        /// `any`, or `maskable` for one that a system may cut.
        package var purpose: String
    }

    package struct Logo: Hashable, Sendable, Encodable {
        package var src: String
        package var width: Int?
        package var height: Int?
        package var alt: String?
    }

    package var name: String
    package var language: String
    package var colors: FaceColors
    package var icons: [Icon]
    /// The icon for the home screen of iOS.
    package var touchIcon: String?
    package var font: String?
    /// The weights of a variable font, such as `100 900`.
    package var fontWeights: String?
    package var logo: Logo?

    /// The face of a story's bundle; nil for that of Wayreel.
    package init?(_ story: Story, _ manifest: BundleManifest) {
        guard let face = manifest.face else { return nil }
        let files = Dictionary(manifest.files.map { ($0.path, $0) }) { first, _ in first }
        func uses(_ role: MediaRole) -> [MediaFile] {
            var seen: Set<String> = []
            return manifest.media.filter { $0.role == role && seen.insert($0.path).inserted }.compactMap {
                files[$0.path]
            }
        }
        func address(_ file: MediaFile) -> String { "v1/stories/\(story.id)/\(file.path)" }
        let name = face.name.asName(ofAtMost: Self.longestName)
        self.name = name.isEmpty ? "Wayreel" : name
        language = story.language
        colors = face.colors
        icons = [(MediaRole.icon, "any"), (.maskableIcon, "maskable")].flatMap { role, purpose in
            uses(role).map { file in
                Icon(
                    src: address(file), sizes: "\(file.width ?? 0)x\(file.height ?? 0)", type: file.type,
                    purpose: purpose)
            }
        }
        touchIcon = uses(.touchIcon).first.map(address)
        font = uses(.font).first.map(address)
        fontWeights = face.fontWeights
        if let asset = story.face?.logo {
            let images = manifest.media.filter { $0.source == asset.source && $0.role == .image }.compactMap {
                files[$0.path]
            }
            logo = images.min { ($0.width ?? .max) < ($1.width ?? .max) }.map { file in
                Logo(src: address(file), width: file.width, height: file.height, alt: asset.alt)
            }
        }
    }

    /// The face of a site: that of its only story, or the one that all of its stories have.
    package static func shared(by faces: [HouseFace?]) -> HouseFace? {
        guard let first = faces.first ?? nil, faces.allSatisfy({ $0.map(first.isSame) == true }) else { return nil }
        return first
    }

    /// Whether another story's face looks the same. Files are named by their content.
    private func isSame(_ other: HouseFace) -> Bool {
        func content(_ address: String?) -> Substring? { address?.split(separator: "/").last }
        return name == other.name && colors == other.colors && content(font) == content(other.font)
            && content(logo?.src) == content(other.logo?.src)
            && icons.map { content($0.src) } == other.icons.map { content($0.src) }
    }

    private static let longestName = 100

    // MARK: Files of the page

    /// The name under an icon, where systems have room for a dozen characters: as many whole words as fit, else the name.
    package var shortName: String {
        var short = ""
        for word in name.split(separator: " ") {
            let longer = short.isEmpty ? String(word) : "\(short) \(word)"
            guard longer.count <= 12 else { break }
            short = longer
        }
        // Words such as “of” at the end belong to what was left out.
        while short != name, let last = short.split(separator: " ").dropFirst().last, last.first?.isLowercase == true {
            short = String(short.dropLast(last.count + 1))
        }
        return short.isEmpty ? name : short
    }

    /// The manifest of the page as an application (W3C, Web Application Manifest). Its addresses are relative to itself.
    package var webManifest: [UInt8] {
        struct Manifest: Encodable {
            var id = "./", startURL = "./", scope = "./", display = "standalone"
            var name: String, shortName: String, lang: String, dir: String
            var themeColor: String, backgroundColor: String
            var icons: [Icon]

            enum CodingKeys: String, CodingKey {
                case id, scope, display, name, lang, dir, icons
                case startURL = "start_url"
                case shortName = "short_name"
                case themeColor = "theme_color"
                case backgroundColor = "background_color"
            }
        }
        let color = colors.light.color ?? "#0b1113"
        let manifest = Manifest(
            name: name, shortName: shortName, lang: language,
            dir: WritingDirection.isRightToLeft(language) ? "rtl" : "ltr", themeColor: color, backgroundColor: color,
            icons: icons)
        // It contains only text.
        return (try? CanonicalJSON.bytes(manifest)) ?? []
    }

    /// The page with the house's title, colours and icons in place of Wayreel's. Its lines are those of
    /// `Player/index.html`; one that is not there is left out.
    package func index(_ page: [UInt8]) -> [UInt8] {
        var lines: [Substring] = []
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.drop(while: { $0 == " " }) {
            case let code where code.hasPrefix("<title>"): lines.append("  <title>\(name.xmlText)</title>")
            case let code where code.hasPrefix(#"<meta name="theme-color""#):
                let isDark = code.contains("dark")
                let color = (isDark ? colors.dark : colors.light).color
                lines.append(
                    color.map {
                        "  <meta name=\"theme-color\" content=\"\($0.xmlAttribute)\" "
                            + "media=\"(prefers-color-scheme: \(isDark ? "dark" : "light"))\">"
                    } ?? line)
            case let code where code.hasPrefix(#"<link rel="icon""#): lines += iconLines
            default: lines.append(line)
            }
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private var iconLines: [Substring] {
        var lines = icons.filter { $0.purpose == "any" && ["32x32", "192x192"].contains($0.sizes) }.map { icon in
            "  <link rel=\"icon\" href=\"\(icon.src.xmlAttribute)\" type=\"\(icon.type)\" sizes=\"\(icon.sizes)\">"
        }
        if let touchIcon {
            lines.append("  <link rel=\"apple-touch-icon\" href=\"\(touchIcon.xmlAttribute)\">")
        }
        lines.append("  <meta name=\"apple-mobile-web-app-title\" content=\"\(shortName.xmlAttribute)\">")
        return lines.map { $0[...] }
    }
}

/// The files of the web player with a house's face, or with Wayreel's.
package struct PlayerFiles: Sendable {
    package let face: HouseFace?
    /// In the order of their paths.
    package let files: [PageFile]

    package init(_ face: HouseFace?) {
        self.face = face
        files = PageFile.player.map { file in
            switch (face, file.path) {
            case (let face?, "index.html"): file.with(face.index(file.bytes))
            case (let face?, "player.webmanifest"): file.with(face.webManifest)
            default: file
            }
        }
    }
}
