internal import Glibc
internal import WayreelCore

/// Writes a line of JSON for each request, for each fault of a job's storage, and for what is read again, to standard error.
struct ServiceLog: Sendable {
    private static let writer = LogWriter(2) { line(["\"lost\":\($0)"]) }

    /// Waits until all lines are written, unless nobody reads them.
    static func flush() { writer.flush(within: 1) }

    /// `receivedBytes`: the bytes that a WebSocket received. `fault`: the server's own error, if that is the cause of the
    /// answer.
    func write(
        method: String, path: String, status: Int, bytes: Int, id: String, client: Client?, player: String? = nil,
        seconds: Double, receivedBytes: Int? = nil, fault: String? = nil
    ) {
        let who = [("client", client?.text), ("player", player)].compactMap { name, value in
            value.map { "\"\(name)\":\($0.jsonQuoted)" }
        }
        var members = ["\"request\":\(id.jsonQuoted)"] + who
        members += [
            // The query is left out, because it may contain a signature or a token.
            "\"method\":\(method.jsonQuoted)", "\"path\":\(Self.withoutIDs(path).jsonQuoted)",
            "\"status\":\(status)", "\"bytes\":\(bytes)",
            "\"milliseconds\":\((seconds * 1_000_000).rounded() / 1000)",
        ]
        if let receivedBytes { members.append("\"received\":\(receivedBytes)") }
        if let fault { members.append("\"fault\":\(fault.jsonQuoted)") }
        Self.write(members)
    }

    /// Records that the state of a job could not be stored or removed, because no client learns it.
    func write(job id: String, fault: String) {
        Self.write(["\"job\":\(Self.shortened(id).jsonQuoted)", "\"fault\":\(fault.jsonQuoted)"])
    }

    /// Records a fault of players' files that no answer tells: a journal that cannot be read beside others, or a deletion.
    func write(playersFault fault: String) { Self.write(["\"fault\":\(fault.jsonQuoted)"]) }

    /// Records why a request was refused to the client without the reason, `id` being that of the request.
    func note(_ fault: String, id: String) {
        Self.write(["\"request\":\(id.jsonQuoted)", "\"fault\":\(fault.jsonQuoted)"])
    }

    /// Records what was read again at SIGHUP. `fault`: why it was not, so that the earlier content stays. An operator has
    /// to know, also without a log of requests.
    static func write(reloaded name: String, fault: String? = nil) {
        let result = fault.map { "\"fault\":\(("the earlier content stays: " + $0).jsonQuoted)" }
        write(["\"reload\":\(name.jsonQuoted)"] + (result.map { [$0] } ?? []))
    }

    private static func write(_ members: [String]) { writer.write(line(members)) }

    private static func line(_ members: [String]) -> [UInt8] {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = "\"time\":\(Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000)"
        return Array("{\(([time] + members).joined(separator: ","))}\n".utf8)
    }

    /// Shortens ids of jobs to their beginning, because whoever knows an id may read the job, and replaces those of players
    /// by their pseudonyms.
    static func withoutIDs(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let named = parts.indices.filter { !parts[$0].isEmpty }
        guard named.count > 2, parts[named[0]] == "v1" else { return path }
        let id = parts[named[2]]
        switch parts[named[1]] {
        case "jobs": parts[named[2]] = shortened(id)
        case "players": parts[named[2]] = RequestRecord.pseudonym(of: PercentEncoding.decode(id) ?? id)
        default: return path
        }
        return parts.joined(separator: "/")
    }

    private static func shortened(_ id: some StringProtocol) -> String { "\(id.prefix(6))…" }
}

/// Writes lines to a descriptor on a thread of its own, so that no request waits for whoever reads them.
///
/// Lines wait in a bounded queue. If it is full, because a pipe is not read, further lines are lost and counted.
final class LogWriter: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        var lost = 0
    }

    private let descriptor: Int32
    private let state = Monitor(State())
    /// Makes the line that says how many were lost.
    private let lostLine: @Sendable (Int) -> [UInt8]

    private static let maxBytes = 1 << 20

    /// Starts the thread. If the system refuses it, lines are lost.
    init(_ descriptor: Int32, lostLine: @escaping @Sendable (_ count: Int) -> [UInt8]) {
        (self.descriptor, self.lostLine) = (descriptor, lostLine)
        _ = try? WorkThread.startDetached("log") { [self] in while true { writeNext() } }
    }

    /// Adds a line, with its line feed. Does not wait.
    func write(_ line: [UInt8]) {
        state.withLock { state in
            guard state.waiting.count + line.count <= Self.maxBytes else {
                state.lost += 1
                return
            }
            if state.lost > 0 {
                state.waiting += lostLine(state.lost)
                state.lost = 0
            }
            state.waiting += line
        }
        state.wakeOne()
    }

    /// Waits until all lines are written, at most for `seconds`.
    func flush(within seconds: Double) {
        state.withLock(when: { $0.waiting.isEmpty && !$0.isWriting }, until: Clock.wall + seconds) { _ in }
    }

    private func writeNext() {
        let lines = state.withLock(when: { !$0.waiting.isEmpty }) { state in
            defer { state.waiting = [] }
            state.isWriting = true
            return state.waiting
        }
        // If the reader is gone, there is nobody to tell.
        try? writeAll(lines, to: descriptor)
        state.update { $0.isWriting = false }
    }
}
