import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore

/// The ways in which programs end or are ended.
@Suite struct EndingTests {
    /// Returns a command that writes the process numbers of a shell and of its children into `file`, and then waits.
    static func family(_ file: String, ignoring: String = "") -> [String] {
        Programs.shell("\(ignoring) sleep 1000 & echo $$ $! > \(file); wait; while :; do sleep 0.1; done")
    }

    static func members(_ file: String) throws -> [pid_t] {
        try Programs.text(file).split { " \n".contains($0) }.compactMap { pid_t($0) }
    }

    @Test func distinguishesSignals() throws {
        #expect(
            try Programs.measure(Programs.shell("kill -SEGV $$")).outcome == .signalled(SIGSEGV, outOfMemory: false))
        // No process has run out of memory meanwhile, unless the whole machine has.
        let kills = MemoryKills(SystemRoots())
        let outcome = try Programs.measure(Programs.shell("kill -KILL $$")).outcome
        if kills.hasOOMKill == false { #expect(outcome == .signalled(SIGKILL, outOfMemory: false)) }
    }

    /// If the kernel does not count its kills, a SIGKILL of unknown origin is assumed to be one.
    @Test func detectsOutOfMemoryKills() throws {
        let roots = SystemRoots(proc: "/none/proc", sys: "/none/sys")
        let killed = try Gauge.run(Programs.shell("kill -KILL $$"), roots: roots)
        #expect(killed.outcome == .signalled(SIGKILL, outOfMemory: true))
        let terminated = try Gauge.run(Programs.shell("kill -TERM $$"), roots: roots)
        #expect(terminated.outcome == .signalled(SIGTERM, outOfMemory: false))
    }

    @Test(arguments: ["", "trap '' TERM;"])
    func endsTheWholeGroupAfterATimeout(_ ignoring: String) throws {
        try Fixture.withFolder { folder in
            let file = "\(folder)/family"
            let measurement = try Programs.measure(Self.family(file, ignoring: ignoring)) {
                // Long enough for the shell to start on a busy machine.
                $0.timeoutSeconds = 3
                $0.graceSeconds = 0.3
            }
            #expect(measurement.outcome == .timedOut)
            #expect(measurement.wallMilliseconds >= 3000)
            let members = try Self.members(file)
            #expect(members.count == 2 && members.allSatisfy(Programs.hasEnded))
        }
    }

    @Test func endsAProgramThatStandsStill() throws {
        let measurement = try Programs.measure(Programs.shell("kill -STOP $$")) { $0.timeoutSeconds = 0.5 }
        #expect(measurement.outcome == .timedOut)
    }

    @Test func endsTheWholeGroupAfterACancellation() throws {
        try Fixture.withFolder { folder in
            let file = "\(folder)/family"
            let cancellation = Cancellation()
            let worker = Worker {
                while ((try? Self.members(file)) ?? []).count < 2 { usleep(10_000) }
                cancellation.cancel()
            }
            #expect(throws: MediaError(.cancelled, step: .measure, reason: "cancelled")) {
                try Gauge.run(Self.family(file), cancellation: cancellation)
            }
            worker.join()
            let members = try Self.members(file)
            #expect(members.allSatisfy(Programs.hasEnded))
            #expect(throws: MediaError.self) { try Gauge.run(["true"], cancellation: cancellation) }
        }
    }

    /// This also holds if a remaining process holds the pipe for standard error.
    @Test func doesNotWaitForWhatTheProgramLeavesRunning() throws {
        let measurement = try Programs.measure(Programs.shell("sleep 1000 & echo $! >&2")) {
            $0.errors = .tail(bytes: 100)
        }
        #expect(measurement.outcome == .exited(status: 0))
        let left = try #require(pid_t(measurement.errorTail?.dropLast() ?? ""))
        #expect(Programs.isAlive(left))
        kill(left, SIGKILL)
    }

    @Test func keepsOnlyTheEndOfTheErrors() throws {
        let measurement = try Programs.measure(Programs.shell("yes error | head -c 3000000 >&2; printf end >&2")) {
            $0.errors = .tail(bytes: 9)
        }
        #expect(measurement.errorTail == "error\nend" || measurement.errorTail?.hasSuffix("end") == true)
        #expect(measurement.errorTail?.utf8.count == 9)
        #expect(try Programs.measure(["true"]).errorTail == nil)
    }
}
