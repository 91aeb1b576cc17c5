/// The sender of a request.
package struct PlayerIdentity: Hashable, Sendable {
    /// The token's subject.
    package var id: String
    /// The groups whose notes the player sees.
    package var groups: Set<String>

    package init(id: String, groups: Set<String> = []) { (self.id, self.groups) = (id, groups) }

    /// Returns whether a text can be the id of a player or the name of a group: 1 to 255 bytes without control
    /// characters.
    package static func isName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// Returns whether the player has this id, compared byte by byte: texts that only look the same identify other
    /// players.
    package func isCalled(_ id: String) -> Bool { self.id.utf8.elementsEqual(id.utf8) }
}
