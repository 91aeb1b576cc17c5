internal import CLinux
internal import Glibc
internal import Synchronization
internal import WayreelCore

/// A child process with a socket to it, which is descriptor 3 in the child.
///
/// It is used by one thread at a time. If it is released before its end was awaited, it is killed.
final class ChildProcess: @unchecked Sendable {
    /// Exit status and CPU time.
    struct Termination {
        var exitStatus: Int32?
        var signal: Int32?
        var cpuMilliseconds: Double
    }

    /// The socket's descriptor in the child.
    static let channel: Int32 = 3

    let identifier: pid_t
    private let socket: Int32
    private let errors: Int32
    private let ending: ProcessExit
    /// nil until the process was reaped. Signals are sent under this lock: once a process is reaped, its number may be
    /// reused.
    private let termination = Mutex<Termination?>(nil)
    private var lines = LineBuffer()
    /// The rest of the request, which the socket has not taken yet.
    private var unsent: ArraySlice<UInt8> = []
    /// The last bytes written to standard error.
    private var lastErrors: [UInt8] = []
    private var isErrorsOpen = true
    private(set) var isSocketOpen = true
    /// Number of requests sent.
    private(set) var requests = 0
    /// CPU time of the answered requests.
    private(set) var cpuMilliseconds = 0.0

    private static let errorsKept = 4096

    /// Starts `executable`. The child inherits no descriptors except, if requested, standard input and output.
    ///
    /// Throws an `io` error if it cannot be started.
    init(
        _ executable: String, _ arguments: [String], sharesInput: Bool, sharesOutput: Bool
    ) throws(MediaError) {
        var argv = ([executable] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var child = wr_child()
        let code = wr_start_child(&argv, sharesInput ? 1 : 0, sharesOutput ? 1 : 0, &child)
        guard code == 0 else {
            throw MediaError(
                .io, step: .start, subject: executable, reason: "cannot be started: \(systemReason(code))",
                advice: "run fewer tasks at once, or without isolation")
        }
        identifier = child.process
        socket = child.channel
        errors = child.errors
        ending = ProcessExit(of: identifier)
    }

    deinit {
        kill()
        var info = siginfo_t()
        while reap() == nil { waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) }
        close(socket)
        close(errors)
    }

    /// Begins to send a request, `bytes` without a line feed. ``receive(within:)`` sends what the socket does not take
    /// at once, so that a child that does not read blocks nobody. If the child has ended, the bytes are dropped.
    func send(request bytes: [UInt8]) {
        requests += 1
        lastErrors = []
        unsent = bytes + [UInt8(ascii: "\n")]
        sendRest()
    }

    private func sendRest() {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            unsent = count > 0 ? unsent.dropFirst(count) : []
        }
    }

    /// Adds the CPU time of an answered request.
    func count(cpuMilliseconds: Double) { self.cpuMilliseconds += cpuMilliseconds }

    /// Returns the lines received within `milliseconds`, or as soon as there are any.
    func receive(within milliseconds: Int32) -> [ArraySlice<UInt8>] {
        var waits = [
            pollfd(
                fd: isSocketOpen ? socket : -1, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0),
            pollfd(fd: isErrorsOpen ? errors : -1, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waits, 2, milliseconds) > 0 else { return [] }
        if waits[1].revents != 0 { readErrors() }
        if waits[0].revents & Int16(POLLOUT) != 0 { sendRest() }
        guard waits[0].revents & ~Int16(POLLOUT) != 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            isSocketOpen = count < 0 && errno == EINTR
            return []
        }
        lines.append(buffer[..<count])
        return Array(AnyIterator { self.lines.next() })
    }

    private func readErrors() {
        var buffer = [UInt8](repeating: 0, count: Self.errorsKept)
        while true {
            let count = read(errors, &buffer, buffer.count)
            guard count > 0 else {
                if count == 0 { isErrorsOpen = false }
                return
            }
            lastErrors = Array((lastErrors + buffer[..<count]).suffix(Self.errorsKept))
        }
    }

    /// The last line written to standard error.
    var lastErrorLine: String? {
        if isErrorsOpen { readErrors() }
        let line = lastErrors.split(separator: UInt8(ascii: "\n")).last { !$0.allSatisfy { $0 <= 0x20 } }
        return line.map { String(decoding: $0.prefix(200), as: UTF8.self).onOneLine }
    }

    /// Asks the process to end.
    func terminate() { send(SIGTERM, to: identifier) }

    /// Kills the process and its descendants immediately.
    func kill() { send(SIGKILL, to: -identifier) }

    private func send(_ signal: Int32, to process: pid_t) {
        termination.withLock { if $0 == nil { _ = Glibc.kill(process, signal) } }
    }

    /// Returns the exit state of the process; nil while it runs.
    func reap() -> Termination? {
        termination.withLock { termination in
            if termination == nil { termination = Self.termination(of: identifier) }
            return termination
        }
    }

    private static func termination(of process: pid_t) -> Termination? {
        var status: Int32 = 0
        var usage = rusage()
        var found = pid_t()
        repeat { found = wait4(process, &status, WNOHANG, &usage) } while found < 0 && errno == EINTR
        guard found != 0 else { return nil }
        let seconds = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        let signal = status & 0x7F
        // If other code has waited for the process (a host that reaps all children), its exit status is unknown.
        return Termination(
            exitStatus: found > 0 && signal == 0 ? status >> 8 & 0xFF : nil,
            signal: found > 0 && signal != 0 ? signal : nil, cpuMilliseconds: seconds.reduce(0, +) * 1000)
    }

    /// Waits until the process has ended, without reaping it.
    func awaitEnd() { ending.wait() }

    /// Waits for the end of the process, which is killed if that takes longer than `seconds`.
    func end(within seconds: Double) -> Termination {
        if !ending.wait(until: Clock.wall + seconds) { kill() }
        while true {
            ending.wait()
            if let termination = reap() { return termination }
        }
    }

    /// Resident memory in bytes; nil if it has ended.
    var residentBytes: Int? { ProcessMemory.residentBytes(of: "\(identifier)") }
}

/// Splits received bytes into lines.
struct LineBuffer {
    /// Bytes that do not form a complete line yet, after those of the lines that were taken.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The position up to which there is no line feed.
    private var searched = 0

    mutating func append(_ received: some Collection<UInt8>) {
        bytes.removeSubrange(..<start)
        (searched, start) = (searched - start, 0)
        bytes += received
    }

    /// Takes the next line without its line feed; nil until one is complete.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        defer { (start, searched) = (end + 1, end + 1) }
        return bytes[start..<end]
    }
}

/// Paths of open file descriptors, such as `/dev/fd/63`, as a shell passes `<(…)`.
enum DescriptorPath {
    /// Returns the path by which a child process opens the file of this process; other paths are returned unchanged.
    static func forChildren(_ path: String) -> String {
        guard let number = path == "/dev/stdin" ? "0" : descriptor(path) else { return path }
        return "/proc/\(getpid())/fd/\(number)"
    }

    /// Returns the number of the descriptor in `path`.
    private static func descriptor(_ path: String) -> Substring? {
        guard let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix) else { return nil }
        let digits = path.dropFirst(prefix.count)
        return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) } ? digits : nil
    }
}
