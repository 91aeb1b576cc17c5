import Glibc
import Synchronization
import Testing
import WayreelCore

@Suite struct WorkCrewTests {
    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)

        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

        func set() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    @Test func gathersMessagesOfAllThreads() throws {
        let crew = ThreadGroup<Int>(stopAll: {})
        for first in 0..<4 {
            crew.start("worker") { (tell) throws(MediaError) in
                for number in 0..<100 { tell(first * 100 + number) }
            }
        }
        var sum = 0
        try crew.wait { sum += $0 }
        #expect(sum == 399 * 400 / 2)
    }

    /// What comes after the first failure is only its consequence.
    @Test func throwsTheFirstFailureAndStopsTheOthers() {
        let stop = Flag()
        let crew = ThreadGroup<Int>(stopAll: { stop.set() })
        crew.start("waiting") { (_) throws(MediaError) in
            while !stop.isSet { usleep(1000) }
            throw MediaError(.cancelled, step: "work", reason: "cancelled")
        }
        crew.start("failing") { (_) throws(MediaError) in
            throw MediaError(.decoding, step: "decode", reason: "broken")
        }
        let error = #expect(throws: MediaError.self) { try crew.wait { _ in } }
        #expect(error?.reason == "broken" && stop.isSet)
    }
}
