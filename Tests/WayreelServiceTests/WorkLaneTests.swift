import Synchronization
import Testing
import WayreelCore
import WayreelService

struct WorkLaneTests {
    private static func client(_ number: Int) -> Client { Client(HostAddress("192.0.2.\(number)")!) }

    private static let later = ContinuousClock.now + .seconds(600)

    /// Occupies threads of a lane until it is opened.
    private final class Gate: Sendable {
        private let state = Monitor(false)

        func open() { state.update { $0 = true } }
        func wait() { state.withLock(when: \.self) { _ in } }
    }

    /// The clients whose work ran.
    private final class Order: Sendable {
        private let state = Mutex<[Int]>([])

        func add(_ client: Int) { state.withLock { $0.append(client) } }
        var clients: [Int] { state.withLock(\.self) }
    }

    /// Memory that is held, and the most so far.
    private final class Held: Sendable {
        private let state = Mutex((held: 0, most: 0))

        func add(_ bytes: Int) {
            state.withLock { state in
                state.held += bytes
                state.most = max(state.most, state.held)
            }
        }
        var most: Int { state.withLock(\.most) }
    }

    /// Returns when so much work of `lane` runs and waits.
    private static func settle(_ lane: WorkLane, running: Int = 1, waiting: Int) async {
        while lane.load != (running, waiting) { await Task.yield() }
    }

    @Test func clientsHaveTurnsInRotation() async throws {
        let lane = WorkLane(threads: 1, bytes: 0)
        let (gate, order) = (Gate(), Order())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, client) in [9, 1, 1, 1, 1, 2, 2, 3].enumerated() {
                group.addTask {
                    try await lane.run(for: Self.client(client), until: Self.later) { _ in
                        if client == 9 { gate.wait() } else { order.add(client) }
                    }
                }
                await Self.settle(lane, waiting: number)
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(order.clients == [1, 2, 3, 1, 2, 1, 1])
    }

    @Test func workRunsTogetherWhileItsMemoryLasts() async throws {
        let lane = WorkLane(threads: 8, bytes: 100)
        let memory = Held()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                let bytes = [10, 45, 70, 100, 300][number % 5]
                group.addTask {
                    try await lane.run(for: Self.client(number % 7), bytes: bytes, until: Self.later) { _ in
                        memory.add(min(bytes, 100))
                        for _ in 0..<10_000 { _ = ContinuousClock.now }
                        memory.add(-min(bytes, 100))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(memory.most <= 100)
    }

    @Test func aCancelledTaskGivesItsTurnBack() async throws {
        let lane = WorkLane(threads: 1, bytes: 50)
        let gate = Gate()
        async let first: Void = lane.run(for: Self.client(1), bytes: 50, until: Self.later) { _ in gate.wait() }
        await Self.settle(lane, waiting: 0)
        let waiting = (0..<20).map { number in
            Task { try await lane.run(for: Self.client(number), bytes: 50, until: Self.later) { _ in } }
        }
        await Self.settle(lane, waiting: 20)
        for task in waiting { task.cancel() }
        for task in waiting { await #expect(throws: MediaError.self) { try await task.value } }
        gate.open()
        try await first
        try await lane.run(for: Self.client(2), bytes: 50, until: Self.later) { _ in }
    }

    @Test func workThatWaitedTooLongIsRefused() async throws {
        let lane = WorkLane(threads: 1, bytes: 0)
        let gate = Gate()
        async let first: Void = lane.run(for: Self.client(1), until: Self.later) { _ in gate.wait() }
        await Self.settle(lane, waiting: 0)
        let late = Task { try await lane.run(for: Self.client(2), until: .now + .milliseconds(1)) { _ in } }
        await Self.settle(lane, waiting: 1)
        try await Task.sleep(for: .milliseconds(2))
        gate.open()
        try await first
        let error = await #expect(throws: MediaError.self) { try await late.value }
        #expect(error?.code == .timedOut)
    }
}
