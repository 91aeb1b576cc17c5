internal import Synchronization

/// Admits so many requests, with so many bytes, that they are answered soon. Further ones are refused at once, and so are
/// those of a client that has its part of both.
final class RequestQueue: Sendable {
    private let places: Allowance
    private let memory: Allowance
    private let workers: Int
    /// The moving average of the seconds that a request takes.
    private let mean = Mutex(0.1)

    init(places: Int, bytes: Int, clientShare: Double, workers: Int) {
        self.places = Allowance(places, clientShare: clientShare)
        memory = Allowance(bytes, clientShare: clientShare)
        self.workers = max(1, workers)
    }

    /// Runs `body` if there is a place for it. Otherwise throws an ``AdmissionFault``.
    func admit<Result>(_ client: Client, _ body: () async throws -> Result) async throws -> Result {
        let place = try enter(client)
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            let seconds = (clock.now - start) / .seconds(1)
            mean.withLock { $0 += (seconds - $0) / 16 }
            withExtendedLifetime(place) {}
        }
        return try await body()
    }

    /// Throws if there is no place for a request of `client` now.
    func check(_ client: Client) throws(AdmissionFault) { _ = try enter(client) }

    /// Reserves memory for a body, a source or an answer. Throws if there is none.
    func reserve(_ bytes: Int, for client: Client) throws(AdmissionFault) -> Reservation {
        do throws(Allowance.Refusal) { return try memory.reserve(bytes, for: client) } catch {
            throw memoryFault(error)
        }
    }

    /// Reserves more in `reservation`: up to `bytes` in all, `step` at once where there is room for it. Returns what is
    /// reserved then. Throws if there is no memory.
    @discardableResult
    func hold(_ bytes: Int, in reservation: Reservation, step: Int = 0) throws(AdmissionFault) -> Int {
        do throws(Allowance.Refusal) { return try reservation.grow(to: bytes, step: step) } catch {
            throw memoryFault(error)
        }
    }

    /// Reserves more in `reservation` for an estimate: up to `bytes` in all, at most half of what all requests have, so that a
    /// service with little memory refuses nothing for ever. Throws likewise.
    func grow(_ reservation: Reservation, to bytes: Int) throws(AdmissionFault) {
        try hold(min(bytes, memory.amount / 2), in: reservation)
    }

    private func memoryFault(_ refusal: Allowance.Refusal) -> AdmissionFault {
        switch refusal {
        case .total: .full(.memory(bytes: memory.amount), seconds: waitSeconds)
        case .client: .share(.memory(bytes: memory.clientAmount))
        }
    }

    /// What is waiting or running, what is reserved for it, and the number of requests refused so far.
    var load: (count: Int, bytes: Int, refused: Int) {
        let (places, memory) = (places.load, memory.load)
        return (places.held, memory.held, places.refused + memory.refused)
    }

    /// Whether a client without any request would be refused.
    var isFull: Bool { places.isFull || memory.isFull }

    private func enter(_ client: Client) throws(AdmissionFault) -> Reservation {
        try places.admit(client, seconds: waitSeconds) { .requests($0) }
    }

    /// The seconds after which those that are waiting now are answered.
    private var waitSeconds: Int {
        let wait = Double(places.load.held) * mean.withLock(\.self) / Double(workers)
        return Int(min(max(wait.rounded(.up), 1), 60))
    }
}
