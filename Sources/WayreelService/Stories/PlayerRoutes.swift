internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// The web player: `GET /`, its files, and `player.json`.
struct PlayerRoutes: Sendable {
    private let manifest = PlayerManifest(service: true)

    func add(to router: Router<BasicRequestContext>) {
        for file in PlayerFile.all {
            router.get(RouterPath(file.path == "index.html" ? "/" : file.path)) { request, _ in
                Self.answer(request, file.bytes, type: file.type, tag: file.hash)
            }
        }
        let json = manifest.json
        router.get("player.json") { request, _ in
            Self.answer(request, json, type: "application/json", tag: manifest.version)
        }
    }

    private static func answer(_ request: Request, _ bytes: [UInt8], type: String, tag: String) -> Response {
        let tag = EntityTag(tag)
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache", .eTag: tag.text]
        for (name, value) in PagePolicy.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        guard !tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(bytes, headers, to: request)
    }
}
