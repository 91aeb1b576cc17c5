internal import Synchronization

/// Stores pairings: a device of a player that is signed in has got a code, and another device has sent it, or will.
///
/// A code is valid for ``PairingLimits/seconds`` and once. Each function has its whole effect or none, whatever else runs at
/// the same time.
package protocol PairingStoring: Sendable {
    /// Makes a pairing for a player. Returns its id, and the code that another device sends.
    ///
    /// A player has at most ``PairingLimits/perPlayer``: a further one replaces the oldest. Throws
    /// ``StorageFault/full(_:)`` if too many players have some.
    func offer(for player: PlayerIdentity) async throws(StorageFault) -> (id: String, code: String)

    /// A pairing of a player, by its id.
    func pairing(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Pairing?

    /// Notes the device that has sent a code. Returns the secret by which it asks for its session; nil if nobody offers the
    /// code, or if another device has sent it.
    ///
    /// Throws ``StorageFault/full(_:)`` if too many wrong codes were sent.
    func enter(_ code: String, device: String) async throws(StorageFault) -> String?

    /// Notes what the player says about the device that has sent the code. Returns the device; nil if there is none.
    func decide(
        _ id: String, of player: PlayerIdentity, isAccepted: Bool
    ) async throws(StorageFault) -> String?

    /// Lets the player answer again, because there is no session.
    func reopen(_ id: String) async throws(StorageFault)

    /// Keeps the session of an accepted device until the device asks for it.
    func complete(_ id: String, with session: NewSession) async throws(StorageFault)

    /// What became of the device that has a secret; nil if there is no such pairing. The session is given once.
    func result(_ secret: String) async throws(StorageFault) -> PairingResult?
}

/// The limits of every ``PairingStoring``.
package enum PairingLimits {
    /// The seconds for which a code is valid.
    package static let seconds = 300.0
    package static let pairings = 10_000
    package static let perPlayer = 3
    /// The wrong codes of all clients together within ``seconds``, of 30^8 = 656,100,000,000.
    package static let wrongCodes = 1000
    /// Digits and letters that are not mistaken for others.
    private static let alphabet = Array("ABCDEFGHJKMNPQRSTVWXYZ23456789".utf8)

    /// A code of eight letters.
    static func code() -> String {
        String(decoding: (0..<8).map { _ in alphabet.randomElement() ?? alphabet[0] }, as: UTF8.self)
    }

    /// A code as a person types it.
    static func normalized(_ code: String) -> String { code.uppercased().filter { $0 != "-" && $0 != " " } }

    /// A code as it is shown.
    static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.suffix(4))" }
}

package struct Pairing: Hashable, Sendable {
    package enum State: String, Sendable {
        /// Nobody has sent the code.
        case waiting
        /// A device has sent it.
        case asked
        case accepted
        case refused
    }

    package var state = State.waiting
    /// That has sent the code.
    package var device: String?

    package init() {}
}

package enum PairingResult: Hashable, Sendable {
    case waiting
    case refused
    case accepted(NewSession)
}

/// Pairings in the memory of this process, which end with it.
package final class MemoryPairings: PairingStoring {
    private struct Entry: Sendable {
        var player: PlayerIdentity
        var code: String
        var pairing = Pairing()
        /// By which the new device asks for its session.
        var secret: String?
        var session: NewSession?
        var ends: ContinuousClock.Instant
    }

    private struct Contents {
        var entries: [String: Entry] = [:]
        /// Codes that nobody has offered, since a time.
        var misses = 0
        var since = ContinuousClock.now
    }

    private let contents = Mutex(Contents())

    package init() {}

    package func offer(for player: PlayerIdentity) async throws(StorageFault) -> (id: String, code: String) {
        try contents.withLock { (contents) throws(StorageFault) in
            Self.removeEnded(&contents)
            let own = contents.entries.filter { $0.value.player.isCalled(player.id) }
            if own.count >= PairingLimits.perPlayer, let oldest = own.min(by: { $0.value.ends < $1.value.ends }) {
                contents.entries[oldest.key] = nil
            }
            guard contents.entries.count < PairingLimits.pairings else { throw .full(.pairings) }
            var code = ""
            repeat { code = PairingLimits.code() } while contents.entries.values.contains { $0.code == code }
            let id = Secret.make(bytes: 16)
            contents.entries[id] = Entry(player: player, code: code, ends: .now + .seconds(PairingLimits.seconds))
            return (id, PairingLimits.shown(code))
        }
    }

    package func pairing(_ id: String, of player: PlayerIdentity) async throws(StorageFault) -> Pairing? {
        contents.withLock { Self.entry(id, of: player, in: $0)?.pairing }
    }

    package func enter(_ code: String, device: String) async throws(StorageFault) -> String? {
        let code = PairingLimits.normalized(code)
        return try contents.withLock { (contents) throws(StorageFault) in
            Self.removeEnded(&contents)
            if contents.since + .seconds(PairingLimits.seconds) < .now { (contents.misses, contents.since) = (0, .now) }
            guard contents.misses < PairingLimits.wrongCodes else { throw .full(.wrongCodes) }
            guard
                let id = contents.entries.first(where: {
                    $0.value.code == code && $0.value.pairing.state == .waiting
                })?.key
            else {
                contents.misses += 1
                return nil
            }
            let secret = Secret.make()
            contents.entries[id]?.pairing.state = .asked
            contents.entries[id]?.pairing.device = device
            contents.entries[id]?.secret = secret
            return secret
        }
    }

    package func decide(
        _ id: String, of player: PlayerIdentity, isAccepted: Bool
    ) async throws(StorageFault) -> String? {
        contents.withLock { contents in
            guard let pairing = Self.entry(id, of: player, in: contents)?.pairing, pairing.state == .asked,
                let device = pairing.device
            else { return nil }
            contents.entries[id]?.pairing.state = isAccepted ? .accepted : .refused
            return device
        }
    }

    package func reopen(_ id: String) async throws(StorageFault) {
        contents.withLock { contents in
            if contents.entries[id]?.pairing.state == .accepted { contents.entries[id]?.pairing.state = .asked }
        }
    }

    package func complete(_ id: String, with session: NewSession) async throws(StorageFault) {
        contents.withLock { $0.entries[id]?.session = session }
    }

    package func result(_ secret: String) async throws(StorageFault) -> PairingResult? {
        contents.withLock { contents in
            guard
                let (id, entry) = contents.entries.first(where: { $0.value.secret == secret && $0.value.ends > .now })
            else { return nil }
            switch entry.pairing.state {
            case .refused:
                contents.entries[id] = nil
                return .refused
            case .accepted:
                guard let session = entry.session else { return .waiting }
                contents.entries[id] = nil
                return .accepted(session)
            case .waiting, .asked: return .waiting
            }
        }
    }

    private static func entry(_ id: String, of player: PlayerIdentity, in contents: Contents) -> Entry? {
        guard let entry = contents.entries[id], entry.ends > .now, entry.player.isCalled(player.id) else { return nil }
        return entry
    }

    private static func removeEnded(_ contents: inout Contents) {
        contents.entries = contents.entries.filter { $0.value.ends > .now }
    }
}
