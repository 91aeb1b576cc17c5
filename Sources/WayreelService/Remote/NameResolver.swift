internal import Synchronization
internal import WayreelCore

/// Looks up the addresses of hosts on threads of its own, which a name server that does not answer may keep busy.
///
/// A name is looked up once at a time, whoever waits for it, and its answer is kept for a while.
final class NameResolver: Sendable {
    private struct Question: Hashable {
        var host: String
        var allowsPrivate: Bool
    }

    private struct Answer {
        var address: Result<String, any Error>
        var end: ContinuousClock.Instant
    }

    private struct State {
        var answers: [Question: Answer] = [:]
        var waiting: [Question: [Int: CheckedContinuation<String, any Error>]] = [:]
        var lastWaiter = 0
    }

    private let pool: WorkPool
    private let state = Mutex(State())

    private static let kept = Duration.seconds(30)
    /// An answer that there is no address.
    private static let keptFailure = Duration.seconds(3)

    /// `names`: the number of names that can be asked for. Each has a thread, up to eight.
    init(names: Int) { pool = WorkPool(workers: min(max(names, 1), 8)) }

    /// Returns an address of `host` to connect to.
    ///
    /// Throws a ``SourceFault`` if there is none, if it is not a public one and `allowsPrivate` is false, or if there is no
    /// answer before `deadline`.
    func address(of host: String, allowsPrivate: Bool, until deadline: ContinuousClock.Instant) async throws -> String {
        if let address = HostAddress(host) { return try address.allowed(allowsPrivate) }
        let question = Question(host: host, allowsPrivate: allowsPrivate)
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            leave(question, waiter, Self.tooSlow)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(question, waiter, continuation)
                // An earlier cancellation or timer has found no continuation.
                if Task.isCancelled { leave(question, waiter, CancellationError()) }
                if ContinuousClock.now >= deadline { leave(question, waiter, Self.tooSlow) }
            }
        } onCancel: {
            leave(question, waiter, CancellationError())
        }
    }

    private func wait(_ question: Question, _ waiter: Int, _ continuation: CheckedContinuation<String, any Error>) {
        let (known, isFirst) = state.withLock { state -> (Result<String, any Error>?, Bool) in
            if let known = state.answers[question], known.end > .now { return (known.address, false) }
            state.answers[question] = nil
            let isFirst = state.waiting[question] == nil
            state.waiting[question, default: [:]][waiter] = continuation
            return (nil, isFirst)
        }
        if let known { continuation.resume(with: known) }
        if isFirst { pool.add { self.ask(question) } }
    }

    private func leave(_ question: Question, _ waiter: Int, _ error: any Error) {
        // The entry of the question stays while it is being asked.
        let continuation = state.withLock { $0.waiting[question]?.removeValue(forKey: waiter) }
        continuation?.resume(throwing: error)
    }

    /// Blocks until the name server answers.
    private func ask(_ question: Question) {
        let address = Result { try HostAddress.resolve(question.host, allowsPrivate: question.allowsPrivate) }
        let waiting = state.withLock { state in
            var kept = Self.keptFailure
            if case .success = address { kept = Self.kept }
            state.answers[question] = Answer(address: address, end: .now + kept)
            return state.waiting.removeValue(forKey: question) ?? [:]
        }
        for continuation in waiting.values { continuation.resume(with: address) }
    }

    private static let tooSlow = SourceFault.failed(.lookupTimeout)
}

extension HostAddress {
    /// Its text. Throws if it is not a public one and those are not allowed.
    fileprivate func allowed(_ allowsPrivate: Bool) throws(SourceFault) -> String {
        guard allowsPrivate || isPublic else { throw .notPublic }
        return text
    }
}
