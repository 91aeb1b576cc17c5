internal import TestSupport
import Testing
import WayreelCore
import WayreelImage

private let screen = PixelSize(width: 480, height: 320)

private struct Layer: CacheableLayer {
    var byteCount: Int
}

@Suite struct LayerCacheTests {
    private let key = LayerKey(overlay: 0, size: screen)

    /// A thread that waits for another one's slow layer stops at its own deadline.
    @Test func aThreadWaitsForAnotherOnesLayerNoLongerThanItMay() throws {
        enum Step { case begun, waiterStopped }
        let cache = LayerCache<Layer>()
        let steps = Monitor<Set<Step>>([])
        let first = Worker { [key] in
            _ = try? cache.layer(key, task: TaskContext()) {
                steps.update { _ = $0.insert(.begun) }
                steps.withLock(when: { $0.contains(.waiterStopped) }) { _ in }
                return Layer(byteCount: 1)
            }
        }
        steps.withLock(when: { $0.contains(.begun) }) { _ in }
        let error = #expect(throws: MediaError.self) {
            try cache.layer(key, task: TaskContext(seconds: 0.02)) { Layer(byteCount: 2) }
        }
        #expect(error?.kind == .limit)
        steps.update { _ = $0.insert(.waiterStopped) }
        first.join()
        // The finished layer is available to later callers.
        #expect(try cache.layer(key, task: TaskContext()) { Layer(byteCount: 3) }.byteCount == 1)
    }

    @Test func leavesOutLayersThatWouldEvictMostOthers() throws {
        let cache = LayerCache<Layer>(limit: 100)
        let task = TaskContext()
        _ = try cache.layer(key, task: task) { Layer(byteCount: 51) }
        #expect(try cache.layer(key, task: task) { Layer(byteCount: 50) }.byteCount == 50)
        #expect(try cache.layer(key, task: task) { Layer(byteCount: 49) }.byteCount == 50)
    }

    @Test func evictsTheLeastRecentlyUsedLayers() throws {
        let cache = LayerCache<Layer>(limit: 100)
        let task = TaskContext()
        func size(_ overlay: Int, ifNew bytes: Int) throws -> Int {
            let key = LayerKey(overlay: overlay, size: screen)
            return try cache.layer(key, task: task) { Layer(byteCount: bytes) }.byteCount
        }
        _ = try (size(1, ifNew: 40), size(2, ifNew: 40), size(1, ifNew: 0), size(3, ifNew: 40))
        #expect(try size(1, ifNew: 1) == 40)
        #expect(try size(3, ifNew: 1) == 40)
        #expect(try size(2, ifNew: 1) == 1)
    }

    /// After a failure the next caller creates the layer.
    @Test func aFailureIsNotKept() throws {
        let cache = LayerCache<Layer>()
        #expect(throws: MediaError.self) {
            try cache.layer(key, task: TaskContext()) { () throws(MediaError) in
                throw MediaError(.io, step: .read, subject: "a.png", reason: "not in this test")
            }
        }
        #expect(try cache.layer(key, task: TaskContext()) { Layer(byteCount: 4) }.byteCount == 4)
    }
}
