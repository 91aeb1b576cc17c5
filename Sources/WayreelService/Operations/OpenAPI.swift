internal import WayreelCore
internal import WayreelImage

/// The description of the service for programs: OpenAPI 3.1.
enum OpenAPI {
    /// Which requests are answered.
    struct Parts {
        var hasImages: Bool
        var hasStories: Bool
        var hasJobs: Bool
        var players: Players?
    }

    static func document(_ parts: Parts) -> String {
        var paths: [(path: String, operation: String)] = [
            ("/health", get("Whether the process lives", answers: [text("200", "it does")])),
            (
                "/ready",
                get("Whether the queue has room", answers: [text("200", "it has"), problem("503", "it is full")])
            ),
            ("/metrics", get("Counts and latencies for Prometheus", answers: [text("200", "text format 0.0.4")])),
            ("/openapi.json", get("This document", answers: [json("200", "OpenAPI 3.1")])),
            ("/v1/captures", captures(hasJobs: parts.hasJobs)),
        ]
        paths += levels
        if parts.hasJobs { paths += jobs }
        if parts.hasImages {
            paths.append(
                (
                    "/v1/images/{signature}/{source}",
                    get(
                        "An image, prepared. Between signature and source stand options, each as name:value/",
                        parameters: [pathParameter("signature"), pathParameter("source")],
                        answers: [image("200")] + imageProblems
                            + [
                                problem("403", "the signature does not fit, or the source is not allowed"),
                                problem("410", "the address has expired"), problem("502", "the image's server failed"),
                            ])
                ))
        }
        if parts.hasStories {
            let story = pathParameter("story")
            let missing = problem("404", "there is no such story")
            paths += [
                ("/v1/stories", get("The prepared stories", answers: [json("200", "their ids and names")])),
                (
                    "/v1/stories/{story}",
                    get("A story", parameters: [story], answers: [json("200", "the story"), missing])
                ),
                (
                    "/v1/stories/{story}/manifest.json",
                    get("Its manifest", parameters: [story], answers: [json("200", "the manifest"), missing])
                ),
            ]
        }
        if let players = parts.players { paths += playerPaths(players) }
        let schemes = parts.players?.hasTokens == true ? tokenScheme : ""
        let body = paths.map { "\($0.path.jsonQuoted):{\($0.operation)}" }.joined(separator: ",")
        return """
            {"openapi":"3.1.0","info":{"title":"Wayreel","version":\(WayreelVersion.text.jsonQuoted),\
            "license":{"name":"Apache 2.0","identifier":"Apache-2.0"}},"paths":{\(body)},"components":{\(schemes)\
            "schemas":{"Problem":{"type":"object","required":["type","title","status","code"],"properties":{"type":{"type":"string"},\
            "title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},"detail":{"type":"string"},\
            "request":{"type":"string"}}},"Job":\(jobSchema)}}}

            """
    }

    private static let imageProblems = [
        problem("400", "an option is wrong"), problem("404", "there is no such image"),
        problem("413", "a limit is exceeded"), problem("415", "it is no image that is supported"),
        problem("422", "the image is damaged"), problem("503", "the server has enough to do"),
    ]

    static var imageBody: String {
        let file = #"{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"}}}"#
        return
            #"{"required":true,"content":{"image/*":{},"application/octet-stream":{},"multipart/form-data":{"schema":\#(file)}}}"#
    }

    private static func captures(hasJobs: Bool) -> String {
        let problems = imageProblems + [problem("403", "only recipes are allowed"), problem("408", "it was too slow")]
        let prefer =
            #"{"name":"Prefer","in":"header","description":"respond-async makes a job of it","schema":{"type":"string"}}"#
        return operation(
            "post", "Prepares an uploaded capture",
            ImageOptions.settings.filter { $0.key != "expires" }.map(queryParameter) + (hasJobs ? [prefer] : []),
            requestBody: imageBody, [image("200")] + (hasJobs ? [job("202", "it will be made")] : []) + problems)
    }

    static func queryParameter<Target>(_ setting: Setting<Target>) -> String {
        queryParameter((setting.key, setting.expectation))
    }

    static func queryParameter(_ option: (key: String, expectation: String)) -> String {
        """
        {"name":\(option.key.jsonQuoted),"in":"query","description":\(option.expectation.jsonQuoted),"schema":{"type":"string"}}
        """
    }

    static func pathParameter(_ name: String) -> String {
        #"{"name":\#(name.jsonQuoted),"in":"path","required":true,"schema":{"type":"string"}}"#
    }

    static func get(_ summary: String, parameters: [String] = [], answers: [String]) -> String {
        operation("get", summary, parameters, requestBody: nil, answers)
    }

    static func operation(
        _ method: String, _ summary: String, _ parameters: [String], requestBody: String?, _ answers: [String]
    ) -> String {
        let body = requestBody.map { ",\"requestBody\":\($0)" } ?? ""
        let answers = answers + [problem("429", "the client asks too often")]
        return """
            "\(method)":{"summary":\(summary.jsonQuoted),"parameters":[\(parameters.joined(separator: ","))]\(body),\
            "responses":{\(answers.joined(separator: ","))}}
            """
    }

    static func answer(_ status: String, _ description: String, _ content: String) -> String {
        "\"\(status)\":{\"description\":\(description.jsonQuoted),\"content\":{\(content)}}"
    }

    static func text(_ status: String, _ description: String) -> String {
        answer(status, description, #""text/plain":{}"#)
    }

    static func json(_ status: String, _ description: String) -> String {
        answer(status, description, #""application/json":{}"#)
    }

    static func job(_ status: String, _ description: String) -> String {
        answer(status, description, ##""application/json":{"schema":{"$ref":"#/components/schemas/Job"}}"##)
    }

    static func image(_ status: String) -> String {
        let types = FormatNegotiation.mediaTypes.map { "\"\($0)\":{}" }.joined(separator: ",")
        return answer(status, "the image", types)
    }

    static func problem(_ status: String, _ description: String) -> String {
        answer(status, description, ##""application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}"##)
    }
}
