internal import Glibc
internal import Synchronization
internal import WayreelCore

/// A program that runs as a separate process, and the handling of its streams.
package struct Command {
    /// The destination of standard output.
    package enum Sink {
        /// Collects the output in ``Outcome/output``.
        case collected
        /// A pipe whose reader is gone.
        case brokenPipe
        /// The process starts without standard output.
        case closed
        case file(String)
    }

    package var executable: String
    package var arguments: [String]
    /// The content of standard input.
    package var input: [UInt8] = []
    /// Keeps standard input open and empty, like a terminal without input.
    package var holdsInput = false
    package var folder: String?
    /// Variables added to the environment of the tests.
    package var environment: [String: String] = [:]
    package var output = Sink.collected
    /// Makes standard error a terminal of this many columns.
    package var terminalColumns: Int?
    /// A signal to send as soon as standard error contains a text.
    package var signal: (number: Int32, onceErrorsContain: String)?
    /// Wall time after which the process is killed. It is long enough that a process fails for hanging only, not on a
    /// busy machine.
    package var maxSeconds = 300.0

    package init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    package enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)
        case timedOut
    }

    package struct Outcome {
        package var ending: Ending
        package var output: [UInt8]
        package var errors: String
        /// Seconds from ``Command/signal`` to the end.
        package var secondsAfterSignal: Double?

        package var text: String { String(decoding: output, as: UTF8.self) }
        /// The lines of standard error.
        package var lines: [Substring] { errors.split(separator: "\n") }
    }

    /// Runs the program to its end. Unit tests start none: `scripts/test`, which sets the variable, fails then.
    package func run() throws -> Outcome {
        if getenv("WAYREEL_TESTS") != nil {
            let line = "✘ a unit test starts \(executable): its suite is of another kind, see scripts/test\n"
            _ = Array(line.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let standardInput = try Pipe()
        let standardOutput = try Pipe()
        let standardError = try terminalColumns.map(Pipe.init(terminalOfColumns:)) ?? Pipe()
        posix_spawn_file_actions_adddup2(&actions, standardInput.reader.number, 0)
        switch output {
        case .collected, .brokenPipe: posix_spawn_file_actions_adddup2(&actions, standardOutput.writer.number, 1)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY, 0)
        case .closed: posix_spawn_file_actions_addclose(&actions, 1)
        }
        posix_spawn_file_actions_adddup2(&actions, standardError.writer.number, 2)
        if case .brokenPipe = output { standardOutput.reader.close() }

        let process = try spawn(&actions)
        standardInput.reader.close()
        standardOutput.writer.close()
        standardError.writer.close()
        return attend(process, standardInput.writer, standardOutput.reader, standardError.reader)
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
        var variables: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            variables.append(String(cString: variable))
            entry += 1
        }
        variables.removeAll { variable in environment.keys.contains { variable.hasPrefix("\($0)=") } }
        variables += environment.map { "\($0)=\($1)" }
        let words = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [executable] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        var settings = variables.map { strdup($0) } + [nil]
        defer { (pointers + settings).forEach { free($0) } }
        var process = pid_t()
        let code = startProcess(&process, words[0], actions: &actions, &pointers, &settings)
        guard code == 0 else { throw Failure(description: "\(executable): \(String(cString: strerror(code)))") }
        return process
    }

    /// Writes the input, collects the output, and waits for the end of the process.
    private func attend(
        _ process: pid_t, _ input: Descriptor, _ output: Descriptor, _ errors: Descriptor
    ) -> Outcome {
        let start = Clock.wall
        var rest = self.input[...]
        var gathered: (output: [UInt8], errors: [UInt8]) = ([], [])
        var signalled: Double?
        var timedOut = false
        _ = fcntl(input.number, F_SETFL, O_NONBLOCK)
        if rest.isEmpty, !holdsInput { input.close() }
        while output.isOpen || errors.isOpen {
            var waits = [
                pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : input.number, events: Int16(POLLOUT), revents: 0),
            ]
            let left = maxSeconds - (Clock.wall - start)
            if left <= 0 {
                timedOut = true
                kill(process, SIGKILL)
                break
            }
            poll(&waits, 3, Int32(min(left, 1) * 1000) + 1)
            if waits[0].revents != 0 { output.read(into: &gathered.output) }
            if waits[1].revents != 0 { errors.read(into: &gathered.errors) }
            if waits[2].revents != 0 {
                input.write(from: &rest)
                if rest.isEmpty, !holdsInput { input.close() }
            }
            if let signal, signalled == nil,
                String(decoding: gathered.errors, as: UTF8.self).contains(signal.onceErrorsContain)
            {
                signalled = Clock.wall
                kill(process, signal.number)
            }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F
        return Outcome(
            ending: timedOut ? .timedOut : code == 0 ? .exited(status >> 8 & 0xFF) : .signalled(code),
            output: gathered.output, errors: String(decoding: gathered.errors, as: UTF8.self),
            secondsAfterSignal: signalled.map { Clock.wall - $0 })
    }

    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// An open file, closed with its owner.
    private final class Descriptor {
        private(set) var number: Int32

        init(_ number: Int32) { self.number = number }
        deinit { close() }

        var isOpen: Bool { number >= 0 }

        func close() {
            if isOpen { _ = Glibc.close(number) }
            number = -1
        }

        /// Reads the available bytes. Closes the descriptor at the end of the file, which a terminal reports as EIO.
        func read(into bytes: inout [UInt8]) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(number, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { close() }
        }

        /// Writes the next bytes. Drops the rest if the reader is gone.
        func write(from bytes: inout ArraySlice<UInt8>) {
            let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EAGAIN { bytes = [] }
        }
    }

    private struct Pipe {
        let reader: Descriptor
        let writer: Descriptor

        init() throws {
            _ = Pipe.ignoreBrokenPipes
            var ends: [Int32] = [-1, -1]
            // Made under the lock for starting processes, so that no other process inherits the ends.
            let isMade = spawning.withLock { _ in
                pipe(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
            }
            guard isMade else { throw Failure(description: "no pipe") }
            (reader, writer) = (Descriptor(ends[0]), Descriptor(ends[1]))
        }

        /// Opens a pseudo-terminal: data written to one end are read from the other.
        init(terminalOfColumns columns: Int) throws {
            let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            reader = Descriptor(master)
            var locked: Int32 = 0
            var number: Int32 = 0
            guard ioctl(master, 0x4004_5431, &locked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
                throw Failure(description: "no pseudo-terminal")  // TIOCSPTLCK, TIOCGPTN
            }
            writer = Descriptor(open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
            var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
            guard ioctl(writer.number, UInt(TIOCSWINSZ), &size) == 0 else {
                throw Failure(description: "no pseudo-terminal")
            }
        }

        private static let ignoreBrokenPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()
    }
}

private let spawning = Mutex(())

private func startProcess(
    _ process: inout pid_t, _ executable: String, actions: inout posix_spawn_file_actions_t,
    _ words: inout [UnsafeMutablePointer<CChar>?], _ settings: inout [UnsafeMutablePointer<CChar>?]
) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The tests ignore broken pipes and may block signals; the program starts with default handling.
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    return spawning.withLock { _ in posix_spawn(&process, executable, &actions, &attributes, words, settings) }
}
