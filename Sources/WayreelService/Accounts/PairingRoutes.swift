internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization
internal import WayreelCore
internal import WayreelStorage

/// Adding another device of a player: the signed-in one gets a code (`POST /v1/account/pairings`), the other one sends it
/// (`POST /v1/sign-in/pairing`), and gets a session when the first one agrees (`POST /v1/account/pairings/{pairing}`).
///
/// Pairings are in memory: a code is valid for five minutes and once.
struct PairingRoutes: Sendable {
    let entry: SignIn
    private let table = PairingTable()

    init(entry: SignIn) { self.entry = entry }

    func add(to router: Router<ServiceContext>) {
        router.post("v1/account/pairings") { try await offer($0, $1) }
        router.get("v1/account/pairings/:pairing") { try await state($0, $1) }
        router.post("v1/account/pairings/:pairing") { try await answer($0, $1) }
        router.post("v1/sign-in/pairing") { try await enter($0, $1) }
        router.post("v1/sign-in/pairing/result") { try await result($0, $1) }
    }

    // MARK: The device that is signed in

    private struct Offer: Encodable {
        var pairing: String
        var code: String
        var seconds: Double
    }

    private struct Empty: Decodable {}

    private func offer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await entry.access.caller(of: request, entry.accounts)
        _ = try await AccountJSON.read(Empty.self, of: request)
        try entry.limits.check(context.client)
        let (id, code) = try table.offer(for: caller.player)
        return try AccountJSON.answer(
            Offer(pairing: id, code: code, seconds: PairingTable.seconds), status: .created)
    }

    private struct State: Encodable {
        var state: String
        var device: String?
    }

    private func state(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await entry.access.caller(of: request, entry.accounts)
        guard let pairing = table.pairing(try context.decoded("pairing"), of: caller.player) else {
            throw Self.unknown
        }
        return try AccountJSON.answer(State(state: pairing.state.rawValue, device: pairing.device))
    }

    private struct Answer: Decodable {
        var accepted: Bool
    }

    private func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await entry.access.caller(of: request, entry.accounts)
        let id = try context.decoded("pairing")
        let isAccepted = try await AccountJSON.read(Answer.self, of: request).accepted
        guard let device = table.decide(id, of: caller.player, isAccepted: isAccepted) else { throw Self.unknown }
        if isAccepted {
            // It ends with what lets this device in, and with the operator's revocation.
            do {
                let session = try await entry.session(
                    for: caller.player, device: device, origin: caller.origin, latest: caller.latest)
                table.complete(id, with: session)
            } catch {
                table.reopen(id)
                throw error
            }
        }
        return Response(status: .noContent)
    }

    // MARK: The new device

    private struct Entered: Decodable {
        var code: String
        var device: String?
    }

    private struct Secret: Codable {
        var pairing: String
    }

    private func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.codes.check(context.client)
        let sent = try await AccountJSON.read(Entered.self, of: request)
        guard let secret = try table.enter(sent.code, device: SignIn.deviceName(sent.device)) else {
            throw Self.unknown
        }
        return try AccountJSON.answer(Secret(pairing: secret))
    }

    private func result(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let secret = try await AccountJSON.read(Secret.self, of: request).pairing
        switch table.result(secret) {
        case .none: throw Self.unknown
        case .refused?:
            throw Problem(.forbidden, code: "pairing-refused", "The other device has said no")
        case .waiting?: return try AccountJSON.answer(State(state: "waiting"), status: .accepted)
        case .accepted(let session)?: return try AccountJSON.answer(session)
        }
    }

    private static let unknown = Problem(
        .notFound, code: "pairing", "There is no such code", detail: "it may have expired, or was used")
}

/// The pairings that are under way.
private final class PairingTable: Sendable {
    enum State: String, Sendable {
        /// Nobody has sent the code.
        case waiting
        /// A device has sent it.
        case asked
        case accepted
        case refused
    }

    struct Pairing: Sendable {
        var player: PlayerIdentity
        var code: String
        var state = State.waiting
        var device: String?
        /// By which the new device asks for its session.
        var secret: String?
        var session: SignIn.Session?
        var ends: ContinuousClock.Instant
    }

    enum Result: Sendable {
        case waiting
        case refused
        case accepted(SignIn.Session)
    }

    private struct Contents {
        var pairings: [String: Pairing] = [:]
        /// Codes that nobody has offered, since a time.
        var misses = 0
        var since = ContinuousClock.now
    }

    private let contents = Mutex(Contents())

    static let seconds = 300.0
    private static let maxCount = 10_000
    /// Of one player; a further one replaces the oldest.
    private static let maxCountOfPlayer = 3
    /// The wrong codes of all clients together within ``seconds``, of 30^8 = 656,100,000,000.
    private static let maxMisses = 1000
    /// Digits and letters that are not mistaken for others.
    private static let alphabet = Array("ABCDEFGHJKMNPQRSTVWXYZ23456789".utf8)

    func offer(for player: PlayerIdentity) throws -> (id: String, code: String) {
        try contents.withLock { contents in
            Self.removeEnded(&contents)
            let own = contents.pairings.filter { $0.value.player.isCalled(player.id) }
            if own.count >= Self.maxCountOfPlayer, let oldest = own.min(by: { $0.value.ends < $1.value.ends }) {
                contents.pairings[oldest.key] = nil
            }
            guard contents.pairings.count < Self.maxCount else {
                throw Problem(.serviceUnavailable, code: "overloaded", "Too many codes are in use", retryAfter: 60)
            }
            var code = ""
            repeat {
                let letters = (0..<8).map { _ in Self.alphabet.randomElement() ?? Self.alphabet[0] }
                code = String(decoding: letters, as: UTF8.self)
            } while contents.pairings.values.contains { $0.code == code }
            let id = AccountDatabase.secret(bytes: 16)
            contents.pairings[id] = Pairing(player: player, code: code, ends: .now + .seconds(Self.seconds))
            return (id, "\(code.prefix(4))-\(code.suffix(4))")
        }
    }

    func pairing(_ id: String, of player: PlayerIdentity) -> Pairing? {
        contents.withLock { contents in
            guard let pairing = contents.pairings[id], pairing.ends > .now, pairing.player.isCalled(player.id) else {
                return nil
            }
            return pairing
        }
    }

    /// Returns the secret of a device that has sent a code; nil if nobody offers it, or if another device has sent it.
    ///
    /// Throws a ``Problem`` if too many wrong codes were sent.
    func enter(_ code: String, device: String) throws -> String? {
        let code = code.uppercased().filter { $0 != "-" && $0 != " " }
        return try contents.withLock { contents in
            Self.removeEnded(&contents)
            if contents.since + .seconds(Self.seconds) < .now { (contents.misses, contents.since) = (0, .now) }
            guard contents.misses < Self.maxMisses else {
                throw Problem(
                    .tooManyRequests, code: "client-rate", "Too many wrong codes were sent", retryAfter: 300)
            }
            guard let (id, _) = contents.pairings.first(where: { $0.value.code == code && $0.value.state == .waiting })
            else {
                contents.misses += 1
                return nil
            }
            let secret = AccountDatabase.secret()
            contents.pairings[id]?.state = .asked
            contents.pairings[id]?.device = device
            contents.pairings[id]?.secret = secret
            return secret
        }
    }

    /// Notes what the player says about the device that has sent the code. Returns the device; nil if there is none.
    func decide(_ id: String, of player: PlayerIdentity, isAccepted: Bool) -> String? {
        contents.withLock { contents in
            guard let pairing = contents.pairings[id], pairing.ends > .now, pairing.player.isCalled(player.id),
                pairing.state == .asked, let device = pairing.device
            else { return nil }
            contents.pairings[id]?.state = isAccepted ? .accepted : .refused
            return device
        }
    }

    /// Lets the player answer again, because there is no session.
    func reopen(_ id: String) {
        contents.withLock { contents in
            if contents.pairings[id]?.state == .accepted { contents.pairings[id]?.state = .asked }
        }
    }

    func complete(_ id: String, with session: SignIn.Session) {
        contents.withLock { $0.pairings[id]?.session = session }
    }

    /// What became of the device that has a secret. The session is given once.
    func result(_ secret: String) -> Result? {
        contents.withLock { contents in
            guard
                let (id, pairing) = contents.pairings.first(where: { $0.value.secret == secret && $0.value.ends > .now }
                )
            else { return nil }
            switch pairing.state {
            case .refused:
                contents.pairings[id] = nil
                return .refused
            case .accepted:
                guard let session = pairing.session else { return .waiting }
                contents.pairings[id] = nil
                return .accepted(session)
            case .waiting, .asked: return .waiting
            }
        }
    }

    private static func removeEnded(_ contents: inout Contents) {
        contents.pairings = contents.pairings.filter { $0.value.ends > .now }
    }
}
