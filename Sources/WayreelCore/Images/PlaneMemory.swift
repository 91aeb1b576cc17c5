internal import Glibc
internal import Synchronization

/// Allocates image memory with mmap, so that freed memory returns to the system and a long-running process does not
/// fragment its heap.
///
/// Keeps the last few blocks for images of the same size, which avoids page faults in a batch.
package enum PlaneMemory {
    private static let pageBytes = 4096
    private static let maxBlocksKept = 8
    private static let maxBytesKept = 64 << 20

    private struct Block: @unchecked Sendable {
        var base: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private static let kept = Mutex<[Block]>([])

    /// Returns page-aligned, uninitialised memory, or nil if memory is exhausted.
    package static func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let size = pages(byteCount)
        let old = kept.withLock { blocks in
            blocks.lastIndex { $0.byteCount == size }.map { blocks.remove(at: $0) }
        }
        if let old { return old.base }
        // All of it will be written. Mapping its pages at once takes less than half the time of a fault for each.
        let mapsPages = size <= maxBytesKept ? MAP_POPULATE : 0
        let new = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | mapsPages, -1, 0)
        return new == MAP_FAILED ? nil : new
    }

    /// Releases memory from ``take(_:)`` with the same byte count.
    package static func give(_ base: UnsafeMutableRawPointer, _ byteCount: Int) {
        let block = Block(base: base, byteCount: pages(byteCount))
        let dropped = kept.withLock { blocks in
            blocks.append(block)
            var dropped: [Block] = []
            while blocks.count > maxBlocksKept || blocks.reduce(0, { $0 + $1.byteCount }) > maxBytesKept {
                dropped.append(blocks.removeFirst())
            }
            return dropped
        }
        for block in dropped { munmap(block.base, block.byteCount) }
    }

    private static func pages(_ byteCount: Int) -> Int { (byteCount + pageBytes - 1) / pageBytes * pageBytes }
}

/// Memory on a 64-byte boundary, freed with its owner.
package final class AlignedMemory {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int

    /// Allocates `byteCount` bytes of undefined content.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package init(uninitialized byteCount: Int, step: MediaError.Step) throws(MediaError) {
        guard byteCount >= 0, byteCount <= Int.max - 64,
            let memory = aligned_alloc(64, (max(byteCount, 1) + 63) / 64 * 64)
        else {
            throw MediaError(
                .limit, step: step, reason: "no memory for \(byteCount) bytes", advice: "run fewer at once")
        }
        base = memory
        self.byteCount = byteCount
    }

    /// Allocates `byteCount` zero bytes.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package convenience init(zeroed byteCount: Int, step: MediaError.Step) throws(MediaError) {
        try self.init(uninitialized: byteCount, step: step)
        memset(base, 0, byteCount)
    }

    /// Allocates memory for `count` values of undefined content.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package convenience init<Value: BitwiseCopyable>(
        _ type: Value.Type, count: Int, step: MediaError.Step
    ) throws(MediaError) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try self.init(uninitialized: overflow ? -1 : bytes, step: step)
    }

    deinit { free(base) }

    /// Returns the memory as values of one type.
    package func pointer<Value: BitwiseCopyable>(to type: Value.Type) -> UnsafeMutablePointer<Value> {
        base.assumingMemoryBound(to: type)
    }
}
