internal import ArgumentParser
internal import WayreelCLI
internal import WayreelCore
internal import WayreelService
internal import WayreelStorage

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints tokens for players of the service, and revokes them.",
        discussion: """
            openssl rand -hex 32 | sed 's/^/p1:/' > player-keys.txt
            token=$(wayreel token ines --keys player-keys.txt --group bellringers)
            curl -H "Authorization: Bearer $token" http://127.0.0.1:8080/v1/players/ines/journal
            wayreel token revoke ines --data data/
            """,
        subcommands: [TokenMakeCommand.self, TokenRevokeCommand.self], defaultSubcommand: TokenMakeCommand.self)
}

struct TokenMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Prints a token for a player of the service.",
        discussion: """
            It is a JWT (RFC 7519) whose subject is the player. The first key of the file signs it, with HS256; a PEM with a private key
            on the curve P-256 signs with ES256, and the service needs its public key alone.
            """)

    @Argument(help: "The player's id.")
    var player: String

    @Option(
        help: "File of the keys of players' tokens: id:hexadecimal on each line, or a PEM with a private key.",
        completion: .file())
    var keys: String

    @Option(help: "Seconds for which the token is valid.")
    var seconds = 86_400

    @Option(
        name: .customLong("group"),
        help: ArgumentHelp("A group whose notes the player sees. Repeatable.", valueName: "group"))
    var groups: [String] = []

    @Option(help: "The service that the token is for: its --audience.")
    var audience: String?

    func validate() throws {
        guard (1...3_153_600_000).contains(seconds) else {
            throw ValidationError("--seconds takes a whole number from 1 to 3153600000")
        }
    }

    func run() async throws {
        let token = try await PlayerKeys(path: keys)
            .token(for: player, groups: groups, audience: audience, seconds: seconds)
        try Console.output(token)
    }
}

struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Lets a player in no longer: revokes tokens, and ends sessions.",
        discussion: """
            wayreel token revoke ines --data data/
            wayreel token revoke ines --data data/ --jti 5f0c1c9e-7d3b-4a0e-9d1c-2f4b8a6e7c11

            Revokes all tokens that were issued to the player until now, ends the sessions of all devices, and removes the passkeys. What
            the player has found stays. A token that is made afterwards is valid. With --jti it revokes one token, and ends the sessions
            that were made by it. A service that uses the folder knows it at its next request.
            """)

    @Argument(help: "The player's id.")
    var player: String

    @Option(help: "The folder of data of the service.", completion: .directory)
    var data: String

    @Option(help: "The token's jti, if only that one is meant.")
    var jti: String?

    func run() async throws {
        guard PlayerIdentity.isName(player) else {
            throw MediaError(
                .parameter, step: .token, subject: player,
                reason: "is not a name of 1 to 255 bytes without control characters")
        }
        let accounts = try SQLiteAccounts(data: data, threads: CallingThread())
        let ended: Int
        do throws(StorageFault) { ended = try await accounts.revoke(player: player, token: jti, expires: nil) } catch {
            throw error.cause ?? error
        }
        let tokens = jti.map { "the token \($0) of" } ?? "all tokens of"
        try Console.output("revoked \(tokens) \(player); \(ended.counted("session")) ended".onOneLine)
    }
}
