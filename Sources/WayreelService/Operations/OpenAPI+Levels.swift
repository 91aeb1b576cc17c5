internal import WayreelCore

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
