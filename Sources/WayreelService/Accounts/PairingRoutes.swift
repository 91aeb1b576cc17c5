internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelStorage

/// Adding another device of a player: the signed-in one gets a code (`POST /v1/account/pairings`), the other one sends it
/// (`POST /v1/sign-in/pairing`), and gets a session when the first one agrees (`POST /v1/account/pairings/{pairing}`).
///
/// A code is valid for five minutes and once.
struct PairingRoutes: Sendable {
    let entry: SignIn
    let pairings: any PairingStoring

    // MARK: The device that is signed in

    private struct Offer: Encodable {
        var pairing: String
        var code: String
        var seconds: Double
    }

    func offer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await entry.access.caller(of: request, entry.accounts)
        _ = try await AccountJSON.read(AccountJSON.Empty.self, of: request)
        try entry.limits.check(context.client)
        let (id, code) = try await pairings.offer(for: caller.player)
        return try AccountJSON.answer(
            Offer(pairing: id, code: code, seconds: PairingLimits.seconds), status: .created)
    }

    private struct State: Encodable {
        var state: String
        var device: String?
    }

    func state(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try QueryFields(of: request).check(allowing: [])
        let caller = try await entry.access.caller(of: request, entry.accounts)
        guard let pairing = try await pairings.pairing(try context.decoded("pairing"), of: caller.player) else {
            throw Self.unknown
        }
        return try AccountJSON.answer(State(state: pairing.state.rawValue, device: pairing.device))
    }

    private struct Answer: Decodable {
        var accepted: Bool
    }

    func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let caller = try await entry.access.caller(of: request, entry.accounts)
        let id = try context.decoded("pairing")
        let isAccepted = try await AccountJSON.read(Answer.self, of: request).accepted
        guard let device = try await pairings.decide(id, of: caller.player, isAccepted: isAccepted) else {
            throw Self.unknown
        }
        if isAccepted {
            // It ends with what lets this device in, and with the operator's revocation.
            do {
                let session = try await entry.newSession(
                    for: caller.player, device: device, origin: caller.origin, latest: caller.latest)
                try await pairings.complete(id, with: session)
            } catch {
                try await pairings.reopen(id)
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

    func enter(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.codes.check(context.client)
        let sent = try await AccountJSON.read(Entered.self, of: request)
        guard let secret = try await pairings.enter(sent.code, device: SignIn.deviceName(sent.device)) else {
            throw Self.unknown
        }
        return try AccountJSON.answer(Secret(pairing: secret))
    }

    func result(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try entry.limits.check(context.client)
        let secret = try await AccountJSON.read(Secret.self, of: request).pairing
        switch try await pairings.result(secret) {
        case .none: throw Self.unknown
        case .refused?:
            throw Problem(.forbidden, code: "pairing-refused", "The other device has said no")
        case .waiting?: return try AccountJSON.answer(State(state: "waiting"), status: .accepted)
        case .accepted(let session)?: return try AccountJSON.answer(SignIn.Session(session))
        }
    }

    private static let unknown = Problem(
        .notFound, code: "pairing", "There is no such code", detail: "it may have expired, or was used")
}
