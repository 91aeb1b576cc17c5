internal import CLinux
internal import Glibc
internal import WayreelCore

/// A program that was started to be measured.
///
/// Belongs to one thread, which must live as long as the program. Let go before its end was waited for, it is killed.
final class Program {
    struct Ending {
        var status: Int32
        var usage: Usage
    }

    let identifier: pid_t
    /// When it took over, on the monotonic clock.
    let start: Double
    /// The number of the error for which it is not in the group that it was to be in; 0: it is.
    let groupError: Int32
    private let copy: pid_t
    private let hasOwnGroup: Bool
    private let watch: ExitWatch
    private let errors: ErrorTail?
    private var isReaped = false

    /// Throws a `parameter` error where there is no such program or folder, an `io` error where it cannot be started.
    init(
        _ command: [String], _ options: GaugeOptions, group: RunGroup?, watching: ExitWatch.Kind
    ) throws(MediaError) {
        guard let name = command.first else {
            throw MediaError(.parameter, step: "start", reason: "there is no program to measure", advice: "name one")
        }
        if let word = command.first(where: { $0.utf8.contains(0) }) {
            throw MediaError(.parameter, step: "start", subject: word.onOneLine, reason: "holds a NUL byte")
        }
        let folder = try Self.folder(options)
        let path = try ExecutablePath.find(name, from: folder?.number ?? AT_FDCWD)
        let streams = try Streams(options)
        let stays = options.input == .inherited && isatty(0) == 1
        var words = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var started = wr_started()
        // The descriptors live until it has taken them over.
        let code = withExtendedLifetime((folder, streams, group)) {
            path.withCString { path in
                words.withUnsafeMutableBufferPointer { words in
                    var program = wr_program(
                        path: path, words: words.baseAddress, folder: folder?.number ?? -1,
                        streams: (
                            streams.input?.number ?? -1, streams.output?.number ?? -1, streams.errors?.number ?? -1
                        ),
                        group: group?.entrance.number ?? -1, stays: stays ? 1 : 0)
                    return wr_start_program(&program, &started)
                }
            }
        }
        guard code == 0 else {
            throw MediaError(
                code == ENOEXEC || code == ENOENT ? .parameter : .io, step: "start", subject: name,
                // The file itself was there a moment ago.
                reason: code == ENOENT
                    ? "what it says that it is to be run with does not exist"
                    : "cannot be started: \(systemReason(code))")
        }
        identifier = started.process
        start = started.seconds
        groupError = started.group_error
        copy = started.copy
        hasOwnGroup = !stays
        watch = ExitWatch(of: identifier, watching)
        errors = streams.tail
    }

    private static func folder(_ options: GaugeOptions) throws(MediaError) -> Descriptor? {
        guard let path = options.folder else { return nil }
        guard !path.utf8.contains(0), let folder = Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            throw MediaError(
                .parameter, step: "start", subject: path.onOneLine,
                reason: "no folder to run in: \(systemReason(errno))")
        }
        return folder
    }

    deinit {
        guard !isReaped else { return }
        signal(SIGKILL)
        _ = reap()
    }

    /// Sends a signal to all processes of its group, as long as nobody has waited for it: the group is its own until then. To it
    /// alone where it shares this process's.
    func signal(_ number: Int32) {
        if !isReaped { kill(hasOwnGroup ? -identifier : identifier, number) }
    }

    /// Waits up to `seconds` for its end, and takes what it writes to standard error meanwhile. Returns whether it has ended.
    func waitForEnd(_ seconds: Double) -> Bool {
        let deadline = Clock.wall + seconds
        while true {
            var waits = [
                pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - Clock.wall) * 1000
            let count = poll(&waits, 2, Int32(min(max(0, left.rounded(.up)), 1e6)))
            if waits[0].revents != 0 { return true }
            if count > 0, waits[1].revents != 0 { errors?.drain() }
            if Clock.wall >= deadline { return watch.descriptor < 0 && hasEnded }
        }
    }

    /// For where there is nothing to wait for, want of descriptors.
    private var hasEnded: Bool {
        var information = siginfo_t()
        let code = waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | WNOHANG)
        return code < 0 && errno != EINTR || information.si_signo == SIGCHLD
    }

    /// The end of what it has written to standard error until it ended; nil where that is not kept.
    var errorTail: String? {
        errors?.drain()
        return errors?.text
    }

    /// How it has ended; nil where somebody else has waited for it, as a process does that ignores its children's ends.
    func reap() -> Ending? {
        var status: Int32 = 0
        var usage = rusage()
        var found = pid_t()
        repeat { found = wait4(identifier, &status, 0, &usage) } while found < 0 && errno == EINTR
        isReaped = true
        if copy > 0 { while waitpid(copy, nil, 0) < 0, errno == EINTR {} }
        return found > 0 ? Ending(status: status, usage: Usage(usage)) : nil
    }
}

/// What becomes a program's three streams; nil: as this process has them.
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
