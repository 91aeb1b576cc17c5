internal import HTTPTypes
internal import Hummingbird
internal import WayreelBundle
internal import WayreelCore
internal import WayreelDocument
internal import WayreelPages
internal import WayreelStory

/// Prepared stories as files: `GET /v1/stories`, `/v1/stories/{story}`, `/v1/stories/{story}/story.{language}.json`,
/// `/v1/stories/{story}/manifest.json` and `/v1/stories/{story}/media/…`.
struct StoryRoutes: Sendable {
    let stories: StoryCatalog
    private let files: StorageWork
    /// The address of the service, which links to stories need for their images.
    private let publicURL: String?
    private let texts = KeptTexts()
    private let shared = SharedWork<CompressedText>()

    /// The texts that are kept for the next request. None of a kind takes the place of another kind: there is a page for each
    /// event, and the pseudo-language is for authors.
    private struct KeptTexts: Sendable {
        let stories = CompressedTexts(maxBytes: 16 << 20, maxTextBytes: 8 << 20)
        let ofAuthors = CompressedTexts(maxBytes: 8 << 20, maxTextBytes: 8 << 20)
        let pages = CompressedTexts(maxBytes: 2 << 20)
    }

    init(stories: StoryCatalog, files: StorageWork, publicURL: String?) {
        (self.stories, self.files, self.publicURL) = (stories, files, publicURL)
    }

    /// All stories, without their chapters, each in the language that suits the client best.
    func list(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let listed = try await files.run { () throws -> [StoryListing] in
            stories.all().map { request.headers[.acceptLanguage].map($0.listing.preferring) ?? $0.listing }
        }
        var headers = Self.headers
        headers[.vary] = "Accept-Language"
        return try Response(CanonicalJSON.bytes(listed), headers, to: request)
    }

    /// A story with its chapters and events: in the language that the query names, else the one that suits
    /// `Accept-Language` best.
    func story(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let named = try QueryFields(of: request).value("language")
        let accepted = request.headers[.acceptLanguage]
        var headers = Self.headers
        headers[.vary] = "Accept-Language"
        return try await text(of: request, headers) {
            let entry = try entry(context)
            if let named { return try story(known(named, of: entry), of: entry) }
            return story(accepted.map(entry.story.language(accepting:)) ?? entry.story.language, of: entry)
        }
    }

    /// A story in a language: `story.de.json`. A static site has the same address.
    func translation(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let ending = ".json"
        let name = try context.decoded("language")
        return try await text(of: request, Self.headers) {
            let entry = try entry(context)
            guard name.hasSuffix(ending) else { throw Problem.notFound("no such file") }
            return try story(known(String(name.dropLast(ending.count)), of: entry), of: entry)
        }
    }

    func manifest(_ request: Request, _ context: some RequestContext) async throws -> Response {
        try await text(of: request, Self.headers) {
            let entry = try entry(context)
            return Text(entry, "manifest", in: texts.stories) {
                try MediaBytes.read(path: "\(entry.version)/manifest.json", limit: .max).array
            }
        }
    }

    private static let headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-cache"]

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
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache", .vary: "Accept-Language",
            .contentSecurityPolicy: SharePage.policy,
        ]
        return try await text(of: request, headers) {
            let entry = try entry(context)
            let language = wanted.map { entry.story.language(accepting: $0) } ?? entry.story.language
            // `/` is in no id, and in no tag.
            var text = Text(entry, "share/\(language)/\(event ?? "")", in: texts.pages) {
                // Anybody may ask for any number of events, so that the story is read without them.
                if let event, try !entry.bundle.hasEvent(event) { throw Problem.notFound("no such event") }
                let page = SharePage(
                    try entry.bundle.story(language: language), known: event, manifest: try entry.bundle.manifest(),
                    address: publicURL)
                return page.html(root: event == nil ? "../" : "../../") { "?language=\($0)" }
            }
            text.language = language
            return text
        }
    }

    /// The tag of a language as the story has it. Throws a ``Problem`` that names those that there are.
    private func known(_ tag: String, of entry: StoryCatalog.Entry) throws -> String {
        let languages = entry.story.languages
        let wanted = tag.lowercased()
        guard let known = (languages + [Story.pseudoLanguage]).first(where: { $0.lowercased() == wanted }) else {
            throw Problem.notFound("the story is not in that language; it is in \(languages.joined(separator: ", "))")
        }
        return known
    }

    /// A JSON that is the same for one version of a bundle.
    private struct Text: Sendable {
        let entry: StoryCatalog.Entry
        /// Another one for another text.
        let name: String
        var language: String?
        /// Where it is kept, compressed, for the next request.
        let place: CompressedTexts
        let make: @Sendable () throws -> [UInt8]

        init(
            _ entry: StoryCatalog.Entry, _ name: String, in place: CompressedTexts,
            _ make: @escaping @Sendable () throws -> [UInt8]
        ) {
            (self.entry, self.name, self.place, self.make) = (entry, name, place, make)
        }
    }

    private func story(_ language: String, of entry: StoryCatalog.Entry) -> Text {
        let isOwn = language == entry.story.language
        let name = "story-\(Story.jsonVersion)\(isOwn ? "" : "-\(language)")"
        let place = entry.story.languages.contains(language) ? texts.stories : texts.ofAuthors
        var text = Text(entry, name, in: place) {
            try CanonicalJSON.bytes(entry.bundle.wholeStory(language: language))
        }
        text.language = language
        return text
    }

    private func text(
        of request: Request, _ headers: HTTPFields, _ find: @escaping @Sendable () throws -> Text
    ) async throws -> Response {
        let found = try await files.run(find)
        let name = "\(found.entry.version)/\(found.name)"
        let text = if let known = found.place[name] { known } else { try await made(found, name) }
        var headers = headers
        headers[.contentLanguage] = found.language
        return try text.response(to: request, tag: "\(found.entry.version.fileName ?? "")-\(found.name)", headers)
    }

    /// Makes a text, once for all who ask for it meanwhile. A large one takes a processor for a second, and is not kept if
    /// it is very large, so that one client has one made at a time.
    private func made(_ text: Text, _ name: String) async throws -> CompressedText {
        try await shared.value(for: name) {
            try await files.turn(of: RequestRecord.client) {
                try await files.runAlways { try text.place.text(name, text.make) }
            }
        }
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
