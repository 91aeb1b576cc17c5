internal import HTTPTypes
internal import Hummingbird
internal import WayreelPlayer

/// The page that documents the requests and tries them, made of `/openapi.json` in the browser: `GET /api` and its
/// files.
struct APIPageRoutes: Sendable {
    let settings: ServiceSettings

    func add(to router: Router<ServiceContext>) {
        for file in PageFile.apiPage {
            let answer = PageAnswer(file, settings)
            guard file.path == "index.html" else {
                router.get(RouterPath("api/\(file.path)")) { request, _ in try answer.response(to: request) }
                continue
            }
            router.get("api") { request, _ in
                // Its links are relative to the folder that it is in, so that it works below any prefix of a proxy.
                guard !request.uri.path.hasSuffix("/") else {
                    return Response(status: .permanentRedirect, headers: [.location: "../api"])
                }
                return try answer.response(to: request)
            }
        }
    }
}
