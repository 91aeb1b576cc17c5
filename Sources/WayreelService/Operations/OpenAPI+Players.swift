internal import WayreelCore
internal import WayreelImage

extension OpenAPI {
    /// The properties of the service that requests of players depend on.
    struct Players {
        /// Whether requests need a token.
        var hasTokens: Bool
        /// Whether players sign in by passkeys.
        var hasPasskeys = false
        /// Whether players sign in at a provider of OpenID Connect.
        var hasProvider = false

        /// The parameters that name the player of a request without a token.
        fileprivate var caller: [String] {
            guard !hasTokens else { return [] }
            return [
                query("player", "who asks", isRequired: true),
                query("group", "groups of the player", schema: #"{"type":"array","items":{"type":"string"}}"#),
            ]
        }

        /// The segment of a path that names the player.
        fileprivate var player: String {
            pathParameter("player", hasTokens ? "the subject of the token" : "any name")
        }

        fileprivate var problems: [Answer] {
            (hasTokens ? [problem("401", "the token is missing or wrong")] : []) + [
                problem("400", "a parameter is wrong"), problem("403", "the player is not allowed to do this"),
                problem("503", "the server is overloaded, or cannot store the data"),
            ]
        }

        fileprivate var problemsOfUploads: [Answer] {
            problems + [
                problem("404", "the event or an image does not exist"), problem("408", "the upload was too slow"),
                problem("410", "it was deleted"),
                problem("413", "a limit is exceeded"), problem("415", "the image format is not supported"),
                problem("422", "the image is damaged, or the Idempotency-Key was used before"),
                problem("507", "the server has no room left"),
            ]
        }

        /// The problems of requests for one thing by its id.
        fileprivate var problemsOfIDs: [Answer] {
            problems + [problem("404", "nothing that the player may see has this id")]
        }

        /// The same paths with the requirement of a token, if there is one.
        func secured(_ paths: [Path]) -> [Path] {
            paths.map { path, operations in
                let secured = operations.map { operation in
                    var operation = operation
                    operation.needsToken = hasTokens
                    return operation
                }
                return (path, secured)
            }
        }
    }

    /// Journals, and captures of events.
    static func playerPaths(_ players: Players) -> [Path] {
        players.secured(journalPaths(players) + capturePaths(players))
    }

    static func notePaths(_ players: Players) -> [Path] {
        let note = [pathParameter("note", "its id")] + players.caller
        let missing = players.problemsOfIDs
        return players.secured([
            ("/v1/notes", noteList(players) + notePost(players)),
            (
                "/v1/notes/{note}",
                get("A note", parameters: note, answers: [json("200", "the note")] + missing)
                    + operation(
                        "delete", "Removes a note of the player", nil, note, requestBody: nil,
                        [nothing("204", "the note is removed")] + missing)
            ),
            (
                "/v1/notes/{note}/image",
                get(
                    "The image of a note", parameters: note + [tag],
                    answers: ranged("the image", anyImage) + [unchanged] + missing)
            ),
        ])
    }

    private static func journalPaths(_ players: Players) -> [Path] {
        let player = players.player
        let ofStory = [player, pathParameter("story", "the id of a story")]
        return [
            (
                "/v1/players/{player}/journal",
                journalGet("A player's journals", players, [player, query("story", "of this story alone")])
                    + journalPost(players, [player])
            ),
            (
                "/v1/players/{player}/stories/{story}/journal",
                journalGet("A player's journal of a story", players, ofStory) + journalPost(players, ofStory)
                    + deletion(
                        "Deletes a player's journal of a story, and its captures",
                        "What other devices send of it later is left out, unless it was found after this.", ofStory,
                        players.problems)
            ),
            (
                "/v1/players/{player}",
                deletion(
                    "Deletes everything of a player",
                    "Journals, captures and notes, and what devices send of them later. What is found after this counts.",
                    [player], players.problems)
            ),
        ]
    }

    private static func deletion(
        _ summary: String, _ description: String, _ parameters: [String], _ problems: [Answer]
    ) -> [Operation] {
        operation(
            "delete", summary, description, parameters, requestBody: nil,
            [nothing("204", "nothing of it is kept any more")] + problems + [
                problem("500", "a stored journal is damaged"), problem("507", "the server has no room left"),
            ])
    }

    private static let since = query(
        "since", "the cursor of an earlier answer, or empty: answers with the changes since then, one page at a time")

    private static let damagedJournal = problem("500", "the stored journal is damaged")

    private static func journalGet(_ summary: String, _ players: Players, _ parameters: [String]) -> [Operation] {
        get(
            summary, parameters: parameters + [since, tag],
            answers: ranged("the journal, a list, or the changes", anyJSON) + [unchanged] + players.problems
                + [damagedJournal])
    }

    private static func journalPost(_ players: Players, _ parameters: [String]) -> [Operation] {
        operation(
            "post", "Merges a journal into that of the player, and returns the result",
            "Devices may merge in any order and repeatedly; the result is the same. With 'since', a device sends only what is "
                + "new to the service, and receives only what is new to itself.", parameters + [since],
            requestBody: journalBody,
            [json("200", "the merged journal, which is stored durably, or the changes")] + players.problems + [
                damagedJournal,
                problem("408", "the upload was too slow"), problem("413", "the journal is too large"),
                problem("415", "the body is compressed"), problem("422", "the body is not a journal"),
                problem("507", "the server has no room left"),
            ])
    }

    private static func capturePaths(_ players: Players) -> [Path] {
        [
            (
                "/v1/stories/{story}/events/{event}/captures",
                operation(
                    "post", "Processes a capture with an event's recipe, and stores it for the player",
                    "Its address is in Location, and the journal has it under its id.",
                    [
                        pathParameter("story", "the id of a story"),
                        pathParameter("event", "the id of a camera event"), screen,
                        query(
                            "taken", "when the device took it, RFC 3339: it is refused if it was deleted since",
                            schema: time),
                        key,
                    ] + players.caller, requestBody: imageBody,
                    [image("201")] + players.problemsOfUploads + [damagedJournal])
            ),
            (
                "/v1/stories/{story}/events/{event}/previews",
                operation(
                    "post", "Returns a photo as it was taken, as a JPEG within 1600×1600 pixels",
                    "For browsers that do not show its format, such as HEIC. Nothing is kept.",
                    [
                        pathParameter("story", "the id of a story"),
                        pathParameter("event", "the id of a camera event"),
                    ] + players.caller, requestBody: imageBody, [image("200")] + players.problemsOfUploads)
            ),
            (
                "/v1/players/{player}/captures/{capture}",
                get(
                    "A stored capture",
                    parameters: [players.player, pathParameter("capture", "its id, from the journal"), tag],
                    answers: ranged("the image", anyImage) + [unchanged] + players.problemsOfIDs)
                    + deletion(
                        "Deletes a capture", "Its entry is removed from the journals of all devices.",
                        [players.player, pathParameter("capture", "its id, from the journal")], players.problemsOfIDs)
            ),
        ]
    }

    private static var tag: String { header("If-None-Match", "an ETag that is known") }

    private static var key: String {
        header("Idempotency-Key", "a UUID: repeated requests with it are executed once")
    }

    private static func noteList(_ players: Players) -> [Operation] {
        get(
            "The notes that the player sees now, nearest first",
            parameters: place + [
                query(
                    "radius", "metres", schema: #"{"type":"number","minimum":0,"maximum":20100000,"default":1000}"#),
                query("limit", "of the list", schema: #"{"type":"integer","minimum":1,"maximum":200,"default":50}"#),
                query("after", "the 'next' of the page before"),
                query("own", "the player's own notes, at any time", schema: #"{"type":"boolean","default":false}"#),
            ] + players.caller,
            answers: [json("200", "the notes, with their distances in metres")] + players.problems)
    }

    private static func notePost(_ players: Players) -> [Operation] {
        let own = [
            query(
                "visibility", "all, group:NAME or self",
                schema: #"{"type":"string","examples":["self","all"],"default":"self"}"#),
            query("from", "when others begin to see it, RFC 3339", schema: time),
            query("until", "when others cease to see it, RFC 3339; a day later it is removed", schema: time),
            query("text", "up to 2000 bytes"),
        ]
        // `text` is a field of the note itself; the others belong to addresses.
        let taken = ["text", "expires", "download"]
        let options = ImageOptions.settings.filter { !taken.contains($0.key) }.map(queryParameter)
        return operation(
            "post", "Uploads an image for a location",
            "The image is processed like a capture; the default format is JPEG.",
            place + own + [key] + players.caller + options, requestBody: imageBody,
            [json("201", "the note")] + players.problemsOfUploads)
    }

    private static let time = #"{"type":"string","examples":["2026-12-31T23:00:00Z"]}"#

    private static var place: [String] {
        [
            query(
                "latitude", "degrees north", schema: #"{"type":"number","minimum":-90,"maximum":90}"#, isRequired: true),
            query(
                "longitude", "degrees east", schema: #"{"type":"number","minimum":-180,"maximum":180}"#,
                isRequired: true),
        ]
    }

    private static var screen: String {
        ImageOptions.settings.filter { $0.key == "screen" }.map(queryParameter).joined()
    }

    private static let journalBody = #"{"required":true,"content":{"application/json":{"schema":{"type":"object"}}}}"#

    static func query(
        _ name: String, _ description: String, schema: String = #"{"type":"string"}"#, isRequired: Bool = false
    ) -> String {
        parameter(name, in: "query", description, schema, isRequired: isRequired)
    }

    private static func header(_ name: String, _ description: String) -> String {
        parameter(name, in: "header", description, #"{"type":"string"}"#)
    }

    /// How tokens are sent.
    static let tokenScheme = """
        "securitySchemes":{"player":{"type":"http","scheme":"bearer",\
        "description":"a JWT of wayreel token, or the token of a session"}},
        """
}
