import Synchronization
import Testing
import WayreelService

/// The limits of what requests share: the promises of Documentation/service.md.
struct AdmissionTests {
    private static func client(_ number: Int) -> Client { Client(HostAddress("192.0.2.\(number)")!) }

    private static func queue(places: Int = 8, bytes: Int = 1000) -> RequestQueue {
        RequestQueue(places: places, bytes: bytes, clientShare: 0.25, workers: 2)
    }

    // MARK: Requests

    @Test func oneClientHasItsPartOfThePlaces() async throws {
        let queue = Self.queue()
        try await queue.admit(Self.client(1)) {
            try await queue.admit(Self.client(1)) {
                #expect(throws: AdmissionFault.share(.requests(2))) { try queue.check(Self.client(1)) }
                try queue.check(Self.client(2))
                #expect(queue.load.count == 2)
            }
        }
        #expect(queue.load.count == 0)
        try queue.check(Self.client(1))
    }

    @Test func allPlacesTogetherAreLimited() async throws {
        let queue = Self.queue(places: 2)
        try await queue.admit(Self.client(1)) {
            try await queue.admit(Self.client(2)) {
                let fault = #expect(throws: AdmissionFault.self) { try queue.check(Self.client(3)) }
                guard case .full(.requests(2), let seconds) = fault else { return #expect(fault == nil) }
                // It may come again: at least a second later, at most a minute.
                #expect((1...60).contains(seconds))
                #expect(queue.isFull)
            }
        }
        #expect(queue.load.refused == 1)
    }

    @Test func aRequestThatFailsGivesItsPlaceBack() async throws {
        let queue = Self.queue(places: 1)
        await #expect(throws: CancellationError.self) {
            try await queue.admit(Self.client(1)) { throw CancellationError() }
        }
        try queue.check(Self.client(2))
    }

    // MARK: Memory

    @Test func memoryIsReservedBeforeItIsTaken() throws {
        let queue = Self.queue()
        let first = try queue.reserve(200, for: Self.client(1))
        #expect(throws: AdmissionFault.share(.memory(bytes: 250))) { try queue.reserve(51, for: Self.client(1)) }
        // Alone, a request may have more than the part of its client.
        #expect(try queue.hold(700, in: first) == 700)
        let fault = #expect(throws: AdmissionFault.self) { try queue.reserve(301, for: Self.client(2)) }
        #expect(fault?.isShare == false)
        #expect(queue.load.bytes == 700)
        withExtendedLifetime(first) {}
    }

    /// So that a service with little memory refuses no journal for ever.
    @Test func anEstimateTakesAtMostHalf() throws {
        let queue = Self.queue()
        let memory = try queue.reserve(0, for: Self.client(1))
        try queue.grow(memory, to: 1_000_000)
        #expect(queue.load.bytes == 500)
        withExtendedLifetime(memory) {}
    }

    // MARK: Turns

    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock(\.self) }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    @Test func workOfOneKeyRunsInItsOrder() async throws {
        let turns = SerialTurns(maxWaiting: 10)
        let order = Order()
        let (begun, gate) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let first = Task {
            try await turns.run("a") {
                begun.continuation.finish()
                for await _ in gate.stream {}
            }
        }
        for await _ in begun.stream {}
        var waiting: [Task<Void, any Error>] = []
        for number in 0..<10 {
            waiting.append(Task { try await turns.run("a") { order.add(number) } })
            while turns.waiting("a") <= number { await Task.yield() }
        }
        await #expect(throws: AdmissionFault.turns) { try await turns.run("a") {} }
        // Another key does not wait, and one that is cancelled leaves the queue.
        try await turns.run("b") {}
        waiting[3].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[3].value }
        gate.continuation.finish()
        try await first.value
        for (number, task) in waiting.enumerated() where number != 3 { try await task.value }
        #expect(order.all == [0, 1, 2, 4, 5, 6, 7, 8, 9])
        #expect(turns.waiting("a") == 0)
    }

    @Test func aPlayerWaitsWithFewRequests() async throws {
        let turns = SerialTurns(maxWaiting: 0)
        try await turns.run("a") {
            await #expect(throws: AdmissionFault.turns) { try await turns.run("a") {} }
            try await turns.run("b") {}
        }
        try await turns.run("a") {}
    }

    // MARK: Values that are taken once

    @Test func aValueIsTakenOnce() throws {
        let values = OneTimeValues<Int>(seconds: 60)
        let (first, second) = (try values.keep(1, for: [1]), try values.keep(2, for: [1]))
        #expect(first != second)
        #expect([values.take(second), values.take(first), values.take(first), values.take("x")] == [2, 1, nil, nil])
    }

    @Test func aValueEnds() throws {
        let values = OneTimeValues<Int>(seconds: 0)
        let secret = try values.keep(1, for: [1])
        #expect(values.take(secret) == nil)
    }

    @Test func oneClientDisplacesNoOther() throws {
        let values = OneTimeValues<Int>(seconds: 60, maxCount: 3, maxCountOfClient: 2)
        let kept = [try values.keep(1, for: [1]), try values.keep(2, for: [1])]
        #expect(throws: AdmissionFault.oneTimeValues(seconds: 60)) { try values.keep(3, for: [1]) }
        let other = try values.keep(4, for: [2])
        #expect(throws: AdmissionFault.oneTimeValues(seconds: 60)) { try values.keep(5, for: [3]) }
        #expect((kept + [other]).map(values.take) == [1, 2, 4])
        // There is room again.
        _ = try values.keep(6, for: [1])
    }
}

/// The numbers of work in the order in which it ran.
private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
}
