internal import WayreelCore
internal import WayreelImage

/// The description of the service for programs: OpenAPI 3.1.
enum OpenAPI {
    /// The document. `hasImages`, `hasStories`, `hasJobs`: whether those requests are answered.
    static func document(hasImages: Bool, hasStories: Bool, hasJobs: Bool) -> String {
        var paths: [(path: String, operation: String)] = [
            ("/health", get("Whether the process lives", answers: [text("200", "it does")])),
            (
                "/ready",
                get("Whether the queue has room", answers: [text("200", "it has"), problem("503", "it is full")])
            ),
            ("/metrics", get("Counts and latencies for Prometheus", answers: [text("200", "text format 0.0.4")])),
            ("/openapi.json", get("This document", answers: [json("200", "OpenAPI 3.1")])),
            ("/v1/captures", captures(hasJobs: hasJobs)),
        ]
        paths += levels
        if hasJobs { paths += jobs }
        if hasImages {
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
        if hasStories {
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
        let body = paths.map { "\($0.path.jsonQuoted):{\($0.operation)}" }.joined(separator: ",")
        return """
            {"openapi":"3.1.0","info":{"title":"Wayreel","version":\(WayreelVersion.text.jsonQuoted),\
            "license":{"name":"Apache 2.0","identifier":"Apache-2.0"}},"paths":{\(body)},"components":{"schemas":{"Problem":\
            {"type":"object","required":["type","title","status","code"],"properties":{"type":{"type":"string"},\
            "title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},"detail":{"type":"string"},\
            "request":{"type":"string"}}},"Job":\(jobSchema)}}}

            """
    }

    private static let imageProblems = [
        problem("400", "an option is wrong"), problem("404", "there is no such image"),
        problem("413", "a limit is exceeded"), problem("415", "it is no image that is supported"),
        problem("422", "the image is damaged"), problem("503", "the server has enough to do"),
    ]

    private static func captures(hasJobs: Bool) -> String {
        let file = #"{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"}}}"#
        let body =
            #"{"required":true,"content":{"image/*":{},"application/octet-stream":{},"multipart/form-data":{"schema":\#(file)}}}"#
        let problems = imageProblems + [problem("403", "only recipes are allowed"), problem("408", "it was too slow")]
        let prefer =
            #"{"name":"Prefer","in":"header","description":"respond-async makes a job of it","schema":{"type":"string"}}"#
        return operation(
            "post", "Prepares an uploaded capture",
            ImageOptions.settings.filter { $0.key != "expires" }.map(queryParameter) + (hasJobs ? [prefer] : []),
            requestBody: body, [image("200")] + (hasJobs ? [job("202", "it will be made")] : []) + problems)
    }

    private static var levels: [(path: String, operation: String)] {
        let types = LevelsRoutes.mediaTypes.map { "\"\($0)\":{}" }.joined(separator: ",")
        let problems = [
            problem("400", "an option is wrong"), problem("406", "no accepted type is a format of levels"),
            problem("408", "it was too slow"), problem("413", "a limit is exceeded"),
            problem("415", "it is no audio that is supported"), problem("422", "the audio is damaged"),
            problem("503", "the server has enough to do"),
        ]
        return [
            (
                "/v1/levels",
                operation(
                    "post", "Measures the levels of uploaded audio", LevelsRequest.settings.map(queryParameter),
                    requestBody: #"{"required":true,"content":{"audio/*":{},"application/octet-stream":{}}}"#,
                    [answer("200", "the levels", types)] + problems)
            ),
            (
                LiveLevels.path,
                get(
                    "A WebSocket: PCM in binary messages, a text message for each reading",
                    parameters: LiveLevelsOptions.settings.map(queryParameter),
                    answers: [
                        #""101":{"description":"it is one now"}"#, problem("400", "an option is wrong"),
                        problem("403", "a page of another site"), problem("426", "it is no request for a WebSocket"),
                        problem("503", "there are enough streams"),
                    ])
            ),
        ]
    }

    private static var jobs: [(path: String, operation: String)] {
        let id = pathParameter("job")
        let missing = problem("404", "there is no such job, or it has expired")
        let whole = ["video/mp4", "audio/mp4"] + FormatNegotiation.mediaTypes
        let types = whole.map { "\"\($0)\":{}" }.joined(separator: ",")
        return [
            (
                "/v1/transcodes",
                operation(
                    "post", "Transcodes an uploaded video as a job", TranscodeRequest.settings.map(queryParameter),
                    requestBody: #"{"required":true,"content":{"video/*":{},"application/octet-stream":{}}}"#,
                    [
                        job("202", "it will be made"), problem("400", "an option is wrong"),
                        problem("403", "only recipes are allowed"), problem("408", "it was too slow"),
                        problem("413", "it is too large"), problem("415", "it is a form, or compressed"),
                        problem("503", "there are enough jobs"),
                    ])
            ),
            (
                "/v1/jobs/{job}",
                get("A job", parameters: [id], answers: [job("200", "its state"), missing]) + ","
                    + operation(
                        "delete", "Cancels a job, or removes one that has ended", [id], requestBody: nil,
                        [#""204":{"description":"done"}"#, missing, problem("503", "it cannot be stored")])
            ),
            (
                "/v1/jobs/{job}/events",
                get(
                    "Its progress as server-sent events", parameters: [id],
                    answers: [answer("200", "events until it has ended", #""text/event-stream":{}"#), missing])
            ),
            (
                "/v1/jobs/{job}/result",
                get(
                    "What it made", parameters: [id],
                    answers: [
                        answer("200", "the file", types), answer("206", "a part of it", types),
                        #""304":{"description":"the client has it"}"#, missing, problem("409", "there is none"),
                        answer("416", "there is no such part", types),
                    ])
            ),
        ]
    }

    private static var jobSchema: String {
        func choice(_ names: [String]) -> String {
            #"{"type":"string","enum":[\#(names.map(\.jsonQuoted).joined(separator: ","))]}"#
        }
        let time = #"{"type":"string","format":"date-time"}"#
        let properties = [
            ("id", #"{"type":"string"}"#), ("kind", choice(JobOrder.Kind.allCases.map(\.rawValue))),
            ("state", choice(Job.State.allCases.map(\.rawValue))),
            ("progress", #"{"type":"number","minimum":0,"maximum":1}"#), ("created", time), ("ended", time),
            ("expires", time), ("result", #"{"type":"string"}"#), ("type", #"{"type":"string"}"#),
            ("bytes", #"{"type":"integer"}"#), ("problem", ##"{"$ref":"#/components/schemas/Problem"}"##),
        ]
        let members = properties.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return #"{"type":"object","required":["id","kind","state","progress","created"],"properties":{\#(members)}}"#
    }

    private static func queryParameter<Target>(_ setting: Setting<Target>) -> String {
        queryParameter((setting.key, setting.expectation))
    }

    private static func queryParameter(_ option: (key: String, expectation: String)) -> String {
        """
        {"name":\(option.key.jsonQuoted),"in":"query","description":\(option.expectation.jsonQuoted),"schema":{"type":"string"}}
        """
    }

    private static func pathParameter(_ name: String) -> String {
        #"{"name":\#(name.jsonQuoted),"in":"path","required":true,"schema":{"type":"string"}}"#
    }

    private static func get(_ summary: String, parameters: [String] = [], answers: [String]) -> String {
        operation("get", summary, parameters, requestBody: nil, answers)
    }

    private static func operation(
        _ method: String, _ summary: String, _ parameters: [String], requestBody: String?, _ answers: [String]
    ) -> String {
        let body = requestBody.map { ",\"requestBody\":\($0)" } ?? ""
        let answers = answers + [problem("429", "the client asks too often")]
        return """
            "\(method)":{"summary":\(summary.jsonQuoted),"parameters":[\(parameters.joined(separator: ","))]\(body),\
            "responses":{\(answers.joined(separator: ","))}}
            """
    }

    private static func answer(_ status: String, _ description: String, _ content: String) -> String {
        "\"\(status)\":{\"description\":\(description.jsonQuoted),\"content\":{\(content)}}"
    }

    private static func text(_ status: String, _ description: String) -> String {
        answer(status, description, #""text/plain":{}"#)
    }

    private static func json(_ status: String, _ description: String) -> String {
        answer(status, description, #""application/json":{}"#)
    }

    private static func job(_ status: String, _ description: String) -> String {
        answer(status, description, ##""application/json":{"schema":{"$ref":"#/components/schemas/Job"}}"##)
    }

    private static func image(_ status: String) -> String {
        let types = FormatNegotiation.mediaTypes.map { "\"\($0)\":{}" }.joined(separator: ",")
        return answer(status, "the image", types)
    }

    private static func problem(_ status: String, _ description: String) -> String {
        answer(status, description, ##""application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}}"##)
    }
}
