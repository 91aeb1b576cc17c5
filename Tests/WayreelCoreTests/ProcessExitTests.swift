import Glibc
import Testing
import WayreelCore

@Suite struct ProcessExitTests {
    /// Starts a program that ends when it is killed.
    private func sleeper() throws -> pid_t {
        let words = ["/bin/sleep", "600"]
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawn(&process, words[0], nil, nil, arguments, [nil])
        try #require(code == 0)
        return process
    }

    @Test(arguments: [ProcessExit.Kind.descriptor, .thread]) func waitsForTheEnd(kind: ProcessExit.Kind) throws {
        let process = try sleeper()
        let exit = ProcessExit(of: process, kind)
        let start = Clock.wall
        #expect(!exit.wait(until: start + 0.05) && !exit.hasEnded)
        #expect(Clock.wall - start >= 0.05)
        kill(process, SIGKILL)
        #expect(exit.wait() && exit.hasEnded)
        // It has not been reaped, and its end is known afterwards too.
        var status: Int32 = 0
        #expect(waitpid(process, &status, 0) == process && status & 0x7F == SIGKILL)
        #expect(exit.wait(until: Clock.wall) && exit.hasEnded)
    }

    /// As in a program that waits for all of its children.
    @Test(arguments: [ProcessExit.Kind.descriptor, .thread])
    func aProcessThatWasReapedBeforeHasEnded(kind: ProcessExit.Kind) throws {
        let process = try sleeper()
        kill(process, SIGKILL)
        var status: Int32 = 0
        #expect(waitpid(process, &status, 0) == process)
        #expect(ProcessExit(of: process, kind).wait())
    }
}
