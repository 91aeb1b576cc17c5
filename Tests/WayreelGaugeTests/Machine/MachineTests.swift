import TestSupport
import Testing
import WayreelBench

@Suite struct MachineTests {
    @Test func describesThisMachine() throws {
        let machine = Machine.describe(libraries: ["libx264": "164"])
        #expect(machine.availableCores >= 1 && machine.onlineCores >= 1 && !machine.processor.isEmpty)
        #expect(machine.kernel.hasPrefix("Linux "))
        let release = try Programs.text("/proc/sys/kernel/osrelease")
        #expect("Linux \(release)" == machine.kernel + "\n")
        #expect(machine.description.hasSuffix(", libx264 164"))
        #expect(try JSON.decode(Machine.self, JSON.encode(machine)) == machine)
    }

    @Test func readsWhatTheKernelAndTheSystemTell() throws {
        try Fixture.withFolder { folder in
            let roots = SystemRoots(proc: "\(folder)/proc", sys: "\(folder)/sys", rest: folder)
            for (path, text) in [
                ("proc/cpuinfo", "processor\t: 0\nmodel name\t: A: Chip  \nflags\t\t: fpu hypervisor sse\n"),
                ("proc/meminfo", "MemTotal:       24000000 kB\nMemFree: 1 kB\n"),
                ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
                ("sys/class/dmi/id/sys_vendor", "Some Cloud\n"),
                ("etc/os-release", "NAME=\"Some\"\nPRETTY_NAME=\"Some Linux 12 (nice)\"\n"),
                ("run/systemd/container", "podman\n"),
            ] { try SystemFileTests.write(text, "\(folder)/\(path)") }
            let machine = Machine.describe(libraries: [:], roots)
            #expect(machine.processor == "A: Chip" && machine.governor == "performance")
            #expect(machine.memoryBytes == 24_576_000_000 && machine.system == "Some Linux 12 (nice)")
            #expect(machine.virtualization == ["virtual machine (Some Cloud)", "container (podman)"])
        }
    }

    @Test func worksWithoutKernelFiles() {
        let machine = Machine.describe(libraries: [:], SystemRoots(proc: "/none", sys: "/none", rest: "/none"))
        #expect(machine.governor == nil && machine.memoryBytes == nil && machine.virtualization == [])
        #expect(machine.description.contains("governor not available, memory not available"))
    }
}
