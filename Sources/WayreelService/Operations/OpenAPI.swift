internal import WayreelCore
internal import WayreelDocument

/// The description of the service for programs: OpenAPI 3.1.
enum OpenAPI {
    /// The parts of the service that answer requests.
    struct Parts {
        var hasImages: Bool
        /// Whether addresses of images are signed.
        var hasKeys: Bool
        /// The statuses of answers with the fallback image; none without such an image.
        var fallbackStatuses: Set<Int>
        var hasStories: Bool
        var hasJobs: Bool
        var players: Players?
    }

    /// An operation of a path, as members of JSON.
    struct Operation {
        var method: String
        var summary: String
        var description: String?
        var parameters: [String]
        var requestBody: String?
        var answers: [Answer]
        /// Whether it needs a player's token.
        var needsToken = false
    }

    /// An answer, as the value of its status in JSON.
    typealias Answer = (status: String, json: String)

    typealias Path = (path: String, operations: [Operation])

    static func document(_ parts: Parts) -> String {
        var groups: [(tag: String, description: String, paths: [Path])] = [
            (
                "Captures", "Images in the request come back prepared, with the options of wayreel capture.",
                captures(parts)
            )
        ]
        if parts.hasImages {
            groups.append(("Images", "Images by address, prepared when they are asked for.", images(parts)))
        }
        groups.append(("Levels", "Levels of audio: of a file, and live.", levels))
        if parts.hasJobs { groups.append(("Jobs", "Videos, and captures, that take their time.", jobs)) }
        if parts.hasStories { groups.append(("Stories", "Prepared stories, as players fetch them.", stories)) }
        if let players = parts.players {
            groups += [
                ("Players", "Journals of players, and captures of events.", playerPaths(players)),
                ("Notes", "Images that players upload for locations.", notePaths(players)),
            ]
            if players.hasTokens {
                groups.append(
                    ("Accounts", "Sign-in of players, and the devices on which they are.", accountPaths(players)))
            }
        }
        groups.append(("Operations", "For those who run the service, and programs.", operations))
        let schemes = parts.players?.hasTokens == true ? tokenScheme : ""
        let tags = groups.map { #"{"name":\#($0.tag.jsonQuoted),"description":\#($0.description.jsonQuoted)}"# }
        let paths = groups.flatMap { group in
            group.paths.map { path, operations in
                let members = operations.map { json($0, path: path, tag: group.tag) }
                return "\(path.jsonQuoted):{\(members.joined(separator: ","))}"
            }
        }
        return """
            {"openapi":"3.1.0","info":{"title":"Wayreel","version":\(WayreelVersion.text.jsonQuoted),\
            "description":\(about.jsonQuoted),\
            "license":{"name":"Apache 2.0","identifier":"Apache-2.0"}},"tags":[\(tags.joined(separator: ","))],\
            "paths":{\(paths.joined(separator: ","))},"components":{\(schemes)\
            "schemas":{"Problem":{"type":"object","required":["type","title","status","code"],"properties":{"type":{"type":"string"},\
            "title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},"detail":{"type":"string"},\
            "request":{"type":"string"}}},"Job":\(jobSchema)}}}

            """
    }

    private static let about = """
        Captures, images, levels of audio, videos and stories over HTTP. Every error is a problem document (RFC 9457) with a code for \
        programs.
        """

    private static func json(_ operation: Operation, path: String, tag: String) -> String {
        let components = path.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
        let id = ([operation.method[...]] + components).joined(separator: "-")
        var members = [
            "\"operationId\":\(id.jsonQuoted)", "\"tags\":[\(tag.jsonQuoted)]",
            "\"summary\":\(operation.summary.jsonQuoted)",
        ]
        if let description = operation.description { members.append("\"description\":\(description.jsonQuoted)") }
        if operation.needsToken { members.append(#""security":[{"player":[]}]"#) }
        members.append("\"parameters\":[\(operation.parameters.joined(separator: ","))]")
        if let body = operation.requestBody { members.append("\"requestBody\":\(body)") }
        let own = operation.answers
        let answers = own + everywhere.filter { other in !own.contains { $0.status == other.status } }
        let responses = answers.map { "\"\($0.status)\":\($0.json)" }
        members.append("\"responses\":{\(responses.joined(separator: ","))}")
        return "\"\(operation.method)\":{\(members.joined(separator: ","))}"
    }

    /// The answers to requests that are refused before they are routed.
    private static let everywhere = [
        problem("400", "the request is malformed"), problem("403", "the request comes from a page of another site"),
        problem("412", "the content is not the one that If-Match names"),
        problem("417", "the Expect header is not 100-continue"),
        problem("421", "the request is for another host, and the service has no keys"),
        problem("429", "the client sends too many requests"),
        problem("431", "the head of the request is too large"),
    ]

    private static let operations: [Path] = [
        ("/health", get("Whether the process is running", answers: [text("200", "the process is running")])),
        (
            "/ready",
            get(
                "Whether the queue and the disks have room",
                answers: [text("200", "they have room"), problem("503", "the queue or a disk is full")])
        ),
        ("/metrics", get("Counts and latencies for Prometheus", answers: [text("200", "text format 0.0.4")])),
        ("/openapi.json", get("This document", answers: ranged("OpenAPI 3.1", anyJSON))),
    ]

    private static var stories: [Path] {
        let story = pathParameter("story", "the id of a story")
        let missing = problem("404", "there is no such story")
        return [
            ("/v1/stories", get("The prepared stories", answers: ranged("their ids and names", anyJSON))),
            (
                "/v1/stories/{story}",
                get(
                    "A story", "With its chapters and events.", parameters: [story],
                    answers: ranged("the story", anyJSON) + [unchanged, missing])
            ),
            (
                "/v1/stories/{story}/manifest.json",
                get(
                    "The manifest of a story", "Lists its files and their screens.", parameters: [story],
                    answers: ranged("the manifest", anyJSON) + [unchanged, missing])
            ),
            (
                "/v1/stories/{story}/media/{file}",
                get(
                    "A file of a story", "The manifest lists them. They never change; ranges are supported.",
                    parameters: [
                        story, pathParameter("file", "a name in the manifest, after media/", hasSlashes: true),
                    ],
                    answers: ranged("the file", #""*/*":{}"#) + [
                        unchanged, problem("400", "the path is damaged"), missing,
                    ])
            ),
        ]
    }

    private static func images(_ parts: Parts) -> [Path] {
        let others =
            ranged("the image", anyImage) + [unchanged] + imageProblems
            + [
                problem("403", "the signature is wrong, or the source is not allowed"),
                problem("410", "the address has expired"), problem("502", "the image's server failed"),
            ]
        let problemContent = ##""application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}"##
        let fallbacks = parts.fallbackStatuses.sorted().map { status in
            answer(
                "\(status)", "the fallback image, in the place of one that cannot be had",
                "\(anyImage),\(problemContent)")
        }
        let answers =
            others.filter { other in !fallbacks.contains { $0.status == other.status } || other.status == "200" }
            + fallbacks.filter { $0.status != "200" }
        let signature =
            parts.hasKeys
            ? pathParameter("signature", "id.code, which wayreel url makes")
            : pathParameter("signature", "unsafe, as the service has no keys", example: "unsafe")
        let source = pathParameter(
            "source", "a path in the folder of images, a URL that is percent-encoded, or what wayreel url encrypts",
            example: "photo.jpg",
            hasSlashes: true)
        let options = pathParameter(
            "options", "each as name:value, percent-encoded, with slashes between them",
            example: "screen:512x512/fit:contain",
            hasSlashes: true, parts: ImageOptions.settings.map(queryParameter))
        return [
            (
                "/v1/images/{signature}/{options}/{source}",
                get(
                    "A prepared image", "Without a format, the Accept header chooses one.",
                    parameters: [signature, options, source], answers: answers)
            ),
            (
                "/v1/images/{signature}/{source}",
                get(
                    "An image without options", "The image is encoded again without its metadata.",
                    parameters: [signature, source], answers: answers)
            ),
        ]
    }

    private static let imageProblems = [
        problem("400", "an option is wrong"), problem("404", "there is no such image"),
        problem("413", "a limit is exceeded"), problem("415", "the image format is not supported"),
        problem("422", "the image is damaged"), problem("503", "the server is overloaded"),
    ]

    static var imageBody: String {
        let file = #"{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"}}}"#
        return
            #"{"required":true,"content":{"image/*":{},"application/octet-stream":{},"multipart/form-data":{"schema":\#(file)}}}"#
    }

    private static func captures(_ parts: Parts) -> [Path] {
        let problems =
            imageProblems + [problem("403", "only recipes are allowed"), problem("408", "the upload was too slow")]
        let prefer = parameter(
            "Prefer", in: "header", "respond-async makes a job of it",
            #"{"type":"string","examples":["respond-async"]}"#)
        let asJob = [job("202", "the job is queued"), problem("507", "the server has no room left")]
        let answers = [image("200")] + (parts.hasJobs ? asJob : []) + problems
        return [
            (
                "/v1/captures",
                operation(
                    "post", "Prepares an uploaded capture", "Without a format, the Accept header chooses one.",
                    ImageOptions.settings.filter { $0.key != "expires" }.map(queryParameter)
                        + (parts.hasJobs ? [prefer] : []),
                    requestBody: imageBody, answers)
            )
        ]
    }

    // MARK: Parameters

    static func queryParameter<Target>(_ setting: Setting<Target>) -> String {
        queryParameter(OptionDescription(setting))
    }

    static func queryParameter(_ option: OptionDescription) -> String { queryParameter(option, default: nil) }

    /// `default`: a value in JSON.
    static func queryParameter(_ option: OptionDescription, default: String?) -> String {
        let schema = schema(option.values, suggestions: option.suggestions, default: `default`)
        return parameter(
            option.key, in: "query", option.expectation,
            option.isRepeatable ? #"{"type":"array","items":\#(schema)}"# : schema)
    }

    /// The JSON Schema of values; `default` in JSON.
    static func schema(_ values: SettingValues, suggestions: [String] = [], default: String? = nil) -> String {
        func list(_ values: [String]) -> String { "[\(values.map(\.jsonQuoted).joined(separator: ","))]" }
        var members =
            switch values {
            case .text: [#""type":"string""#] + (suggestions.isEmpty ? [] : ["\"examples\":\(list(suggestions))"])
            case .boolean: [#""type":"boolean""#]
            case .choice(let values): [#""type":"string""#, "\"enum\":\(list(values))"]
            case .number(let range):
                [#""type":"number""#, "\"minimum\":\(range.lowerBound)", "\"maximum\":\(range.upperBound)"]
            case .integer(let range):
                [#""type":"integer""#, "\"minimum\":\(range.lowerBound)", "\"maximum\":\(range.upperBound)"]
            }
        if let `default` { members.append("\"default\":\(`default`)") }
        return "{\(members.joined(separator: ","))}"
    }

    /// The value consists of `parts`, as `name:value/name:value`. The page of the API has a field for each.
    static func pathParameter(
        _ name: String, _ description: String, example: String? = nil, hasSlashes: Bool = false, parts: [String] = []
    ) -> String {
        let examples = example.map { ",\"examples\":[\($0.jsonQuoted)]" } ?? ""
        var more = hasSlashes ? #","x-slashes":true"# : ""
        if !parts.isEmpty { more += ",\"x-parts\":[\(parts.joined(separator: ","))]" }
        return parameter(name, in: "path", description, "{\"type\":\"string\"\(examples)}", isRequired: true, more)
    }

    /// `more`: further members, each after a comma.
    static func parameter(
        _ name: String, in place: String, _ description: String, _ schema: String, isRequired: Bool = false,
        _ more: String = ""
    ) -> String {
        """
        {"name":\(name.jsonQuoted),"in":"\(place)","required":\(isRequired),"description":\(description.jsonQuoted),\
        "schema":\(schema)\(more)}
        """
    }

    // MARK: Operations

    static func get(
        _ summary: String, _ description: String? = nil, parameters: [String] = [], answers: [Answer]
    ) -> [Operation] {
        operation("get", summary, description, parameters, requestBody: nil, answers)
    }

    /// One operation, which `+` adds to others of its path.
    static func operation(
        _ method: String, _ summary: String, _ description: String? = nil, _ parameters: [String], requestBody: String?,
        _ answers: [Answer]
    ) -> [Operation] {
        [
            Operation(
                method: method, summary: summary, description: description, parameters: parameters,
                requestBody: requestBody, answers: answers)
        ]
    }

    // MARK: Answers

    static func nothing(_ status: String, _ description: String) -> Answer {
        (status, "{\"description\":\(description.jsonQuoted)}")
    }

    static func answer(_ status: String, _ description: String, _ content: String) -> Answer {
        (status, "{\"description\":\(description.jsonQuoted),\"content\":{\(content)}}")
    }

    static func text(_ status: String, _ description: String) -> Answer {
        answer(status, description, #""text/plain":{}"#)
    }

    static func json(_ status: String, _ description: String) -> Answer { answer(status, description, anyJSON) }

    static let anyJSON = #""application/json":{}"#

    /// The answers with content that supports ranges.
    static func ranged(_ description: String, _ content: String) -> [Answer] {
        [
            answer("200", description, content), answer("206", "a part of it", content),
            problem("416", "the requested range is outside the content"),
        ]
    }

    static var unchanged: Answer { nothing("304", "the content is unchanged") }

    static func job(_ status: String, _ description: String) -> Answer {
        answer(status, description, ##""application/json":{"schema":{"$ref":"#/components/schemas/Job"}}"##)
    }

    static func image(_ status: String) -> Answer { answer(status, "the image", anyImage) }

    static var anyImage: String { FormatNegotiation.mediaTypes.map { "\"\($0)\":{}" }.joined(separator: ",") }

    static func problem(_ status: String, _ description: String) -> Answer {
        answer(status, description, ##""application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}"##)
    }
}
