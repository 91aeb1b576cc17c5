internal import Glibc
internal import WayreelCore

/// Fixed work that measures the current speed of the machine: a report and its baseline are made at different times,
/// and neighbours of a virtual machine change.
enum Calibration {
    static func measure() -> BenchRun.Calibration {
        BenchRun.Calibration(computing: time(compute), faulting: time(touchPages))
    }

    private static func time(_ work: () -> Void) -> BenchRun.Calibration.Times {
        let (wall, cpu) = (Clock.wall, Clock.thread)
        work()
        return BenchRun.Calibration.Times(
            wallMilliseconds: Clock.milliseconds(Clock.wall - wall),
            cpuMilliseconds: Clock.milliseconds(Clock.thread - cpu))
    }

    /// Some milliseconds of integer arithmetic on a table in the cache.
    private static func compute() {
        var table = [UInt64](repeating: 1, count: 4096)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for step in 0..<6_000_000 {
            state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(step)
            table[Int(state >> 52)] &+= state
        }
        // Uses the result, so that the work is not optimised away.
        precondition(table.contains { $0 != 1 })
    }

    /// The same duration of page faults.
    private static func touchPages() {
        let (count, page) = (32 << 20, 4096)
        let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        for offset in stride(from: 0, to: count, by: page) {
            memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
        munmap(memory, count)
    }
}
