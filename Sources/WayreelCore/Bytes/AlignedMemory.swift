internal import Glibc

/// Memory on a 64-byte boundary, freed with its owner.
package final class AlignedMemory {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int

    /// Allocates `byteCount` bytes of undefined content.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package init(uninitialized byteCount: Int, step: String) throws(MediaError) {
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
    package convenience init(zeroed byteCount: Int, step: String) throws(MediaError) {
        try self.init(uninitialized: byteCount, step: step)
        memset(base, 0, byteCount)
    }

    /// Allocates memory for `count` values of undefined content.
    ///
    /// Throws a `limit` error if memory is exhausted.
    package convenience init<Value: BitwiseCopyable>(
        _ type: Value.Type, count: Int, step: String
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
