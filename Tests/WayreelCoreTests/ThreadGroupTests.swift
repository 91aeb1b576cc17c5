import Glibc
import Synchronization
import Testing
import WayreelCore

@Suite struct ThreadGroupTests {
    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)

        var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

        func set() { value.store(true, ordering: .sequentiallyConsistent) }
    }

    @Test func gathersMessagesOfAllThreads() throws {
        let group = ThreadGroup<Int>(stopAll: {})
        for first in 0..<4 {
            group.start("worker") { (report) throws(MediaError) in
                for number in 0..<100 { report(first * 100 + number) }
            }
        }
        var sum = 0
        try group.wait { sum += $0 }
        #expect(sum == 399 * 400 / 2)
    }

    /// Errors after the first failure are only its consequences.
    @Test func throwsTheFirstFailureAndStopsTheOthers() {
        let stop = Flag()
        let group = ThreadGroup<Int>(stopAll: { stop.set() })
        group.start("waiting") { (_) throws(MediaError) in
            while !stop.isSet { usleep(1000) }
            throw MediaError(.cancelled, step: .work, reason: "cancelled")
        }
        group.start("failing") { (_) throws(MediaError) in
            throw MediaError(.decoding, step: .decode, reason: "broken")
        }
        let error = #expect(throws: MediaError.self) { try group.wait { _ in } }
        #expect(error?.reason == "broken" && stop.isSet)
    }
}
