internal import Glibc

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
