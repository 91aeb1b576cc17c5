internal import Glibc
internal import Synchronization

/// Where pictures get their memory: pages of the system's own, which go back to it, so that a long-running process does not
/// grow by fragmentation.
///
/// The last few blocks are kept for the next pictures of the same size, which spares a batch the faults of touching new pages.
enum PlaneMemory {
    private static let pageBytes = 4096
    private static let mostKept = 4
    private static let mostBytesKept = 64 << 20

    private struct Block: @unchecked Sendable {
        var base: UnsafeMutableRawPointer
        var byteCount: Int
    }

    private static let kept = Mutex<[Block]>([])

    /// Memory of undefined content on a page's boundary; nil where there is none.
    static func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let size = pages(byteCount)
        let old = kept.withLock { blocks in
            blocks.lastIndex { $0.byteCount == size }.map { blocks.remove(at: $0) }
        }
        if let old { return old.base }
        let new = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return new == MAP_FAILED ? nil : new
    }

    /// Takes back what `take` handed out for the same count.
    static func give(_ base: UnsafeMutableRawPointer, _ byteCount: Int) {
        let block = Block(base: base, byteCount: pages(byteCount))
        let dropped = kept.withLock { blocks in
            blocks.append(block)
            var dropped: [Block] = []
            while blocks.count > mostKept || blocks.reduce(0, { $0 + $1.byteCount }) > mostBytesKept {
                dropped.append(blocks.removeFirst())
            }
            return dropped
        }
        for block in dropped { munmap(block.base, block.byteCount) }
    }

    private static func pages(_ byteCount: Int) -> Int { (byteCount + pageBytes - 1) / pageBytes * pageBytes }
}
