internal import WayreelCore

extension OpenAPI {
    /// Requests about accounts.
    static func accountPaths(_ players: Players) -> [Path] {
        players.secured(sessionPaths + offerPaths + (players.hasPasskeys ? ownPasskeyPaths : []))
            + [ways] + codePaths + (players.hasPasskeys ? passkeyPaths : [])
            + (players.hasProvider ? providerPaths : [])
    }

    private static let stored = [
        problem("503", "the server is overloaded, or cannot store it"),
        problem("507", "the server has no room left"),
    ]
    private static let needsToken = [problem("401", "the token is missing or wrong")]

    private static var sessionPaths: [Path] {
        [
            (
                "/v1/account",
                get("Who the token belongs to", answers: [json("200", "the account")] + needsToken + stored)
            ),
            (
                "/v1/account/sessions",
                get(
                    "The devices on which the player is signed in", "The last used first.",
                    answers: [json("200", "the sessions")] + needsToken + stored)
            ),
            (
                "/v1/account/sessions/{session}",
                operation(
                    "delete", "Signs a device of the player out",
                    "current is what lets this request in: its session ends, or its token is revoked.",
                    [pathParameter("session", "its id, or current", example: "current")], requestBody: nil,
                    [nothing("204", "the device is signed out"), problem("404", "the player has no such session")]
                        + needsToken + stored)
            ),
        ]
    }

    private static var ways: Path {
        ("/v1/sign-in", get("The ways to sign in", answers: [json("200", "which there are")]))
    }

    // MARK: Codes for another device

    private static let noCode = problem("404", "there is no such code, it has expired, or was used")

    private static var offerPaths: [Path] {
        let pairing = pathParameter("pairing", "its id")
        return [
            (
                "/v1/account/pairings",
                post(
                    "Gets a code for another device of the player", "It is valid for five minutes, and once.",
                    body([:]), [json("201", "the code, and the id of the pairing")] + needsToken)
            ),
            (
                "/v1/account/pairings/{pairing}",
                get(
                    "Whether another device has sent the code", parameters: [pairing],
                    answers: [json("200", "waiting or asked, and what the device calls itself"), noCode]
                        + needsToken + stored)
                    + post(
                        "Lets the device that has sent the code in, or not", nil,
                        body([:], flags: ["accepted"]),
                        [nothing("204", "the device is answered"), noCode] + needsToken,
                        [pairing])
            ),
        ]
    }

    private static var codePaths: [Path] {
        [
            (
                "/v1/sign-in/pairing",
                post(
                    "Sends the code that another device shows", nil, body(["code": true, "device": false]),
                    [json("200", "a secret, by which the result is asked for"), noCode])
            ),
            (
                "/v1/sign-in/pairing/result",
                post(
                    "Whether the other device has agreed", nil, body(["pairing": true]),
                    [
                        json("200", "a session: its token is the bearer token of further requests"),
                        json("202", "it has not answered yet"), problem("403", "it has said no"), noCode,
                    ])
            ),
        ]
    }

    // MARK: Passkeys

    private static var ownPasskeyPaths: [Path] {
        [
            (
                "/v1/account/passkeys/options",
                post(
                    "What a browser needs to add a passkey", nil, body([:]),
                    [json("200", "PublicKeyCredentialCreationOptions, with bytes in base64url")] + needsToken)
            ),
            (
                "/v1/account/passkeys",
                get("The passkeys of the player", answers: [json("200", "the passkeys")] + needsToken + stored)
                    + post(
                        "Adds a passkey", nil, body(attestation),
                        [nothing("204", "it is added"), problem("403", "the passkey is refused")] + needsToken)
            ),
            (
                "/v1/account/passkeys/{passkey}",
                operation(
                    "delete", "Removes a passkey of the player", nil, [pathParameter("passkey", "its id")],
                    requestBody: nil,
                    [nothing("204", "it is removed"), problem("404", "the player has no such passkey")] + needsToken
                        + stored)
            ),
        ]
    }

    private static var passkeyPaths: [Path] {
        let challenge = "The challenge is valid for five minutes, and once."
        let session = "a session: its token is the bearer token of further requests"
        return [
            (
                "/v1/sign-in/passkey/options",
                post(
                    "What a browser needs to sign in by a passkey", challenge, body([:]),
                    [json("200", "PublicKeyCredentialRequestOptions, with the challenge in base64url")])
            ),
            (
                "/v1/sign-in/passkey",
                post(
                    "Signs in by a passkey", nil,
                    body([
                        "id": true, "clientDataJSON": true, "authenticatorData": true, "signature": true,
                        "userHandle": false, "device": false,
                    ]), [json("200", session), problem("403", "the passkey is refused")])
            ),
            (
                "/v1/sign-up/passkey/options",
                post(
                    "What a browser needs to make an account with a passkey", challenge, body(["name": true]),
                    [
                        json("200", "PublicKeyCredentialCreationOptions, with bytes in base64url"),
                        problem("403", "the service takes no new accounts"),
                    ])
            ),
            (
                "/v1/sign-up/passkey",
                post(
                    "Makes an account with a passkey", nil, body(attestation),
                    [
                        json("201", session),
                        problem("403", "the passkey is refused, or the service takes no new accounts"),
                    ])
            ),
        ]
    }

    private static let attestation = ["clientDataJSON": true, "attestationObject": true, "device": false]

    // MARK: OpenID Connect

    private static var providerPaths: [Path] {
        [
            (
                "/v1/sign-in/provider",
                post(
                    "Where the browser signs in at the provider of accounts",
                    "challenge is the SHA-256, in base64url, of a secret that the page keeps.",
                    body(["challenge": true, "device": false]),
                    [json("200", "the address"), problem("502", "the provider cannot be reached")])
            ),
            (
                "/v1/sign-in/provider/callback",
                get(
                    "Where the provider sends the browser back to",
                    parameters: [query("code", "of the provider"), query("state", "of the request to the provider")],
                    answers: [nothing("303", "the page, with a code in its fragment")] + stored)
            ),
            (
                "/v1/sign-in/provider/session",
                post(
                    "Exchanges the code of the page's address for a session", nil,
                    body(["code": true, "secret": true]),
                    [
                        json("200", "a session: its token is the bearer token of further requests"),
                        problem("403", "the sign-in was not begun with this secret, or has expired"),
                    ])
            ),
        ]
    }

    // MARK: Bodies

    /// A request with a document in its body.
    private static func post(
        _ summary: String, _ description: String?, _ body: String, _ answers: [Answer],
        _ parameters: [String] = []
    ) -> [Operation] {
        operation(
            "post", summary, description, parameters, requestBody: body,
            answers + [
                problem("408", "the request was too slow"), problem("413", "the request is too large"),
                problem("415", "the body is compressed"), problem("422", "the body is another document"),
            ] + stored)
    }

    /// An object of texts, by their names with whether they are required, and of booleans, which are.
    private static func body(_ members: [String: Bool], flags: [String] = []) -> String {
        let texts = members.keys.sorted().map { "\"\($0)\":{\"type\":\"string\"}" }
        let properties = (texts + flags.map { "\"\($0)\":{\"type\":\"boolean\"}" }).joined(separator: ",")
        let names = members.filter(\.value).keys.sorted() + flags
        let required = names.map { "\"\($0)\"" }.joined(separator: ",")
        let schema = #"{"type":"object","required":[\#(required)],"properties":{\#(properties)}}"#
        return #"{"required":true,"content":{"application/json":{"schema":\#(schema)}}}"#
    }
}
