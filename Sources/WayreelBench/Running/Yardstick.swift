internal import WayreelCore

/// A fixed piece of work. What it takes tells how fast the machine is at the moment: a report and its baseline are made at
/// different times, and a virtual machine's neighbours come and go.
enum Yardstick {
    /// Some milliseconds of mixing numbers, in a table that stays in the cache.
    static func measure() -> BenchRun.Yardstick {
        let (wall, cpu) = (Clock.wall, Clock.thread)
        var table = [UInt64](repeating: 1, count: 4096)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for step in 0..<6_000_000 {
            state = (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(step)
            table[Int(state >> 52)] &+= state
        }
        // Looked at, so that the work is not left out.
        let isDone = table.contains { $0 != 1 }
        return BenchRun.Yardstick(
            wallMilliseconds: Clock.milliseconds(Clock.wall - wall),
            cpuMilliseconds: isDone ? Clock.milliseconds(Clock.thread - cpu) : 0)
    }
}
