import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore

@Suite struct GaugeProgramTests {
    @Test func tellsTheExitStatus() throws {
        #expect(try Programs.measure(["true"]).outcome == .exited(status: 0))
        #expect(try Programs.measure(Programs.shell("exit 7")).outcome == .exited(status: 7))
    }

    @Test func measuresWallAndCPUTimeApart() throws {
        let sleeping = try Programs.measure(["sleep", "0.5"])
        #expect(sleeping.wallMilliseconds >= 500)
        #expect(sleeping.cpuMilliseconds < 250)
        #expect(sleeping.voluntarySwitches > 0)
        let busy = try Programs.measure(Programs.python(Programs.busy(0.4)))
        #expect(busy.cpuMilliseconds >= 400)
        // Starting takes some time, which depends on the machine, but less than a second.
        #expect(busy.cpuMilliseconds < 1400)
        #expect(busy.userMilliseconds > busy.systemMilliseconds)
    }

    @Test func agreesWithWhatTheProgramSaysOfItself() throws {
        try Fixture.withFolder { folder in
            let measurement = try Programs.measure(
                Programs.holding(
                    48,
                    Programs.busy(0.3)
                        + """
                        import resource
                        used = resource.getrusage(resource.RUSAGE_SELF)
                        open('\(folder)/usage', 'w').write(
                            f'{used.ru_utime + used.ru_stime} {used.ru_maxrss} {used.ru_minflt}')
                        """))
            let own = try Programs.text("\(folder)/usage").split(separator: " ").compactMap { Double($0) }
            #expect(abs(measurement.cpuMilliseconds - own[0] * 1000) < 500)
            #expect(abs(Double(measurement.peakMemoryBytes ?? 0) / (own[1] * 1024) - 1) < 0.05)
            #expect(Double(measurement.minorFaults) >= own[2])
        }
    }

    /// Compared with GNU time, which few machines have.
    @Test(.enabled(if: access("/usr/bin/time", X_OK) == 0))
    func agreesWithTime() throws {
        try Fixture.withFolder { folder in
            let program = Programs.holding(64)
            let timed = ["/usr/bin/time", "-o", "\(folder)/time", "-f", "%M %R"] + program
            #expect(try Programs.measure(timed).outcome?.isSuccess == true)
            let expected = try Programs.text("\(folder)/time").split { " \n".contains($0) }.compactMap { Double($0) }
            let measurement = try Programs.measure(program)
            #expect(abs(Double(measurement.peakMemoryBytes ?? 0) / (expected[0] * 1024) - 1) < 0.05)
            #expect(abs(Double(measurement.minorFaults) / expected[1] - 1) < 0.1)
        }
    }

    @Test func findsThePeakOfTheProgramAloneAndNotOfTheOneThatMeasures() throws {
        let held = [UInt8](repeating: 1, count: 96 << 20)
        let small = try #require(try Programs.measure(["true"]).peakMemoryBytes)
        #expect(small < 32 << 20)
        let large = try #require(try Programs.measure(Programs.holding(64)).peakMemoryBytes)
        #expect((64 << 20..<96 << 20).contains(large))
        #expect(held.last == 1)
    }

    /// Whether a shell can create a control group that counts memory, beside or in the one of this process.
    private static let canMakeGroups: Bool = {
        let script = """
            own=$(sed -n 's/^0:://p' /proc/self/cgroup)
            for parent in "/sys/fs/cgroup${own%/*}" "/sys/fs/cgroup$own"; do
                group=$parent/wayreel-test-$$
                grep -qw memory "$parent/cgroup.subtree_control" && mkdir "$group" || continue
                test -r "$group/memory.peak" && test -w "$group/cgroup.procs" && made=1
                rmdir "$group"
                test "$made" && exit 0
            done
            exit 1
            """
        return (try? Programs.measure(Programs.shell(script)).outcome?.isSuccess) == true
    }()

    /// Few machines allow creating a group.
    @Test(.enabled(if: canMakeGroups)) func measuresMemoryInAGroupOfItsOwn() throws {
        let measurement = try Programs.measure(Programs.holding(64))
        let bytes = try #require(measurement.groupPeakBytes)
        #expect((64 << 20..<128 << 20).contains(bytes) && measurement.reason(for: .groupPeakBytes) == nil)
    }

    /// A file system that is not a cgroup's, with these files, and the reported reason.
    @Test(
        arguments: [
            (nil, "0::/\n", "sys/fs/cgroup/cgroup.controllers: no such file or directory"),
            ("memory pids", "4:memory:/a\n1:name=systemd:/\n", "proc/self/cgroup: contains no cgroup v2"),
            ("cpu pids", "0::/\n", "sys/fs/cgroup: memory is not counted in its groups"),
            ("memory pids", "0::/\n", "memory.peak: no such file or directory"),
        ] as [(String?, String, String)])
    func saysWhyItHasNoGroupOfItsOwn(_ controllers: String?, _ groups: String, _ reason: String) throws {
        try Fixture.withFolder { folder in
            for path in ["proc", "proc/self", "sys", "sys/fs", "sys/fs/cgroup"] { mkdir("\(folder)/\(path)", 0o755) }
            try OutputFile.write(Array(groups.utf8), to: "\(folder)/proc/self/cgroup")
            if let controllers {
                for name in ["cgroup.controllers", "cgroup.subtree_control"] {
                    try OutputFile.write(Array(controllers.utf8), to: "\(folder)/sys/fs/cgroup/\(name)")
                }
            }
            let roots = SystemRoots(proc: "\(folder)/proc", sys: "\(folder)/sys")
            let measurement = try Gauge.run(["true"], options: GaugeOptions(output: .none), roots: roots)
            #expect(measurement.groupPeakBytes == nil)
            let found = try #require(measurement.reason(for: .groupPeakBytes))
            #expect(found.hasPrefix(folder) && found.hasSuffix(reason), "\(found)")
            // The group that could not be used is removed.
            #expect(Fixture.listing("\(folder)/sys/fs/cgroup").allSatisfy { $0.hasPrefix("cgroup.") })
        }
    }

    @Test func countsTheBytesThatPassThroughIt() throws {
        try Fixture.withFolder { folder in
            let copy = "dd if=/dev/zero of=\(folder)/out bs=65536 count=160 conv=fsync"
            for command in [copy.split(separator: " ").map(String.init), Programs.shell(copy + "; true")] {
                let transfer = try #require(try Programs.measure(command).transfer)
                #expect((10 << 20..<11 << 20).contains(transfer.bytesRead))
                #expect((10 << 20..<11 << 20).contains(transfer.bytesWritten))
                // No bytes are written to storage if the folder is in memory.
                #expect([0, 10 << 20].contains { abs($0 - transfer.storageBytesWritten) < 1 << 20 })
            }
        }
    }

    @Test(arguments: [ProcessExit.Kind.descriptor, .thread])
    func noticesTheEndInEitherWay(_ watching: ProcessExit.Kind) throws {
        let measurement = try Gauge.run(
            Programs.shell("sleep 0.1; exit 3"), roots: SystemRoots(), watching: watching)
        #expect(measurement.outcome == .exited(status: 3))
        #expect(measurement.wallMilliseconds >= 100)
    }

    @Test func runsInAFolderWithItsPrograms() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array("#!/bin/sh\npwd > here\ncat >> here\n".utf8), to: "\(folder)/report")
            #expect(chmod("\(folder)/report", 0o755) == 0)
            let measurement = try Programs.measure(["./report"]) { $0.folder = folder }
            #expect(measurement.outcome == .exited(status: 0))
            #expect(try Programs.text("\(folder)/here") == folder + "\n")
        }
    }

    @Test func startsItWithoutIgnoredOrBlockedSignals() throws {
        try Fixture.withFolder { folder in
            signal(SIGPIPE, SIG_IGN)
            var blocked = sigset_t()
            sigemptyset(&blocked)
            sigaddset(&blocked, SIGUSR1)
            pthread_sigmask(SIG_BLOCK, &blocked, nil)
            defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
            _ = try Programs.measure(Programs.shell("grep -E 'SigIgn|SigBlk' /proc/self/status > \(folder)/signals"))
            let lines = try Programs.text("\(folder)/signals").split(separator: "\n")
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix("\t0000000000000000") })
        }
    }

    @Test func reportsWhyAProgramCannotStart() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write(Array("#!/none/such\n".utf8), to: "\(folder)/script")
            try OutputFile.write([1, 2, 3], to: "\(folder)/noise")
            chmod("\(folder)/script", 0o755)
            chmod("\(folder)/noise", 0o755)
            try OutputFile.write([1], to: "\(folder)/plain")
            let reasons: [(command: [String], reason: String)] = [
                (["wayreel-no-such-program"], "not found in PATH"),
                (["\(folder)/none"], "no such file or directory"),
                (["\(folder)/plain"], "is not executable"),
                ([folder], "is a directory"),
                (["\(folder)/script"], "its interpreter does not exist"),
                (["\(folder)/noise"], "cannot be started: exec format error"),
                ([""], "is not a program name"),
                ([], "no program to measure"),
                (["true", "a\0b"], "contains a NUL byte"),
            ]
            for (command, reason) in reasons {
                let error = try #require(Programs.failure(command))
                #expect(error.reason == reason && error.kind == .parameter && error.step == .start)
            }
            let nowhere = Programs.failure(["true"], GaugeOptions(folder: "\(folder)/none"))
            #expect(nowhere?.reason == "cannot use the working directory: no such file or directory")
        }
    }

    @Test func rejectsOptionsThatMakeNoSense() {
        for options in [
            GaugeOptions(timeoutSeconds: 0), GaugeOptions(timeoutSeconds: .nan), GaugeOptions(graceSeconds: -1),
            GaugeOptions(intervalSeconds: 0), GaugeOptions(intervalSeconds: .nan), GaugeOptions(intervalSeconds: 61),
        ] {
            #expect(Programs.failure(["true"], options)?.kind == .parameter)
        }
    }

    @Test func codesAsJSONWithoutLoss() throws {
        let measurement = try Programs.measure(Programs.shell("echo no >&2; sleep 0.2; kill -9 $$")) {
            $0.errors = .tail(bytes: 10)
        }
        #expect(try JSON.decode(Measurement.self, JSON.encode(measurement)) == measurement)
        #expect(measurement.errorTail == "no\n")
        let keys = Set(try JSON.object(measurement).keys)
        #expect(keys.isSuperset(of: ["command", "outcome", "wallMilliseconds", "peakMemoryBytes", "samples"]))
    }
}
