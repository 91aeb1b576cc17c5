internal import Crypto
internal import FoundationEssentials

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
    /// The files that the player asks for, which a service worker caches on the device.
    package var shell: [String]

    package init(service: Bool, players: Bool, accounts: Bool = false) {
        (self.service, self.players, self.accounts) = (service, players, accounts)
        shell = PageFile.player.filter(\.isRequested).map(\.path)
        let text = PageFile.player.map { "\($0.path) \($0.hash)\n" }.joined()
        version = SHA256.hash(data: [UInt8](text.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
    }

    /// The encoded document.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The document contains only text and booleans, which can always be encoded.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }
}
