internal import WayreelCore

extension OpenAPI {
    /// Requests about jobs.
    static var jobs: [Path] {
        let id = pathParameter("job", "its id, from the answer that made it")
        let missing = problem("404", "there is no such job, or it has expired")
        let whole = ["video/mp4", "audio/mp4"] + FormatNegotiation.mediaTypes
        let types = whole.map { "\"\($0)\":{}" }.joined(separator: ",")
        return [
            (
                "/v1/transcodes",
                operation(
                    "post", "Transcodes an uploaded video as a job",
                    "The answer comes at once: its Location is the job, whose result is the video.",
                    TranscodeRequest.settings.map(queryParameter),
                    requestBody: #"{"required":true,"content":{"video/*":{},"application/octet-stream":{}}}"#,
                    [
                        job("202", "the job is queued"), problem("400", "an option is wrong"),
                        problem("403", "only recipes are allowed"), problem("408", "the upload was too slow"),
                        problem("413", "the input is too large"), problem("415", "the body is a form or is compressed"),
                        problem("503", "the queue of jobs is full"), problem("507", "the server has no room left"),
                    ])
            ),
            (
                "/v1/jobs/{job}",
                get("A job", parameters: [id], answers: [job("200", "its state"), missing])
                    + operation(
                        "delete", "Cancels a job, or removes one that has ended", nil, [id], requestBody: nil,
                        [
                            nothing("204", "the job is cancelled or removed"), missing,
                            problem("503", "the change cannot be stored"),
                            problem("507", "the server has no room left"),
                        ])
            ),
            (
                "/v1/jobs/{job}/events",
                get(
                    "The progress of a job as server-sent events", parameters: [id],
                    answers: [answer("200", "events until it has ended", #""text/event-stream":{}"#), missing])
            ),
            (
                "/v1/jobs/{job}/result",
                get(
                    "The result of a job",
                    "That of HLS is a folder, of which this leads to the playlist.", parameters: [id],
                    answers: ranged("the file", types) + [
                        nothing("307", "the playlist of HLS"), unchanged, missing,
                        problem("409", "the job has no result"),
                    ])
            ),
            (
                "/v1/jobs/{job}/result/{file}",
                get(
                    "A file of a result", "A playlist or a segment of HLS, or poster.jpg.",
                    parameters: [
                        id, pathParameter("file", "its path in the result", example: "master.m3u8", hasSlashes: true),
                    ],
                    answers: ranged("the file", #""*/*":{}"#) + [
                        unchanged, missing, problem("409", "the job has no result"),
                    ])
            ),
        ]
    }

    static var jobSchema: String {
        func choice(_ names: [String]) -> String {
            #"{"type":"string","enum":[\#(names.map(\.jsonQuoted).joined(separator: ","))]}"#
        }
        let time = #"{"type":"string","format":"date-time"}"#
        let properties = [
            ("id", #"{"type":"string"}"#), ("kind", choice(JobPayload.Kind.allCases.map(\.rawValue))),
            ("state", choice(Job.State.allCases.map(\.rawValue))),
            ("progress", #"{"type":"number","minimum":0,"maximum":1}"#), ("created", time), ("ended", time),
            ("expires", time), ("result", #"{"type":"string"}"#), ("type", #"{"type":"string"}"#),
            ("bytes", #"{"type":"integer"}"#), ("poster", #"{"type":"string"}"#),
            ("problem", ##"{"$ref":"#/components/schemas/Problem"}"##),
        ]
        let members = properties.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return #"{"type":"object","required":["id","kind","state","progress","created"],"properties":{\#(members)}}"#
    }
}

extension OpenAPI {
    static var levels: [Path] {
        let types = LevelsRoutes.mediaTypes.map { "\"\($0)\":{}" }.joined(separator: ",")
        let problems = [
            problem("400", "an option is wrong"), problem("406", "no accepted type is a format of levels"),
            problem("408", "the upload was too slow"), problem("413", "a limit is exceeded"),
            problem("415", "the audio format is not supported"), problem("422", "the audio is damaged"),
            problem("503", "the server is overloaded"),
        ]
        return [
            (
                "/v1/levels",
                operation(
                    "post", "Measures the levels of uploaded audio",
                    "Without a format, the Accept header chooses one; JSON is the default.",
                    LevelsRequest.settings.map(queryParameter),
                    requestBody: #"{"required":true,"content":{"audio/*":{},"application/octet-stream":{}}}"#,
                    [answer("200", "the levels", types)] + problems)
            ),
            (
                LiveLevels.path,
                get(
                    "A WebSocket: PCM in, levels out",
                    "Samples in binary messages of up to 256 KiB; a text message for each reading. The text 'end' ends it.",
                    parameters: LiveLevelsOptions.settings.map {
                        queryParameter(OptionDescription($0), default: liveDefaults[$0.key])
                    },
                    answers: [
                        nothing("101", "the connection is a WebSocket"), problem("400", "an option is wrong"),
                        problem("403", "the request comes from a page of another site"),
                        problem("426", "the request is not a WebSocket handshake"),
                        problem("503", "the server has too many live streams"),
                    ])
            ),
        ]
    }

    /// In JSON.
    private static var liveDefaults: [String: String] {
        let options = LiveLevelsOptions()
        return [
            "sample-rate": "\(options.sampleRate)", "channels": "\(options.channelCount)",
            "format": options.format.rawValue.jsonQuoted, "rate": "\(options.rate)".jsonQuoted,
        ]
    }
}
