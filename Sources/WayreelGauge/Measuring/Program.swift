internal import CLinux
internal import Glibc
internal import WayreelCore

/// A program started for a measurement.
///
/// Must be used from a single thread, which must outlive it. If it is released before it was reaped, the program is
/// killed.
final class Program {
    struct Termination {
        var status: Int32
        var usage: Usage
    }

    let identifier: pid_t
    /// Time of exec on the monotonic clock.
    let start: Double
    /// errno for entering its control group; 0 on success.
    let groupError: Int32
    /// The short-lived process that starts the program, which is reaped after it; 0 for none.
    private let starter: pid_t
    private let hasOwnGroup: Bool
    private let exitWatch: ExitWatch
    private let errors: ErrorTail?
    private var isReaped = false

    /// Throws a `parameter` error if the program or folder does not exist, an `io` error if it cannot be started.
    init(
        _ command: [String], _ options: GaugeOptions, group: ControlGroup?, watching: ExitWatch.Kind
    ) throws(MediaError) {
        guard let name = command.first else {
            throw MediaError(.parameter, step: "start", reason: "no program to measure", advice: "pass a program")
        }
        if let word = command.first(where: { $0.utf8.contains(0) }) {
            throw MediaError(.parameter, step: "start", subject: word.onOneLine, reason: "contains a NUL byte")
        }
        let folder = try Self.folder(options)
        let path = try ExecutablePath.find(name, from: folder?.number ?? AT_FDCWD)
        let streams = try Streams(options)
        let stays = options.input == .inherited && isatty(0) == 1
        var arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var started = wr_started()
        // Keeps the descriptors open until the child has inherited them.
        let code = withExtendedLifetime((folder, streams, group)) {
            path.withCString { path in
                arguments.withUnsafeMutableBufferPointer { arguments in
                    var program = wr_program(
                        path: path, arguments: arguments.baseAddress, folder: folder?.number ?? -1,
                        streams: (
                            streams.input?.number ?? -1, streams.output?.number ?? -1, streams.errors?.number ?? -1
                        ),
                        group: group?.processesFile.number ?? -1, stays: stays ? 1 : 0)
                    return wr_start_program(&program, &started)
                }
            }
        }
        guard code == 0 else {
            throw MediaError(
                code == ENOEXEC || code == ENOENT ? .parameter : .io, step: "start", subject: name,
                // The program itself exists, so its interpreter is missing.
                reason: code == ENOENT
                    ? "its interpreter does not exist"
                    : "cannot be started: \(systemReason(code))")
        }
        identifier = started.process
        start = started.seconds
        groupError = started.group_error
        starter = started.copy
        hasOwnGroup = !stays
        exitWatch = ExitWatch(of: identifier, watching)
        errors = streams.tail
    }

    private static func folder(_ options: GaugeOptions) throws(MediaError) -> Descriptor? {
        guard let path = options.folder else { return nil }
        guard !path.utf8.contains(0), let folder = Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            throw MediaError(
                .parameter, step: "start", subject: path.onOneLine,
                reason: "cannot use the working directory: \(systemReason(errno))")
        }
        return folder
    }

    deinit {
        guard !isReaped else { return }
        signal(SIGKILL)
        _ = reap()
    }

    /// Sends a signal to its process group until it is reaped, because the group ID may be reused afterwards. If it
    /// shares this process's group, only the program gets it.
    func signal(_ number: Int32) {
        if !isReaped { kill(hasOwnGroup ? -identifier : identifier, number) }
    }

    /// Waits up to `seconds` for its end and drains standard error meanwhile. Returns whether it has ended.
    func waitForEnd(_ seconds: Double) -> Bool {
        let deadline = Clock.wall + seconds
        while true {
            var waits = [
                pollfd(fd: exitWatch.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - Clock.wall) * 1000
            let count = poll(&waits, 2, Int32(min(max(0, left.rounded(.up)), 1e6)))
            if waits[0].revents != 0 { return true }
            if count > 0, waits[1].revents != 0 { errors?.drain() }
            if Clock.wall >= deadline { return exitWatch.descriptor < 0 && hasEnded }
        }
    }

    /// Fallback without a descriptor to wait on.
    private var hasEnded: Bool {
        var information = siginfo_t()
        let code = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | WNOHANG)
        return code < 0 && errno != EINTR || information.si_signo == SIGCHLD
    }

    /// The end of its standard error; nil if not collected.
    var errorTail: String? {
        errors?.drain()
        return errors?.text
    }

    /// Returns the program's end, or nil if it was reaped elsewhere, as in a process that ignores SIGCHLD.
    func reap() -> Termination? {
        var status: Int32 = 0
        var usage = rusage()
        var found = pid_t()
        repeat { found = wait4(identifier, &status, 0, &usage) } while found < 0 && errno == EINTR
        isReaped = true
        if starter > 0 { while waitpid(starter, nil, 0) < 0, errno == EINTR {} }
        return found > 0 ? Termination(status: status, usage: Usage(usage)) : nil
    }
}

/// A program's standard streams; nil for inherited ones.
private struct Streams {
    var input: Descriptor?
    var output: Descriptor?
    var errors: Descriptor?
    var tail: ErrorTail?

    private static let nowhere = "/dev/null"

    init(_ options: GaugeOptions) throws(MediaError) {
        if options.input == .none { input = try Self.open(O_RDONLY) }
        if options.output == .none { output = try Self.open(O_WRONLY) }
        switch options.errors {
        case .inherited: break
        case .none: errors = try Self.open(O_WRONLY)
        case .tail(let bytes):
            let ends = Descriptor.pipe()
            guard ends.count == 2 else { throw Self.fault("no pipe") }
            tail = ErrorTail(ends[0], limit: min(max(0, bytes), GaugeOptions.tailBytes))
            errors = ends[1]
        }
    }

    private static func fault(_ what: String) -> MediaError {
        MediaError(.io, step: "start", reason: "\(what): \(systemReason(errno))")
    }

    private static func open(_ flags: Int32) throws(MediaError) -> Descriptor {
        guard let file = Descriptor.open(nowhere, flags) else { throw fault(nowhere) }
        return file
    }
}
