internal import Testing
internal import WayreelCore
internal import WayreelVideo

/// A stage goes to another thread, and its result comes back.
@Suite struct StageHandoverTests {
    /// A stage that is not sendable.
    private final class Counter {
        var count = 0
    }

    @Test func theResultIsAwaited() throws {
        let counter = Counter()
        counter.count = 40
        let handover = StageHandover<Counter, Int>(counter)
        let thread = try WorkThread("count") {
            try? handover.run { (counter) throws(MediaError) in
                counter.count += 2
                return counter.count
            }
        }
        #expect(try handover.result() == 42)
        thread.join()
        #expect(try handover.result() == 42)
    }

    @Test func anErrorIsThrownOnBothSides() throws {
        let handover = StageHandover<Counter, Int>(Counter())
        let thread = try WorkThread("fail") {
            let error = #expect(throws: MediaError.self) {
                try handover.run { (_) throws(MediaError) in
                    throw MediaError(.decoding, step: .decode, reason: "none")
                }
            }
            #expect(error?.reason == "none")
        }
        thread.join()
        #expect(#expect(throws: MediaError.self) { try handover.result() }?.reason == "none")
    }
}
