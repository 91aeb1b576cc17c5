internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// The page of the web player: `GET /`, its files, and `player.json`.
struct PlayerPageRoutes: Sendable {
    func add(to router: Router<ServiceContext>) {
        for file in PlayerFile.all {
            let text = CompressedText(file.bytes)
            router.get(RouterPath(file.path)) { request, _ in
                Self.answer(request, text, type: file.type, tag: file.hash)
            }
            guard file.path == "index.html" else { continue }
            router.get("/") { request, _ in Self.answer(request, text, type: file.type, tag: file.hash) }
        }
        let manifest = PlayerManifest(service: true)
        let json = CompressedText(manifest.json)
        router.get("player.json") { request, _ in
            Self.answer(request, json, type: "application/json", tag: manifest.version)
        }
    }

    private static func answer(_ request: Request, _ text: CompressedText, type: String, tag: String) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        for (name, value) in PagePolicy.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return text.response(to: request, tag: tag, headers)
    }
}
