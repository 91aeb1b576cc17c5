internal import Crypto
internal import FoundationEssentials

/// `player.json`: what the page has to know about where it is. The page of a service and that of a folder differ in nothing else.
package struct PlayerManifest: Encodable, Sendable {
    /// Whether a service takes captures and journals.
    package var service: Bool
    /// Changes with the player's files.
    package var version: String
    /// The player's files, which a service worker keeps on the device.
    package var shell: [String]

    package init(service: Bool) {
        self.service = service
        shell = PageFile.player.map(\.path)
        let text = PageFile.player.map { "\($0.path) \($0.hash)\n" }.joined()
        version = SHA256.hash(data: [UInt8](text.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
    }

    /// The document.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // It holds texts and nothing that could not be encoded.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }
}
