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
