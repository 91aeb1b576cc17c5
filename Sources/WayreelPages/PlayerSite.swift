internal import Crypto
internal import FoundationEssentials
package import WayreelBundle
package import WayreelCore
package import WayreelStory

/// The player and prepared stories as a folder that any web server can host. Journals then stay on the players'
/// devices.
package struct PlayerSite: Sendable {
    private let bundles: [StoryBundle]

    /// Throws a `parameter` error if two bundles contain stories with the same id.
    package init(_ bundles: [StoryBundle]) throws(MediaError) {
        self.bundles = bundles
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
        for file in PageFile.player { try folder.write(file.bytes, to: file.path) }
        try folder.write(PlayerManifest(service: false, players: false).json, to: "player.json")
        try folder.write(Self.headers, to: "_headers")
        try folder.write(
            try json(bundles.map { (bundle) throws(MediaError) in StoryListing(try bundle.story()) }),
            to: "v1/stories.json")
        for bundle in bundles { try write(bundle, to: folder) }
        try folder.finish()
        return Written(files: folder.files.count, bytes: folder.files.reduce(0) { $0 + $1.bytes })
    }

    private func write(_ bundle: StoryBundle, to folder: AtomicFolder) throws(MediaError) {
        let (story, manifest) = (try bundle.wholeStory(), try bundle.manifest())
        let address = "v1/stories/\(story.id)"
        try folder.write(try json(story), to: "\(address).json")
        try folder.write(try json(manifest), to: "\(address)/manifest.json")
        for media in manifest.files {
            for path in media.paths {
                let bytes = try MediaBytes.read(path: "\(bundle.path)/\(path)", limit: Int.max)
                try withExtendedLifetime(bytes) { () throws(MediaError) in
                    try folder.write([bytes.buffer], to: "\(address)/\(path)")
                }
            }
        }
    }

    private func json(_ value: some Encodable) throws(MediaError) -> [UInt8] {
        do { return try StableJSON.bytes(value) } catch {
            throw MediaError(.encoding, step: .player, reason: "\(error)")
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
    /// The version, which changes with the player's files.
    package var version: String
    /// The files that a service worker stores on the device with the first visit; of the texts in `strings/` only those of
    /// the languages in use.
    package var shell: [String]

    package init(service: Bool, players: Bool, accounts: Bool = false) {
        (self.service, self.players, self.accounts) = (service, players, accounts)
        shell = PageFile.player.filter(\.isStored).map(\.path)
        let text = PageFile.player.map { "\($0.path) \($0.hash)\n" }.joined()
        version = SHA256.hash(data: [UInt8](text.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
    }

    /// The encoded document.
    // The document contains only text and booleans, which can always be encoded.
    package var json: [UInt8] { (try? StableJSON.bytes(self)) ?? [] }
}

/// JSON that is the same for the same value.
package enum StableJSON {
    /// UTF-8, with members in the order of their names, and slashes as they are.
    package static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }
}

/// A story in the list of stories, without its chapters.
package struct StoryListing: Encodable, Sendable {
    private var id: String
    private var name: String
    private var language: String
    private var description: String?
    private var cover: Asset?

    package init(_ story: Story) {
        id = story.id
        name = story.name
        language = story.language
        description = story.description?.plain
        cover = story.cover
    }
}

extension MediaError.Step {
    package static let player = MediaError.Step(rawValue: "player")
}
