internal import Hummingbird
internal import WayreelPlayer

/// The page of the web player: `GET /`, its files, and `player.json`.
struct PlayerPageRoutes: Sendable {
    /// Whether the service keeps journals and captures.
    let hasPlayers: Bool
    /// Whether players sign in.
    let hasAccounts: Bool
    let settings: ServiceSettings

    func add(to router: Router<ServiceContext>) {
        for file in PageFile.player {
            let answer = PageAnswer(file, settings)
            router.get(RouterPath(file.path)) { request, _ in try answer.response(to: request) }
            guard file.path == "index.html" else { continue }
            router.get("/") { request, _ in try answer.response(to: request) }
        }
        let manifest = PlayerManifest(service: true, players: hasPlayers, accounts: hasAccounts)
        let answer = PageAnswer(manifest.json, type: "application/json", tag: manifest.version, settings)
        router.get("player.json") { request, _ in try answer.response(to: request) }
    }
}
