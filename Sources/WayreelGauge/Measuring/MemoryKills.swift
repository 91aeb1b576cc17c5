/// The kernel's count of processes killed for lack of memory on the whole machine, including by container limits.
package struct MemoryKills {
    private let path: String
    private let before: Int?

    /// Starts counting.
    package init(_ roots: SystemRoots) {
        path = roots.proc + "/vmstat"
        before = Self.count(path)
    }

    private static func count(_ path: String) -> Int? { (try? SystemText(path))?.number(after: "oom_kill ") }

    /// Whether there was an OOM kill since the start; nil if unavailable.
    package var hasOOMKill: Bool? {
        guard let before, let now = Self.count(path) else { return nil }
        return now > before
    }
}
