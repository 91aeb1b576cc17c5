internal import WayreelCore

extension OpenAPI {
    static var levels: [Path] {
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
                        nothing("101", "it is one now"), problem("400", "an option is wrong"),
                        problem("403", "a page of another site"), problem("426", "it is no request for a WebSocket"),
                        problem("503", "there are enough streams"),
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
