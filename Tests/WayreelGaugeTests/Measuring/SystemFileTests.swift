import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore

/// The kernel's files, imitated in a test folder.
@Suite struct SystemFileTests {
    static func write(_ text: String, _ path: String) throws {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
        try OutputFile.write(Array(text.utf8), to: path)
    }

    @Test func readsAStatusWhoseNameHoldsAnything() throws {
        try Fixture.withFolder { folder in
            let line =
                "42 (a) R (b) S 7 42 42 0 -1 4194560 100 200 0 0 31 11 5 6 20 0 3 0 4425827 16384000 1250 "
                + "18446744073709551615 1 1"
            try Self.write(line, "\(folder)/stat")
            let status = try ProcessStatus("\(folder)/stat")
            #expect(status.name == "a) R (b")
            #expect(status.parent == 7 && status.ticks == 42 && status.childTicks == 11)
            #expect(status.threads == 3 && status.startTicks == 4_425_827 && status.residentPages == 1250)
        }
    }

    @Test(arguments: [
        "", "42", "42 (a", "42 (a) S 7", ")(",
        "1 (a) S 7 42 42 0 -1 4 100 200 0 0 9223372036854775807 1 5 6 20 0 3 0 1 1 1 1",
        "1 (a) S 7 42 42 0 -1 4 100 200 0 0 99999999999999999999 1 5 6 20 0 3 0 1 1 1 1",
    ])
    func rejectsWhatIsNoStatus(_ line: String) throws {
        try Fixture.withFolder { folder in
            try Self.write(line, "\(folder)/stat")
            #expect(throws: SystemFault.self) { try ProcessStatus("\(folder)/stat") }
        }
    }

    @Test func findsNumbersByName() throws {
        try Fixture.withFolder { folder in
            let filling = String(repeating: "filling 1\n", count: 3000)
            let numbers = "rchar: 12\nchar: 13\nlarge: 99999999999999999999\nnone: x\n"
            try Self.write("\(numbers)\(filling)last:\t  14 kB", "\(folder)/io")
            let text = try SystemText("\(folder)/io")
            #expect(text.number(after: "char:") == 13)
            #expect(text.number(after: "rchar:") == 12)
            #expect(text.number(after: "last:") == 14)
            #expect(text.number(after: "large:") == nil)
            #expect(text.number(after: "none:") == nil)
            #expect(text.number(after: "missing:") == nil)
        }
    }

    @Test func countsEnergyAcrossTheEndOfACounter() throws {
        try Fixture.withFolder { folder in
            let rapl = "\(folder)/class/powercap/intel-rapl:"
            // Of these, the cores are included in the package, and the platform includes everything.
            for (zone, name) in [("0", "package-0"), ("0:0", "core"), ("0:1", "dram"), ("1", "psys")] {
                try Self.write(name + "\n", rapl + zone + "/name")
                try Self.write("1000000000\n", rapl + zone + "/max_energy_range_uj")
                try Self.write("999000000\n", rapl + zone + "/energy_uj")
            }
            var counter = EnergyCounter(SystemRoots(sys: folder))
            #expect(counter.joules() == 0)
            try Self.write("2000000\n", rapl + "0/energy_uj")
            try Self.write("999500000\n", rapl + "0:1/energy_uj")
            #expect(counter.joules() == 3.5)
            try Self.write("4000000\n", rapl + "0/energy_uj")
            #expect(counter.joules() == 5.5)
            unlink(rapl + "0/energy_uj")
            #expect(counter.joules() == nil)
            #expect(counter.unavailableReason == "\(rapl)0/energy_uj: no such file or directory")
        }
    }

    @Test func saysWhyThereIsNoGroup() throws {
        try Fixture.withFolder { folder in
            let roots = SystemRoots(proc: folder, sys: folder)
            let mount = "\(folder)/fs/cgroup"
            func reason() -> String? {
                do throws(SystemFault) {
                    _ = try ControlGroup(roots)
                    return nil
                } catch { return error.description }
            }
            #expect(reason() == "\(mount)/cgroup.controllers: no such file or directory")
            try Self.write("cpu memory\n", "\(mount)/cgroup.controllers")
            try Self.write("4:memory:/old\n", "\(folder)/self/cgroup")
            #expect(reason() == "\(folder)/self/cgroup: contains no cgroup v2")
            try Self.write("4:memory:/old\n0::/mine/own\n", "\(folder)/self/cgroup")
            try Self.write("cpu\n", "\(mount)/mine/cgroup.subtree_control")
            try Self.write("cpu memory\n", "\(mount)/mine/own/cgroup.subtree_control")
            // A folder on a disk has no memory.peak; the created group is removed.
            #expect(try #require(reason()).hasSuffix("/memory.peak: no such file or directory"))
            #expect(Fixture.listing("\(mount)/mine/own") == ["cgroup.subtree_control"])
            try Self.write("cpu\n", "\(mount)/mine/own/cgroup.subtree_control")
            #expect(reason() == "\(mount)/mine/own: memory is not counted in its groups")
        }
    }
}
