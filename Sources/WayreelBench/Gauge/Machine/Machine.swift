internal import CLinux
internal import Glibc
internal import WayreelCore

/// The machine of a measurement.
public struct Machine: Hashable, Sendable, Codable, CustomStringConvertible {
    /// CPU model, or the architecture if the kernel does not report the model.
    public var processor: String
    /// Cores available to this process.
    public var availableCores: Int
    /// Online cores.
    public var onlineCores: Int
    /// CPU frequency governors, such as `performance`; nil if unavailable.
    public var governor: String?
    /// In bytes.
    public var memoryBytes: Int?
    /// `Linux 6.12.1`.
    public var kernel: String
    /// `Debian GNU/Linux 12 (bookworm)`.
    public var system: String?
    /// Signs of a virtual machine or container around this process.
    public var virtualization: [String]
    /// Library versions by name.
    public var libraries: [String: String]

    /// Describes this machine. `libraries`: versions by name, from the caller.
    public static func describe(libraries: [String: String] = [:]) -> Machine {
        describe(libraries: libraries, SystemRoots())
    }

    package static func describe(libraries: [String: String], _ roots: SystemRoots) -> Machine {
        let processor = try? SystemText("\(roots.proc)/cpuinfo")
        let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var names = utsname()
        uname(&names)
        return Machine(
            processor: model(processor) ?? text(&names.machine), availableCores: Int(wr_available_cores()),
            onlineCores: online, governor: governor(online, roots), memoryBytes: memory(roots),
            kernel: "\(text(&names.sysname)) \(text(&names.release))", system: system(roots),
            virtualization: Virtualization.signs(processor, roots), libraries: libraries)
    }

    private static func text<Buffer>(_ buffer: inout Buffer) -> String {
        withUnsafeBytes(of: &buffer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The model on x86 and most other architectures; ARM only reports numbers.
    private static func model(_ text: SystemText?) -> String? {
        for key in ["model name", "Model", "cpu model", "cpu"] {
            if let value = text?.value(of: key, separator: ":"), !value.isEmpty { return value }
        }
        return nil
    }

    private static func governor(_ cores: Int, _ roots: SystemRoots) -> String? {
        let governors = (0..<cores).compactMap { core in
            try? SystemText("\(roots.sys)/devices/system/cpu/cpu\(core)/cpufreq/scaling_governor").line
        }
        return governors.isEmpty ? nil : Set(governors).sorted().joined(separator: ", ")
    }

    private static func memory(_ roots: SystemRoots) -> Int? {
        let text = try? SystemText("\(roots.proc)/meminfo")
        guard let kibibytes = text?.number(after: "MemTotal:") else { return nil }
        let (bytes, isTooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
        return isTooLarge ? nil : bytes
    }

    private static func system(_ roots: SystemRoots) -> String? {
        let text = try? SystemText("\(roots.rest)/etc/os-release")
        guard let value = text?.value(of: "PRETTY_NAME", separator: "=") else { return nil }
        let isQuoted = value.count > 1 && value.first == "\"" && value.last == "\""
        return isQuoted ? String(value.dropFirst().dropLast()) : value
    }

    /// `Intel(R) Xeon(R), 2 of 4 cores, governor not available, 24.6 GB, Linux 6.12.1, Debian GNU/Linux 12, virtual
    /// machine`.
    public var description: String {
        let memory = memoryBytes.map { "\((Double($0) / 1e9).formatted(1)) GB" } ?? "memory not available"
        let parts = [
            processor, "\(availableCores) of \(onlineCores) cores", "governor \(governor ?? "not available")", memory,
            kernel,
            system ?? "system not available",
        ]
        let versions = libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return (parts + virtualization + versions).joined(separator: ", ").onOneLine
    }
}

extension SystemText {
    /// The value after `key` and the separator, trimmed, if the line starts with the key.
    fileprivate func value(of key: String, separator: Character) -> String? {
        for line in lines {
            let parts = line.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].trimmed() == key else { continue }
            return parts[1].trimmed()
        }
        return nil
    }
}

/// Detects a virtual machine or container. Only a hint: neither is always visible.
enum Virtualization {
    static func signs(_ processor: SystemText?, _ roots: SystemRoots) -> [String] {
        [virtualMachine(processor, roots), container(roots)].compactMap(\.self)
    }

    private static func virtualMachine(_ processor: SystemText?, _ roots: SystemRoots) -> String? {
        let flags = processor?.lines.first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        let hypervisor = try? SystemText("\(roots.sys)/hypervisor/type").line
        guard flags?.split(separator: " ").contains("hypervisor") == true || hypervisor != nil else { return nil }
        // The firmware of a virtual machine usually names its vendor.
        let vendor = (try? SystemText("\(roots.sys)/class/dmi/id/sys_vendor"))?.line
        return "virtual machine" + ((hypervisor ?? vendor).map { " (\($0))" } ?? "")
    }

    /// Marker files of container runtimes.
    private static let marks = [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")]

    private static func container(_ roots: SystemRoots) -> String? {
        if let name = (try? SystemText("\(roots.rest)/run/systemd/container"))?.line { return "container (\(name))" }
        if let mark = marks.first(where: { access(roots.rest + $0.0, F_OK) == 0 }) { return "container (\(mark.1))" }
        return nil
    }
}
