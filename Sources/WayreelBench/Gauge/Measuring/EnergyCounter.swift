internal import Glibc
internal import WayreelCore

/// Energy consumption of the machine's processors from Linux's powercap counters (RAPL); see
/// <https://docs.kernel.org/power/powercap/powercap.html>. Includes other processes.
package struct EnergyCounter {
    private struct Domain {
        var folder: String
        /// Wrap-around value of the counter in microjoules.
        var range: Int
        var last: Int
        var sum: Double = 0
    }

    private var domains: [Domain] = []
    private var lastRead = Clock.wall
    /// Reason why no counter is readable.
    package private(set) var unavailableReason: String?

    /// Starts counting. A package domain includes its cores; memory domains are added.
    package init(_ roots: SystemRoots) {
        let folder = "\(roots.sys)/class/powercap"
        var names: [String] = []
        do throws(SystemFault) { try forEachEntry(of: folder) { names.append(String(cString: $0)) } } catch {
            unavailableReason = error.description
            return
        }
        for name in names.sorted() where name.hasPrefix("intel-rapl:") {
            do throws(SystemFault) {
                let kind = try SystemText("\(folder)/\(name)/name").line
                guard kind.hasPrefix("package") || kind == "dram" else { continue }
                var domain = Domain(folder: "\(folder)/\(name)", range: 0, last: 0)
                domain.range = try Self.number(domain.folder + "/max_energy_range_uj")
                domain.last = try Self.number(domain.folder + "/energy_uj")
                domains.append(domain)
            } catch { unavailableReason = error.description }
        }
        if domains.isEmpty {
            if unavailableReason == nil { unavailableReason = "\(folder) has no counter of a processor's energy" }
        } else {
            unavailableReason = nil
        }
    }

    private static func number(_ path: String) throws(SystemFault) -> Int {
        guard let number = SystemText.number(try SystemText(path).bytes[...]) else {
            throw SystemFault(path, "holds no number")
        }
        return number
    }

    /// Reads the counters often enough to detect wrap-around, which takes minutes at 1000 W.
    package mutating func keepUp() {
        if !domains.isEmpty, Clock.wall - lastRead > 10 { read() }
    }

    private mutating func read() {
        lastRead = Clock.wall
        for index in domains.indices {
            do throws(SystemFault) {
                let now = try Self.number(domains[index].folder + "/energy_uj")
                let last = domains[index].last
                domains[index].sum += Double(now) - Double(last) + (now < last ? Double(domains[index].range) : 0)
                domains[index].last = now
            } catch { unavailableReason = error.description }
        }
    }

    /// Energy since the start; nil if unavailable.
    package mutating func joules() -> Double? {
        read()
        return unavailableReason == nil ? domains.reduce(0) { $0 + $1.sum } / 1e6 : nil
    }
}
