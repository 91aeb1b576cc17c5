internal import WayreelCore
internal import WayreelImage

extension OpenAPI {
    /// How requests about players are answered.
    struct Players {
        /// Whether they need a token.
        var hasTokens: Bool
    }

    static func playerPaths(_ players: Players) -> [(path: String, operation: String)] {
        let hasTokens = players.hasTokens
        let refusals = hasTokens ? [problem("401", "the token is missing or wrong")] : []
        // Without tokens, everybody is who they say.
        let caller =
            hasTokens ? [] : [query("player", "who asks", isRequired: true), query("group", "a group of the player")]
        let trouble =
            refusals + [
                problem("400", "a parameter is wrong"), problem("403", "it is not allowed"),
                problem("503", "the server has enough to do, or cannot store it"),
            ]
        let uploads =
            trouble + [
                problem("404", "there is no such thing"), problem("408", "it was too slow"),
                problem("413", "a limit is exceeded"), problem("415", "it is no image that is supported"),
                problem("422", "the image is damaged, or the Idempotency-Key was used before"),
                problem("507", "the server has no room left"),
            ]
        let tag = header("If-None-Match", "an ETag that is known")
        let key = header("Idempotency-Key", "a UUID: repeated requests with it are made once")
        let player = pathParameter("player")
        func merging(_ parameters: [String]) -> String {
            operation(
                "post", "Adds a journal to that of the player, and answers with the merged one", parameters,
                requestBody: journalBody,
                [json("200", "the merged journal, which is on the disk")] + trouble + [
                    problem("408", "it was too slow"), problem("413", "it is too large"),
                    problem("415", "it is compressed"), problem("422", "it is no journal"),
                    problem("507", "the server has no room left"),
                ])
        }
        func reading(_ summary: String, _ parameters: [String]) -> String {
            get(
                summary, parameters: parameters + [tag],
                answers: [json("200", "the journal, or a list"), nothing("304", "it is the known one")] + trouble)
        }
        let ofStory = [player, pathParameter("story")]
        let note = [pathParameter("note")] + caller
        let missing = trouble + [problem("404", "there is none that the player sees")]
        let paths = [
            (
                "/v1/players/{player}/journal",
                both(
                    reading("A player's journals", [player, query("story", "of this story alone")]), merging([player]))
            ),
            (
                "/v1/players/{player}/stories/{story}/journal",
                both(reading("A player's journal of a story", ofStory), merging(ofStory))
            ),
            (
                "/v1/stories/{story}/events/{event}/captures",
                operation(
                    "post", "Treats a capture as an event says, and keeps it for the player",
                    [
                        pathParameter("story"), pathParameter("event"), query("screen", "a screen such as iphone-15"),
                        key,
                    ] + caller,
                    requestBody: imageBody, [image("201")] + uploads)
            ),
            (
                "/v1/players/{player}/captures/{capture}",
                get(
                    "A capture that is kept", parameters: [player, pathParameter("capture"), tag],
                    answers: [image("200"), nothing("304", "it is the known one")] + missing)
            ),
            ("/v1/notes", both(noteList(caller, trouble), notePost([key] + caller, uploads))),
            (
                "/v1/notes/{note}",
                both(
                    get("A note", parameters: note, answers: [json("200", "the note")] + missing),
                    operation(
                        "delete", "Removes a note of the player", note, requestBody: nil,
                        [nothing("204", "it is removed")] + missing))
            ),
            (
                "/v1/notes/{note}/image",
                get(
                    "Its image", parameters: note + [tag],
                    answers: [image("200"), nothing("304", "it is the known one")] + missing)
            ),
        ]
        guard hasTokens else { return paths }
        return paths.map { path, operation in
            (path, operation.replacing(#"{"summary":"#, with: #"{"security":[{"player":[]}],"summary":"#))
        }
    }

    private static func noteList(_ caller: [String], _ problems: [String]) -> String {
        get(
            "The notes that the player sees now, nearest first",
            parameters: place + [
                query("radius", "metres; 1000 where it is missing", type: "number"),
                query("limit", "of the list, 1 to 200; 50 where it is missing", type: "integer"),
                query("after", "the 'next' of the page before"),
                query("own", "the player's own notes, at any time", type: "boolean"),
            ] + caller, answers: [json("200", "the notes, with their distances in metres")] + problems)
    }

    private static func notePost(_ parameters: [String], _ problems: [String]) -> String {
        operation(
            "post", "Leaves a picture at a place",
            place + [
                query("visibility", "all, group:NAME or self"), query("from", "when others begin to see it, RFC 3339"),
                query("until", "when others cease to see it, RFC 3339"), query("text", "up to 2000 bytes"),
                query("screen", "a screen such as iphone-15"), query("recipe", "the name of a recipe"),
            ] + parameters, requestBody: imageBody, [json("201", "the note")] + problems)
    }

    private static var place: [String] {
        [
            query("latitude", "degrees north", type: "number", isRequired: true),
            query("longitude", "degrees east", type: "number", isRequired: true),
        ]
    }

    private static let journalBody = #"{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}}"#

    /// Two operations on the same path.
    private static func both(_ first: String, _ second: String) -> String {
        "\(first),\(second)"
    }

    private static func query(
        _ name: String, _ description: String, type: String = "string", isRequired: Bool = false
    ) -> String {
        parameter(name, in: "query", description, type, isRequired)
    }

    private static func header(_ name: String, _ description: String) -> String {
        parameter(name, in: "header", description, "string", false)
    }

    private static func parameter(
        _ name: String, in place: String, _ description: String, _ type: String, _ isRequired: Bool
    ) -> String {
        """
        {"name":\(name.jsonQuoted),"in":"\(place)","required":\(isRequired),"description":\(description.jsonQuoted),\
        "schema":{"type":"\(type)"}}
        """
    }

    private static func nothing(_ status: String, _ description: String) -> String {
        "\"\(status)\":{\"description\":\(description.jsonQuoted)}"
    }

    /// How tokens are sent.
    static let tokenScheme = #""securitySchemes":{"player":{"type":"http","scheme":"bearer","bearerFormat":"JWT"}},"#
}
