internal import Glibc
internal import Synchronization
internal import WayreelCore

/// A control group (cgroup v2) for one run, in which the kernel counts the memory of all its processes, including page
/// cache. Removed with this object.
package final class ControlGroup {
    private let folder: String
    /// This process's group, which takes remaining processes.
    private let originalGroup: String
    /// Descriptor of `cgroup.procs`.
    let processesFile: Descriptor

    private static let count = Atomic<Int>(0)

    /// Creates a group beside or in this process's group, where the kernel counts memory.
    ///
    /// Throws a reason if that is impossible: no permission, or another version of control groups.
    package init(_ roots: SystemRoots) throws(SystemFault) {
        let mount = "\(roots.sys)/fs/cgroup"
        _ = try SystemText(mount + "/cgroup.controllers")
        let path = "\(roots.proc)/self/cgroup"
        guard let line = try SystemText(path).lines.first(where: { $0.hasPrefix("0::/") }) else {
            throw SystemFault(path, "contains no cgroup v2")
        }
        let own = line.dropFirst("0::".count)
        originalGroup = mount + (own == "/" ? "" : own)
        let above = String(originalGroup[..<(originalGroup.lastIndex(of: "/") ?? originalGroup.endIndex)])
        let parents = own == "/" ? [originalGroup] : [above, originalGroup]
        var fault = SystemFault(originalGroup, "no control group can be created")
        for parent in parents {
            do throws(SystemFault) {
                (folder, processesFile) = try Self.make(in: parent)
                return
            } catch { fault = error }
        }
        throw fault
    }

    private static func make(in parent: String) throws(SystemFault) -> (String, Descriptor) {
        let controllers = try SystemText(parent + "/cgroup.subtree_control")
        guard controllers.line.split(separator: " ").contains("memory") else {
            throw SystemFault(parent, "memory is not counted in its groups")
        }
        let number = count.add(1, ordering: .relaxed).newValue
        let folder = "\(parent)/wayreel-\(getpid())-\(number)"
        guard mkdir(folder, 0o755) == 0 else { throw SystemFault(folder, code: errno) }
        do throws(SystemFault) {
            // Since Linux 5.19.
            _ = try SystemText(folder + "/memory.peak")
            guard let processesFile = Descriptor.open(folder + "/cgroup.procs", O_WRONLY) else {
                throw SystemFault(folder + "/cgroup.procs", code: errno)
            }
            return (folder, processesFile)
        } catch {
            rmdir(folder)
            throw error
        }
    }

    /// Peak memory in bytes.
    package func peakBytes() throws(SystemFault) -> Int {
        let path = folder + "/memory.peak"
        guard let bytes = SystemText.number(try SystemText(path).bytes[...]) else {
            throw SystemFault(path, "contains no number")
        }
        return bytes
    }

    /// Number of its processes killed for lack of memory; nil if unavailable.
    var memoryKills: Int? { (try? SystemText(folder + "/memory.events"))?.number(after: "oom_kill ") }

    deinit {
        processesFile.close()
        // Background processes of the program return to the original group.
        for process in (try? SystemText(folder + "/cgroup.procs"))?.lines ?? [] {
            guard let file = Descriptor.open(originalGroup + "/cgroup.procs", O_WRONLY) else { break }
            _ = file.withNumber { file in
                Array(process.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            }
        }
        rmdir(folder)
    }
}

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
