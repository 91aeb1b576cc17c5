internal import WayreelCore
internal import WayreelStorage

/// Runs blocking file access on its own threads, so that neither images nor event loops wait for the disk. Refuses work if
/// its queue is full. The memory of what is read and written is reserved by the requests.
struct StorageWork: Sendable {
    private let pool = WorkPool(workers: 4)
    private let places: Allowance
    /// The requests of each player, and the large work of each client, of which one works at a time, so that the others
    /// have the other threads. Its limit leaves most of the queue to them, too.
    private let turns: SerialTurns

    init(_ settings: ServiceSettings) {
        places = Allowance(settings.queue * 4, clientShare: settings.clientShare)
        turns = SerialTurns(maxWaiting: max(4, settings.queue / 4))
    }

    /// Whether further work would be refused.
    var isFull: Bool { places.isFull }

    /// Runs `body` on one of the threads.
    ///
    /// Throws an ``AdmissionFault`` if the queue is full, and what `body` throws.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let place = try enter()
        defer { withExtendedLifetime(place) {} }
        return try await pool.run { (_) throws(MediaError) in Result { try body() } }.get()
    }

    /// Runs `body`, which uses stores, without a thread.
    ///
    /// Throws an ``AdmissionFault`` likewise, and what `body` throws.
    func admit<Value>(_ body: () async throws -> Value) async throws -> Value {
        let place = try enter()
        defer { withExtendedLifetime(place) {} }
        return try await body()
    }

    /// Runs `body` likewise when the player's earlier requests are done: alone among them.
    ///
    /// Throws an ``AdmissionFault`` also if too many requests of the player are waiting.
    func turn<Value>(of player: PlayerIdentity, _ body: () async throws -> Value) async throws -> Value {
        try await admit { try await turns.run(player.id, body) }
    }

    /// Runs `body` likewise when what the client had begun is done: alone among its work of this kind.
    func turn<Value>(of client: Client, _ body: () async throws -> Value) async throws -> Value {
        try await admit { try await turns.run("client \(client.networks[0].prefix)", body) }
    }

    /// Runs work that is never refused: what the service has to do itself, as that of jobs, and a part of work that was
    /// admitted.
    func runAlways<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await pool.run { (_) throws(MediaError) in Result { try body() } }.get()
    }

    /// The same threads for stores, which wait for the disk on them.
    var threads: any StorageThreads { Threads(pool: pool) }

    private struct Threads: StorageThreads {
        let pool: WorkPool

        func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
            // Slow, but right: the system has refused all threads.
            guard pool.workers > 0 else { return body() }
            return await withCheckedContinuation { continuation in
                pool.add { continuation.resume(returning: body()) }
            }
        }
    }

    private func enter() throws(AdmissionFault) -> Reservation {
        try places.admit(RequestRecord.client, seconds: 1) { .files($0) }
    }
}
