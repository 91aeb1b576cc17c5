internal import FoundationEssentials
internal import WayreelCore
internal import WayreelStorage

/// A stored task that runs after its request was answered. Its id authorizes every request about it.
struct Job: Sendable {
    enum State: String, Sendable, CaseIterable {
        case queued, running, done, failed, cancelled

        var isEnded: Bool { self != .queued && self != .running }
    }

    /// 160 random bits.
    let id: String
    let payload: JobPayload
    var state = State.queued
    /// Seconds since 1970.
    let created: Double
    var ended: Double?
    var inputBytes: Int
    var resultBytes: Int?
    /// The problem document of a failed job.
    var problem: String?
    /// The number of starts, except those that a regular stop of the server interrupted.
    var starts = 0

    init(id: String = Job.newID(), payload: JobPayload, created: Double = Date().timeIntervalSince1970, inputBytes: Int)
    {
        self.id = id
        self.payload = payload
        self.created = created
        self.inputBytes = inputBytes
    }

    /// The bytes of its input and result on disk.
    var bytes: Int { inputBytes + (resultBytes ?? 0) }

    mutating func end(_ state: State, _ problem: Problem? = nil) {
        self.state = state
        ended = Date().timeIntervalSince1970
        self.problem = problem?.json()
        if state != .done { inputBytes = 0 }
    }

    private static func newID() -> String {
        var source = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<20).map { _ in UInt8.random(in: 0...255, using: &source) })
    }

    /// `progress` is from 0 to 1. An ended job is kept for `seconds`.
    func json(progress: Double, keptFor seconds: Int) -> String {
        var members = [
            ("id", id.jsonQuoted), ("kind", payload.kind.rawValue.jsonQuoted), ("state", state.rawValue.jsonQuoted),
            ("progress", "\((progress * 10_000).rounded() / 10_000)"), ("created", Self.time(created).jsonQuoted),
        ]
        if let ended {
            members += [
                ("ended", Self.time(ended).jsonQuoted), ("expires", Self.time(ended + Double(seconds)).jsonQuoted),
            ]
        }
        if state == .done, let resultBytes {
            let result = "/v1/jobs/\(id)/result"
            members += [
                ("result", (payload.playlist.map { "\(result)/\($0)" } ?? result).jsonQuoted),
                ("type", payload.resultType.jsonQuoted), ("bytes", "\(resultBytes)"),
            ]
            if let poster = payload.poster { members.append(("poster", "\(result)/\(poster)".jsonQuoted)) }
        }
        if let problem { members.append(("problem", problem)) }
        return "{\(members.map { "\($0.0.jsonQuoted):\($0.1)" }.joined(separator: ","))}"
    }

    private static func time(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601)
    }
}

extension Job {
    /// A stored job. One that this version cannot read is of the kind ``JobPayload/Kind/unknown``.
    init(_ stored: StoredJob) {
        let state = State(rawValue: stored.state)
        let payload = state == nil ? JobPayload(unknown: stored.work) : JobPayload(text: stored.work)
        self.init(id: stored.id, payload: payload, created: stored.created, inputBytes: stored.inputBytes)
        self.state = state ?? .failed
        (ended, resultBytes) = (stored.ended, stored.resultBytes)
        (problem, starts) = (stored.problem, stored.starts)
    }

    /// Throws if the options cannot be written as JSON.
    func stored() throws -> StoredJob {
        StoredJob(
            id: id, work: try payload.text(), state: state.rawValue, created: created, ended: ended,
            inputBytes: inputBytes, resultBytes: resultBytes, problem: problem, starts: starts)
    }
}

extension JobStoring {
    func put(_ job: Job) async throws { try await put(job.stored()) }
}
