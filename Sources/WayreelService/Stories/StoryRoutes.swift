internal import HTTPTypes
internal import Hummingbird
internal import WayreelBundle
internal import WayreelCore
internal import WayreelPages
internal import WayreelStory

/// Prepared stories as files: `GET /v1/stories`, `/v1/stories/{story}`, `/v1/stories/{story}/manifest.json` and
/// `/v1/stories/{story}/media/…`.
struct StoryRoutes: Sendable {
    let stories: StoryCatalog
    private let files: StorageWork
    /// The address of the service, which links to stories need for their images.
    private let publicURL: String?
    private let texts = CompressedTexts()

    init(stories: StoryCatalog, files: StorageWork, publicURL: String?) {
        (self.stories, self.files, self.publicURL) = (stories, files, publicURL)
    }

    /// All stories, without their chapters.
    func list(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let listed = try await files.run { () throws -> [StoryListing] in
            stories.all().map { StoryListing($0.story) }
        }
        return try Response(
            StableJSON.bytes(listed), [.contentType: "application/json", .cacheControl: "no-cache"], to: request)
    }

    /// A story with its chapters and events.
    func story(_ request: Request, _ context: some RequestContext) async throws -> Response {
        try await text("story-\(Story.jsonVersion)", of: request, context) {
            try StableJSON.bytes($0.bundle.wholeStory())
        }
    }

    func manifest(_ request: Request, _ context: some RequestContext) async throws -> Response {
        try await text("manifest", of: request, context) {
            try MediaBytes.read(path: "\($0.version)/manifest.json", limit: .max).array
        }
    }

    /// The page that a link to a story or to one of its events opens: `GET /s/{story}` and `/s/{story}/{event}`, in the
    /// language of `?language=`, else in that of `Accept-Language`.
    func share(_ request: Request, _ context: some RequestContext) async throws -> Response {
        // Its links are relative to the folder that it is in, so that it works below any prefix of a proxy.
        guard !request.uri.path.hasSuffix("/") else {
            let name = context.parameters.get("event") ?? context.parameters.get("story") ?? ""
            return Response(
                status: .permanentRedirect, headers: [.location: "../\(PercentEncoding.encode(name))"])
        }
        let event = context.parameters.get("event")
        let wanted = request.uri.queryParameters.get("language") ?? request.headers[.acceptLanguage]
        let (tag, language, text) = try await files.run { () throws -> (String, String, CompressedText) in
            let entry = try entry(context)
            let language = wanted.map { entry.story.language(accepting: $0) } ?? entry.story.language
            let name = "share-\(language)-\(event ?? "")"
            let text = try texts.text("\(entry.version)/\(name)") {
                let story = try entry.bundle.wholeStory().localized(language)
                let page = SharePage(
                    story, event: event, manifest: try entry.bundle.manifest(), address: publicURL)
                guard let page else { throw Problem.notFound("no such event") }
                return page.html(root: event == nil ? "../" : "../../") { "?language=\($0)" }
            }
            return ("\(entry.version.fileName ?? "")-\(name)", language, text)
        }
        var response = try text.response(
            to: request, tag: tag,
            [
                .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache", .contentLanguage: language,
                .contentSecurityPolicy: SharePage.policy,
            ])
        response.headers[.vary] = "Accept-Encoding, Accept-Language"
        return response
    }

    /// JSON that is the same for one version of a bundle: made and compressed once.
    private func text(
        _ name: String, of request: Request, _ context: some RequestContext,
        _ make: @escaping @Sendable (StoryCatalog.Entry) throws -> [UInt8]
    ) async throws -> Response {
        let (version, text) = try await files.run { () throws -> (String, CompressedText) in
            let entry = try entry(context)
            return (entry.version, try texts.text("\(entry.version)/\(name)") { try make(entry) })
        }
        let tag = "\(version.fileName ?? "")-\(name)"
        return try text.response(
            to: request, tag: tag, [.contentType: "application/json", .cacheControl: "no-cache"])
    }

    /// A file of a story's media. Its name is the hash of its content: it never changes.
    func media(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let rest = context.parameters.getCatchAll().joined(separator: "/")
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !rest.utf8.contains(0) else {
            throw Problem.notFound("no such file")
        }
        let tag = EntityTag(rest)
        let headers: HTTPFields = [
            .contentType: MediaType.of(rest), .cacheControl: "public, max-age=31536000, immutable",
            .eTag: tag.text, .contentSecurityPolicy: PagePolicy.media,
        ]
        let (path, count) = try await files.run { () throws -> (String, Int) in
            let entry = try entry(context)
            guard let count = stories.byteCount("media/\(rest)", of: entry) else {
                throw Problem.notFound("no such file")
            }
            return ("\(entry.path)/media/\(rest)", count)
        }
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        return try await Response(file: path, count: count, headers, to: request, context)
    }

    /// Throws a ``Problem`` where there is no such story.
    private func entry(_ context: some RequestContext) throws -> StoryCatalog.Entry {
        guard let id = context.parameters.get("story"), let entry = stories.entry(id) else {
            throw Problem.notFound("no such story")
        }
        return entry
    }
}
