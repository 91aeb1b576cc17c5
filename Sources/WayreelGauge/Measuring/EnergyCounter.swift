internal import Glibc
internal import WayreelCore

/// The energy that the machine's processors take, from the counters of Linux's powercap (RAPL); see
/// <https://docs.kernel.org/power/powercap/powercap.html>. What else runs on them counts as well.
package struct EnergyCounter {
    private struct Domain {
        var folder: String
        /// Where the counter starts again from 0, in microjoules.
        var range: Int
        var last: Int
        var sum: Double = 0
    }

    private var domains: [Domain] = []
    private var lastRead = Clock.wall
    /// Why there is nothing to read.
    package private(set) var lack: String?

    /// Begins to count. A package's domain holds those of its cores; that of its memory is counted beside it.
    package init(_ roots: SystemRoots) {
        let folder = "\(roots.sys)/class/powercap"
        guard let entries = opendir(folder) else {
            lack = "\(folder): \(systemReason(errno))"
            return
        }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        for name in names.sorted() where name.hasPrefix("intel-rapl:") {
            do throws(SystemFault) {
                let kind = try SystemText("\(folder)/\(name)/name").line
                guard kind.hasPrefix("package") || kind == "dram" else { continue }
                var domain = Domain(folder: "\(folder)/\(name)", range: 0, last: 0)
                domain.range = try Self.number(domain.folder + "/max_energy_range_uj")
                domain.last = try Self.number(domain.folder + "/energy_uj")
                domains.append(domain)
            } catch { lack = error.description }
        }
        if domains.isEmpty {
            if lack == nil { lack = "\(folder) has no counter of a processor's energy" }
        } else {
            lack = nil
        }
    }

    private static func number(_ path: String) throws(SystemFault) -> Int {
        guard let number = SystemText.number(try SystemText(path).bytes[...]) else {
            throw SystemFault(path, "holds no number")
        }
        return number
    }

    /// Reads the counters often enough that none comes round twice: at 1000 W one does after minutes.
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
            } catch { lack = error.description }
        }
    }

    /// Since the beginning; nil where it is not known.
    package mutating func joules() -> Double? {
        read()
        return lack == nil ? domains.reduce(0) { $0 + $1.sum } / 1e6 : nil
    }
}
