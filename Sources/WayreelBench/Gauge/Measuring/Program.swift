internal import CLinux
internal import Glibc
package import WayreelCore

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
    private let ending: ProcessExit
    private let errors: ErrorTail?
    private var isReaped = false

    /// Throws a `parameter` error if the program or folder does not exist, an `io` error if it cannot be started.
    init(
        _ command: [String], _ options: GaugeOptions, group: ControlGroup?, watching: ProcessExit.Kind
    ) throws(MediaError) {
        guard let name = command.first else {
            throw MediaError(.parameter, step: .start, reason: "no program to measure", advice: "pass a program")
        }
        if let word = command.first(where: { $0.utf8.contains(0) }) {
            throw MediaError(.parameter, step: .start, subject: word.onOneLine, reason: "contains a NUL byte")
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
                code == ENOEXEC || code == ENOENT ? .parameter : .io, step: .start, subject: name,
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
        ending = ProcessExit(of: identifier, watching)
        errors = streams.tail
    }

    private static func folder(_ options: GaugeOptions) throws(MediaError) -> Descriptor? {
        guard let path = options.folder else { return nil }
        guard !path.utf8.contains(0), let folder = Descriptor.open(path, O_RDONLY | O_DIRECTORY) else {
            throw MediaError(
                .parameter, step: .start, subject: path.onOneLine,
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
                pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let left = (deadline - Clock.wall) * 1000
            let count = poll(&waits, 2, Int32(min(max(0, left.rounded(.up)), 1e6)))
            if waits[0].revents != 0 { return true }
            if count > 0, waits[1].revents != 0 { errors?.drain() }
            if Clock.wall >= deadline { return ending.descriptor < 0 && ending.hasEnded }
        }
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
        MediaError(.io, step: .start, reason: "\(what): \(systemReason(errno))")
    }

    private static func open(_ flags: Int32) throws(MediaError) -> Descriptor {
        guard let file = Descriptor.open(nowhere, flags) else { throw fault(nowhere) }
        return file
    }
}

/// Collects the end of a program's standard error.
final class ErrorTail {
    private let reader: Descriptor
    private let limit: Int
    private var bytes: [UInt8] = []

    init(_ reader: Descriptor, limit: Int) {
        self.reader = reader
        self.limit = limit
        _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
    }

    /// The descriptor; -1 once all writers have closed it.
    var descriptor: Int32 { reader.number }

    /// Reads available data without blocking, at most one pipe buffer, so that a busy writer cannot occupy this thread.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader.number, &buffer, buffer.count)
        if count > 0 {
            bytes = Array((bytes + buffer[..<count]).suffix(limit))
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            reader.close()
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Locates programs.
package enum ExecutablePath {
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The path of program `name`: itself if it contains a slash, otherwise found in `PATH`; relative to `folder`, an
    /// open descriptor or AT_FDCWD.
    ///
    /// Throws a `parameter` error if it does not exist or is not executable.
    package static func find(_ name: String, from folder: Int32 = AT_FDCWD) throws(MediaError) -> String {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw fault(of: name, "is not a program name", "pass a program")
        }
        if name.utf8.contains(UInt8(ascii: "/")) {
            if let reason = obstacle(name, folder) { throw fault(of: name, reason) }
            return name
        }
        let path = getenv("PATH").map { String(cString: $0) } ?? standardPath
        var found: String?
        for directory in path.split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = directory.isEmpty ? "./\(name)" : "\(directory)/\(name)"
            guard let reason = obstacle(candidate, folder) else { return candidate }
            if reason != systemReason(ENOENT), reason != systemReason(ENOTDIR) { found = found ?? reason }
        }
        throw fault(
            of: name, found ?? "not found in PATH",
            "install it, or pass its path")
    }

    private static let fault = ErrorSite(.parameter, step: .start)

    /// The reason why the file at `path` is not executable; nil if it is.
    private static func obstacle(_ path: String, _ folder: Int32) -> String? {
        do throws(SystemError) {
            if try FileStatus(path, in: folder).kind == .directory { return "is a directory" }
        } catch { return systemReason(error.code) }
        guard faccessat(folder, path, X_OK, AT_EACCESS) == 0 else { return "is not executable" }
        return nil
    }
}

/// An owned file descriptor.
final class Descriptor {
    private(set) var number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close() }

    /// Passes the number to `body` and keeps the descriptor open meanwhile, beyond the last use of this object.
    func withNumber<Output>(_ body: (Int32) -> Output) -> Output {
        withExtendedLifetime(self) { body(number) }
    }

    func close() {
        if number >= 0 { _ = Glibc.close(number) }
        number = -1
    }

    /// Opens `path` with a descriptor above the standard streams, so that it can be duplicated to one; nil and errno on
    /// failure.
    static func open(_ path: String, _ flags: Int32) -> Descriptor? {
        let file = Descriptor(Glibc.open(path, flags | O_CLOEXEC))
        return file.lifted()
    }

    /// The reading and the writing end, both close-on-exec; empty and errno on failure.
    static func pipe() -> [Descriptor] {
        var ends: [Int32] = [-1, -1]
        guard wr_pipe(&ends) == 0 else { return [] }
        let lifted = ends.map { Descriptor($0) }.compactMap { $0.lifted() }
        return lifted.count == 2 ? lifted : []
    }

    private func lifted() -> Descriptor? {
        if number > 2 { return self }
        let above = number < 0 ? -1 : fcntl(number, F_DUPFD_CLOEXEC, 3)
        return above < 0 ? nil : Descriptor(above)
    }
}
