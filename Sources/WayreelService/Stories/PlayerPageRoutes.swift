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
        let (bytes, chosen) = text.chosen(by: request.headers[.acceptEncoding], tag: tag)
        var headers = chosen
        headers[.contentType] = type
        headers[.cacheControl] = "no-cache"
        for (name, value) in PagePolicy.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let tags = [EntityTag(tag), EntityTag("\(tag)-gzip")]
        guard !tags.contains(where: { $0.matches(ifNoneMatch: request.headers[.ifNoneMatch]) }) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(bytes, headers, to: request)
    }
}
