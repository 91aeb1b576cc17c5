internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import Synchronization
internal import WayreelCore
internal import WayreelStorage

/// What becomes known about a request while it is answered, for its line in the log and the metrics.
final class RequestRecord: Sendable {
    /// That of the request which this task answers.
    @TaskLocal static var current: RequestRecord?

    let client: Client
    private let state = Mutex<String?>(nil)
    private let received = Atomic(0)

    init(_ client: Client) { self.client = client }

    /// The client of the request that this task answers.
    static var client: Client { current?.client ?? .unknown }

    /// The id of the player who sends the request, see ``pseudonym(of:)``.
    var player: String? { state.withLock { $0 } }

    /// The bytes of the request's content that were read.
    var receivedBytes: Int { received.load(ordering: .relaxed) }

    func count(received bytes: Int) { received.wrappingAdd(bytes, ordering: .relaxed) }

    static func note(_ player: PlayerIdentity) {
        guard let current else { return }
        let id = pseudonym(of: player.id)
        current.state.withLock { $0 = id }
    }

    /// The beginning of the SHA-256 of a player's id. An id may be a name or an e-mail address, which does not belong in a
    /// log; who knows it finds its lines: `printf ines | sha256sum | cut -c1-12`.
    static func pseudonym(of id: some StringProtocol) -> String {
        String(SHA256.hash(data: Array(id.utf8)).hexadecimal.prefix(12))
    }
}

extension Client {
    /// The network that requests are counted by: `192.0.2.7` or `2001:db8::/64`; nil if it is not known.
    var text: String? {
        guard let prefix = networks.first?.prefix, !prefix.isEmpty else { return nil }
        guard prefix.count > 4 else { return HostAddress(bytes: prefix).text }
        let address = HostAddress(bytes: prefix + [UInt8](repeating: 0, count: 16 - prefix.count))
        return "\(address.text)/\(prefix.count * 8)"
    }
}

extension AnswerHeaders {
    /// The `X-Request-ID` of a request, if it can be that of another program: up to 128 letters, digits and `-._:=+/`.
    static func requestID(of headers: HTTPFields) -> String? {
        guard let id = headers[requestID], (1...128).contains(id.utf8.count), id.utf8.allSatisfy(idBytes.contains)
        else {
            return nil
        }
        return id
    }

    private static let idBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._:=+/".utf8)
}
