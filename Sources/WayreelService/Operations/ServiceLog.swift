internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore

/// Writes a line of JSON for each request, and for each fault of a job's storage, to standard error.
struct ServiceLog: Sendable {
    /// `fault` is the server's own error, if that is the cause of the answer.
    func write(_ request: Request, _ response: Response, id: String, seconds: Double, fault: String?) {
        write(
            method: request.method.rawValue, path: request.uri.path, status: response.status.code,
            bytes: response.body.contentLength ?? -1, id: id, seconds: seconds,
            fault: fault)
    }

    /// `receivedBytes`: the bytes that a WebSocket received.
    func write(
        method: String, path: String, status: Int, bytes: Int, id: String, seconds: Double, receivedBytes: Int? = nil,
        fault: String? = nil
    ) {
        var members = [
            "\"request\":\(id.jsonQuoted)",
            // The query is left out, because it may contain a signature or a token.
            "\"method\":\(method.jsonQuoted)", "\"path\":\(Self.withoutIDs(path).jsonQuoted)",
            "\"status\":\(status)", "\"bytes\":\(bytes)",
            "\"milliseconds\":\((seconds * 1_000_000).rounded() / 1000)",
        ]
        if let receivedBytes { members.append("\"received\":\(receivedBytes)") }
        if let fault { members.append("\"fault\":\(fault.jsonQuoted)") }
        write(members)
    }

    /// Records that the state of a job could not be stored or removed, because no client learns it.
    func write(job id: String, fault: String) {
        write(["\"job\":\(Self.shortened(id).jsonQuoted)", "\"fault\":\(fault.jsonQuoted)"])
    }

    /// Records a fault of players' files that no answer tells: a journal that cannot be read beside others, or a deletion.
    func write(playersFault fault: String) { write(["\"fault\":\(fault.jsonQuoted)"]) }

    private func write(_ members: [String]) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = "\"time\":\(Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000)"
        let line = Array("{\(([time] + members).joined(separator: ","))}\n".utf8)
        _ = line.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
    }

    /// Shortens ids of jobs to their beginning, because whoever knows an id may read the job.
    private static func withoutIDs(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard path.hasPrefix("/v1/jobs/"), parts.count > 3 else { return path }
        return (parts[..<3] + [Substring(shortened(parts[3]))] + parts[4...]).joined(separator: "/")
    }

    private static func shortened(_ id: some StringProtocol) -> String { "\(id.prefix(6))…" }
}
