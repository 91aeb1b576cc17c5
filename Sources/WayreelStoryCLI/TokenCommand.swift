internal import ArgumentParser
internal import WayreelCore
internal import WayreelService
internal import WayreelSigning

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Prints a token for a player of the service.",
        discussion: """
            openssl rand -hex 32 | sed 's/^/p1:/' > player-keys.txt
            token=$(wayreel token ines --keys player-keys.txt --group bellringers)
            curl -H "Authorization: Bearer $token" http://127.0.0.1:8080/v1/players/ines/journal

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
        print(try await PlayerKeys(path: keys).token(for: player, groups: groups, audience: audience, seconds: seconds))
    }
}
