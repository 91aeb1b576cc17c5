import Glibc
import Synchronization
import TestSupport
import Testing
import WayreelCore

@Suite struct BoundedQueueTests {
    @Test func deliversInOrderAndEnds() throws {
        let queue = BoundedQueue<Int>(limit: 4)
        let producer = Worker {
            for number in 0..<1000 { _ = queue.put(number) }
            queue.finish()
        }
        var taken: [Int] = []
        while let number = try queue.take() { taken.append(number) }
        producer.join()
        #expect(taken == Array(0..<1000))
        #expect(try queue.take() == nil)
    }

    /// No producer runs ahead by more than the limit.
    @Test func waitsWhileItIsFull() throws {
        let queue = BoundedQueue<Int>(limit: 3)
        let put = Counter()
        let producer = Worker {
            for number in 0..<50 {
                _ = queue.put(number)
                put.add()
            }
            queue.finish()
        }
        for taken in 0..<50 {
            // The pause gives the producer time to exceed the limit if it could.
            if taken % 10 == 0 { usleep(5000) }
            #expect(put.value <= taken + 3)
            #expect(try queue.take() == taken)
        }
        producer.join()
    }

    @Test func losesNothingAmongManyThreads() throws {
        let queue = BoundedQueue<Int>(limit: 2)
        let sum = Counter()
        let producers = (0..<4).map { first in
            Worker { for number in 0..<250 { _ = queue.put(first * 250 + number) } }
        }
        let consumers = (0..<4).map { _ in
            Worker { while let number = try? queue.take() { sum.add(number) } }
        }
        for producer in producers { producer.join() }
        queue.finish()
        for consumer in consumers { consumer.join() }
        #expect(sum.value == 999 * 1000 / 2)
    }

    @Test func givesWhatWasPutBeforeItsFailure() throws {
        let queue = BoundedQueue<Int>(limit: 4)
        let failure = MediaError(.decoding, step: .decode, reason: "broken")
        _ = queue.put(1)
        queue.finish(failure)
        // Only the first reason counts.
        queue.finish()
        #expect(try queue.take() == 1)
        #expect(throws: failure) { try queue.take() }
    }

    @Test func abandoningWakesBothSides() throws {
        let full = BoundedQueue<Int>(limit: 1)
        _ = full.put(1)
        let wasPut = Counter()
        let producer = Worker { if full.put(2) { wasPut.add() } }
        let empty = BoundedQueue<Int>(limit: 1)
        let cancelled = Counter()
        let consumer = Worker {
            do throws(MediaError) { _ = try empty.take() } catch { if error.kind == .cancelled { cancelled.add() } }
        }
        usleep(10_000)
        let left = Counter()
        full.abandon { left.add($0) }
        empty.abandon()
        producer.join()
        consumer.join()
        #expect(wasPut.value == 0 && left.value == 1 && cancelled.value == 1)
        #expect(full.put(3) == false)
    }

    private final class Counter: Sendable {
        private let sum = Atomic<Int>(0)

        var value: Int { sum.load(ordering: .sequentiallyConsistent) }

        func add(_ number: Int = 1) { sum.add(number, ordering: .sequentiallyConsistent) }
    }
}
