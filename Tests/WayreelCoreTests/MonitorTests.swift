import Synchronization
import TestSupport
import Testing
import WayreelCore

@Suite struct MonitorTests {
    /// Each of several threads waits for its turn. The turns are in order only if every change wakes the next thread.
    @Test func threadsTakeTurns() {
        let turns = Monitor([Int]())
        let workers = (0..<4).map { number in
            Worker {
                for round in 0..<200 {
                    turns.update(when: { $0.count == 4 * round + number }) { $0.append(number) }
                }
            }
        }
        for worker in workers { worker.join() }
        #expect(turns.withLock { $0 } == (0..<800).map { $0 % 4 })
    }

    @Test func wakesOneThreadForEachElement() {
        let elements = Monitor((waiting: 0, taken: 0))
        let workers = (0..<8).map { _ in
            Worker {
                elements.withLock(when: { $0.waiting > 0 }) { state in
                    state.waiting -= 1
                    state.taken += 1
                }
            }
        }
        for _ in workers {
            elements.withLock { $0.waiting += 1 }
            elements.wakeOne()
        }
        for worker in workers { worker.join() }
        #expect(elements.withLock { $0.taken } == 8)
    }

    /// The body also runs at the deadline, with a false condition.
    @Test(arguments: [false, true]) func waitsUntilADeadline(inheritsPriority: Bool) {
        let isSet = Monitor(false, inheritsPriority: inheritsPriority)
        let start = Clock.wall
        let result = isSet.withLock(when: { $0 }, until: start + 0.05) { $0 }
        #expect(!result && Clock.wall - start >= 0.05)
        isSet.update { $0 = true }
        #expect(isSet.withLock(when: { $0 }, until: start) { $0 })
    }

    /// A thrown error releases the lock and wakes the others.
    @Test func errorsReleaseTheLock() {
        let state = Monitor(0)
        let waiting = Worker { state.withLock(when: { $0 == 1 }) { $0 = 2 } }
        let error = #expect(throws: MediaError.self) {
            try state.update { (value) throws(MediaError) in
                value = 1
                throw MediaError(.cancelled, step: .decode, reason: "cancelled")
            }
        }
        waiting.join()
        #expect(error?.kind == .cancelled && state.withLock { $0 } == 2)
    }
}
