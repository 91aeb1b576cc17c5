internal import WayreelCore

/// Who sends a request.
struct Player: Hashable, Sendable {
    /// A token's subject.
    var id: String
    /// The groups whose notes the player sees.
    var groups: Set<String> = []

    /// Whether a text can be the id of a player or the name of a group: 1 to 255 bytes without control characters.
    static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Whether it has this id, byte by byte: texts that only look the same are other players.
    func isCalled(_ id: String) -> Bool { self.id.utf8.elementsEqual(id.utf8) }
}
