/// The kernel's own count of the processes that it has killed on the whole machine for want of memory, containers' limits
/// included.
package struct MemoryKills {
    private let path: String
    private let before: Int?

    /// Begins to count.
    package init(_ roots: SystemRoots) {
        path = roots.proc + "/vmstat"
        before = Self.count(path)
    }

    private static func count(_ path: String) -> Int? { (try? SystemText(path))?.number(after: "oom_kill ") }

    /// Whether there was one since; nil where the kernel does not tell.
    package var hasBeen: Bool? {
        guard let before, let now = Self.count(path) else { return nil }
        return now > before
    }
}
