internal import Glibc
internal import WayreelCore
internal import WayreelKernels

/// The throughput, in bytes of samples per second from the second-level cache, of the kernels that compute extremes and
/// energy, compared with the min work on the samples.
enum KernelSpeed {
    private static let byteCount = 256 << 10
    private static let passes = 64
    private static let rounds = 100

    /// Returns gigabytes (10⁹ bytes) per second, by name.
    static func measure() -> [(name: String, speed: Double)] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * byteCount, alignment: 64)
        defer { memory.deallocate() }
        let (source, target) = (memory.baseAddress!, memory.baseAddress! + byteCount)
        let samples16 = source.bindMemory(to: Int16.self, capacity: byteCount / 2)
        for index in 0..<byteCount / 2 { samples16[index] = Int16(truncatingIfNeeded: index &* 40_503) }
        var integers = wr_integer_levels()
        wr_begin_integer_levels(&integers)
        let copy = speed { memcpy(target, source, byteCount) }
        let int16 = speed { wr_levels_s16(samples16, byteCount / 2, &integers) }
        let longs = source.bindMemory(to: Int32.self, capacity: byteCount / 4)
        let int32 = speed { wr_levels_s32(longs, byteCount / 4, &integers) }
        let floats = source.bindMemory(to: Float.self, capacity: byteCount / 4)
        for index in 0..<byteCount / 4 { floats[index] = sin(Float(index)) }
        var sums = wr_float_levels()
        wr_begin_float_levels(&sums)
        let float32 = speed { wr_levels_f32(floats, byteCount / 4, &sums) }
        return [("memcpy", copy), ("int16", int16), ("int32", int32), ("float32", float32)]
    }

    /// Returns the speed of the fastest of all rounds: slower rounds are caused by other activity on the machine.
    private static func speed(_ pass: () -> Void) -> Double {
        let fastest = (0..<rounds).map { _ in
            let start = Clock.wall
            for _ in 0..<passes { pass() }
            return Clock.wall - start
        }.min()!
        return Double(byteCount * passes) / fastest / 1e9
    }
}
