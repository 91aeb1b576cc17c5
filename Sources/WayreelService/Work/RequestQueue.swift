internal import HTTPTypes
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

    /// Runs `body` if there is a place for it. Otherwise throws a ``Problem`` with the seconds after which there may be one.
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

    /// Throws a ``Problem`` if there is no place for a request of `client` now.
    func check(_ client: Client) throws { _ = try enter(client) }

    /// Reserves memory for a body, a source or an answer. Throws a ``Problem`` if there is none.
    func reserve(_ bytes: Int, for client: Client) throws -> Reservation {
        do throws(Allowance.Refusal) { return try memory.reserve(bytes, for: client) } catch {
            throw memoryProblem(error)
        }
    }

    /// Reserves more in `reservation`: up to `bytes` in all, at most half of what all requests have, so that a service with
    /// little memory refuses nothing for ever. Throws a ``Problem`` if there is none.
    func grow(_ reservation: Reservation, to bytes: Int) throws {
        do throws(Allowance.Refusal) { try reservation.grow(to: min(bytes, memory.amount / 2)) } catch {
            throw memoryProblem(error)
        }
    }

    /// The answer to a request whose memory was refused.
    func memoryProblem(_ refusal: Allowance.Refusal) -> Problem {
        switch refusal {
        case .total: overloaded
        case .client:
            .clientShare(
                "its uploads, and the answers that it has not read, may have \(memory.clientAmount) bytes at once")
        }
    }

    /// What is waiting or running, what is reserved for it, and the number of requests refused so far.
    var load: (count: Int, bytes: Int, refused: Int) {
        let (places, memory) = (places.load, memory.load)
        return (places.held, memory.held, places.refused + memory.refused)
    }

    /// Whether a client without any request would be refused.
    var isFull: Bool { places.isFull || memory.isFull }

    private func enter(_ client: Client) throws -> Reservation {
        do throws(Allowance.Refusal) { return try places.reserve(1, for: client) } catch {
            switch error {
            case .total: throw overloaded
            case .client: throw Problem.clientShare("it may have \(places.clientAmount) requests under way")
            }
        }
    }

    private var overloaded: Problem {
        let wait = Double(places.load.held) * mean.withLock(\.self) / Double(workers)
        return Problem(
            .serviceUnavailable, code: "overloaded", "The server is overloaded",
            retryAfter: Int(min(max(wait.rounded(.up), 1), 60)))
    }
}

extension Problem {
    static let clientShareCode = "client-share"

    /// A client holds its part of something that all clients share.
    static func clientShare(_ detail: String) -> Problem {
        Problem(
            .tooManyRequests, code: clientShareCode, "This client has its part of the server", detail: detail,
            retryAfter: 1)
    }
}
