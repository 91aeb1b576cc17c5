internal import HTTPTypes
internal import Hummingbird
internal import WayreelSigning

/// Checks which player sends a request, and denies access to the data of others.
struct PlayerAccess: Sendable {
    /// nil: on the loopback, everybody is the player that the request names.
    let keys: Reloadable<PlayerKeys>?
    /// What the `aud` of tokens has to contain; nil for anything.
    let audience: String?

    /// The fields of a query that name a player where there are no tokens.
    var fieldNames: Set<String> { keys == nil ? ["player", "group"] : [] }

    /// Returns the player who sends a request. `name`: the one that its path names, if it names one.
    ///
    /// Throws a ``Problem``: 401 without a valid token, 403 if the path names another player.
    func player(of request: Request, _ query: QueryFields, named name: String? = nil) async throws -> Player {
        guard let keys else {
            let groups = query.filter { $0.name == "group" }.map(\.value)
            guard let id = name ?? query.value("player"), ([id] + groups).allSatisfy(Player.isName) else {
                throw Problem.badRequest("name the player, and groups, in 1 to 255 bytes without control characters")
            }
            let player = Player(id: id, groups: Set(groups))
            RequestRecord.note(player)
            return player
        }
        let scheme = "bearer "
        guard let header = request.headers[.authorization], header.lowercased().hasPrefix(scheme) else {
            throw Problem.unauthorized("send a token as 'Authorization: Bearer …'")
        }
        let player: Player
        let token = String(header.dropFirst(scheme.count))
        do { player = try await keys.value.player(of: token, audience: audience) } catch {
            throw Problem.unauthorized(error.reason, error: "invalid_token")
        }
        RequestRecord.note(player)
        guard name.map(player.isCalled) ?? true else {
            throw Problem(.forbidden, code: "player", "This belongs to another player")
        }
        return player
    }
}
