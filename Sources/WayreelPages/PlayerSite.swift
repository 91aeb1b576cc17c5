internal import Crypto
package import WayreelBundle
package import WayreelCore
internal import WayreelDocument
internal import WayreelStory

/// The player and prepared stories as a folder that any web server can host. Journals then stay on the players'
/// devices.
package struct PlayerSite: Sendable {
    private let bundles: [StoryBundle]
    private let address: String?

    /// `address` is where the folder will be found, for links to stories: `https://stories.example.org/` or a folder of
    /// a site.
    ///
    /// Throws a `parameter` error if two bundles contain stories with the same id, and for another address.
    package init(_ bundles: [StoryBundle], address: String? = nil) throws(MediaError) {
        self.bundles = bundles
        self.address = address
        let isAddress = address?.wholeMatch(of: /https?:\/\/[^\s"'<>?#\/]+(\/[^\s"'<>?#]*)?/) != nil
        guard address == nil || isAddress else {
            throw MediaError(
                .parameter, step: .player, subject: address, reason: "is not the address of a site",
                advice: "give one such as https://stories.example.org/")
        }
        var seen: [String: String] = [:]
        for bundle in bundles {
            let id = try bundle.story().id
            if let other = seen.updateValue(bundle.path, forKey: id) {
                throw MediaError(
                    .parameter, step: .player, subject: bundle.path,
                    reason: "holds the story '\(id)', as does '\(other)'", advice: "give one of them")
            }
        }
    }

    /// The number of written files, and their size.
    package struct Written: Sendable {
        package var files: Int
        package var bytes: Int
    }

    /// Writes the folder atomically. A folder that an earlier run wrote is replaced.
    ///
    /// Throws an `io` error if it cannot be written or holds other files, and what reading the bundles throws.
    package func write(to path: String) throws(MediaError) -> Written {
        let folder = try AtomicFolder(path)
        let faces = try bundles.map { (bundle) throws(MediaError) in
            HouseFace(try bundle.story(), try bundle.manifest())
        }
        let page = PlayerFiles(HouseFace.shared(by: faces))
        for file in page.files { try folder.write(file.bytes, to: file.path) }
        try folder.write(PlayerManifest(page, service: false, players: false).json, to: "player.json")
        try folder.write(Self.headers, to: "_headers")
        try folder.write(
            try CanonicalJSON.bytes(
                bundles.map { (bundle) throws(MediaError) in try StoryListing(bundle) }, step: .player),
            to: "v1/stories.json")
        for bundle in bundles { try write(bundle, to: folder) }
        try folder.finish()
        return Written(files: folder.files.count, bytes: folder.files.reduce(0) { $0 + $1.bytes })
    }

    private func write(_ bundle: StoryBundle, to folder: AtomicFolder) throws(MediaError) {
        let stories = try bundle.languages().map { (language) throws(MediaError) in
            try bundle.wholeStory(language: language)
        }
        let (story, manifest) = (stories[0], try bundle.manifest())
        let bundlePath = "v1/stories/\(story.id)"
        try folder.write(try CanonicalJSON.bytes(story, step: .player), to: "\(bundlePath).json")
        // A service answers at the same addresses.
        for story in stories where stories.count > 1 {
            let json = try CanonicalJSON.bytes(story, step: .player)
            try folder.write(json, to: "\(bundlePath)/story.\(story.language).json")
        }
        try folder.write(try CanonicalJSON.bytes(manifest, step: .player), to: "\(bundlePath)/manifest.json")
        try writeSharePages(stories, manifest, to: folder)
        for media in manifest.files {
            for path in media.paths {
                let bytes = try MediaBytes.read(path: "\(bundle.path)/\(path)", limit: Int.max)
                try withExtendedLifetime(bytes) { () throws(MediaError) in
                    try folder.write([bytes.buffer], to: "\(bundlePath)/\(path)")
                }
            }
        }
    }

    /// Writes the pages that links lead to: of the story in each language, and of each find in the story's own. A find whose
    /// id is the name of such a page has none.
    private func writeSharePages(
        _ stories: [Story], _ manifest: BundleManifest, to folder: AtomicFolder
    ) throws(MediaError) {
        let story = stories[0]
        func name(_ language: String) -> String { language == story.language ? "index.html" : "index.\(language).html" }
        for local in stories {
            let page = SharePage(local, manifest: manifest, address: address)
            if let html = page?.html(root: "../../", alternate: name) {
                try folder.write(html, to: "s/\(story.id)/\(name(local.language))")
            }
        }
        let names = Set(stories.map { name($0.language) })
        for event in story.chapters.flatMap(\.events) where !names.contains(event.id) {
            let page = SharePage(story, event: event.id, manifest: manifest, address: address)
            if let html = page?.html(root: "../../../") {
                try folder.write(html, to: "s/\(story.id)/\(event.id)/index.html")
            }
        }
    }

    /// The headers of the player's files, in the format of several static hosts (Netlify, Cloudflare Pages).
    private static var headers: [UInt8] {
        let lines =
            ["/*"] + PagePolicy.headers().map { "  \($0.0): \($0.1)" } + ["  X-Content-Type-Options: nosniff"]
            + [
                "/v1/stories/*/media/*", "  ! Content-Security-Policy",
                "  Content-Security-Policy: \(PagePolicy.media)",
                "  Cache-Control: public, max-age=31536000, immutable",
            ]
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}

/// `player.json`: the page's information about its host. The pages of a service and of a static folder are otherwise
/// identical.
package struct PlayerManifest: Encodable, Sendable {
    /// Whether it is a service, and not a static folder.
    package var service: Bool
    /// Whether the service keeps journals and captures of players.
    package var players: Bool
    /// Whether players sign in at the service.
    package var accounts: Bool
    /// The house's face; absent for that of Wayreel.
    package var face: HouseFace?
    /// The version, which changes with the player's files and with the house's face.
    package var version: String
    /// The files that a service worker stores on the device with the first visit; of the texts in `strings/` only those of
    /// the languages in use.
    package var shell: [String]

    package init(_ page: PlayerFiles, service: Bool, players: Bool, accounts: Bool = false) {
        (self.service, self.players, self.accounts, face) = (service, players, accounts, page.face)
        shell = page.files.filter(\.isStored).map(\.path)
        let own = (try? CanonicalJSON.bytes(face)) ?? []
        let text = page.files.map { "\($0.path) \($0.hash)\n" }.joined() + (face == nil ? "" : own.hexadecimal)
        version = SHA256.hash(data: [UInt8](text.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
    }

    /// The encoded document.
    // The document contains only text and booleans, which can always be encoded.
    package var json: [UInt8] { (try? CanonicalJSON.bytes(self)) ?? [] }
}

extension MediaError.Step {
    package static let player = MediaError.Step(rawValue: "player")
}
