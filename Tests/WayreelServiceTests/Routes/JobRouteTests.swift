import HTTPTypes
import StorageSupport
import TestSupport
import Testing
import WayreelCore
import WayreelService
import WayreelStorage

/// Jobs that need no child process: those that another server has left, and those that cannot be stored.
struct JobRouteTests {
    private static let job = StoredJob(
        id: "job", work: "{\"hologram\":{}}", state: "queued", created: 1_700_000_000, ended: nil, inputBytes: 10,
        resultBytes: nil, problem: nil, starts: 0)

    private static func service(_ jobs: any JobStoring) throws -> TestService {
        let players = MemoryPlayers(maxImageBytes: 1_000_000)
        return try TestService([("data", "FOLDER/data")], stores: ServiceStores(players: players, jobs: jobs))
    }

    /// Documentation/service.md: a job of another version fails, and is kept for that version until it expires.
    @Test func aJobOfAnotherVersionIsToldAndKept() async throws {
        let jobs = MemoryJobs([Self.job])
        try await Self.service(jobs).test { client in
            let answer = try await client.send(.get, "/v1/jobs/job")
            #expect(answer.status == 200 && answer.member("state") == "failed")
            #expect(answer.text.contains("\"code\":\"version\""))
            let result = try await client.send(.get, "/v1/jobs/job/result")
            #expect(result.status == 409 && result.member("code") == "no-result")
            #expect(await jobs.jobs() == [Self.job])
            // The client may delete it.
            #expect(try await client.send(.delete, "/v1/jobs/job").status == 204)
            #expect(try await client.send(.delete, "/v1/jobs/job").status == 404)
            #expect(try await client.send(.get, "/v1/jobs/job").status == 404)
            #expect(await jobs.jobs().isEmpty)
        }
    }

    /// A store of a slow disk: it stores jobs of some states when the test lets it.
    private actor SlowJobs: JobStoring {
        private let jobsInMemory = MemoryJobs()
        private var heldStates: Set<String>
        private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
        /// The states of the jobs that were stored, in this order.
        private(set) var storedStates: [String] = []

        init(holding states: Set<String>) { heldStates = states }

        func put(_ job: StoredJob) async {
            if heldStates.contains(job.state) {
                await withCheckedContinuation { waiting[job.state, default: []].append($0) }
            }
            await jobsInMemory.put(job)
            storedStates.append(job.state)
        }

        func remove(_ id: String) async { await jobsInMemory.remove(id) }
        func jobs() async -> [StoredJob] { await jobsInMemory.jobs() }

        func isHolding(_ state: String) -> Bool { waiting[state] != nil }

        /// Stores the jobs that wait, and holds no further ones of this state.
        func release(_ state: String) {
            heldStates.remove(state)
            for job in waiting.removeValue(forKey: state) ?? [] { job.resume() }
        }
    }

    /// Polls for ten seconds. Returns whether it held.
    private static func holds(_ condition: () async -> Bool) async throws -> Bool {
        for _ in 0..<10_000 {
            if await condition() { return true }
            try await Task.sleep(for: .milliseconds(1))
        }
        return false
    }

    /// Documentation/service.md: DELETE cancels a job, and removes one that has ended. What was removed is not stored again by
    /// what began to store it before, so that it is not there after a restart either.
    ///
    /// The jobs start no process: the first one waits until its start is stored and is cancelled meanwhile, and the second one
    /// waits for the first.
    @Test func aRemovedJobDoesNotComeBack() async throws {
        let jobs = SlowJobs(holding: ["running", "cancelled"])
        let players = MemoryPlayers(maxImageBytes: 1_000_000)
        let service = try TestService(
            [("data", "FOLDER/data"), ("transcodes", "1")], stores: ServiceStores(players: players, jobs: jobs))
        let removed = try await service.test { client in
            func post() async throws -> String {
                let answer = try await client.send(.post, "/v1/transcodes", body: [1, 2, 3])
                #expect(answer.status == 202)
                return try #require(answer.header("location"))
            }
            let first = try await post()
            try #require(try await Self.holds { await jobs.isHolding("running") })
            let second = try await post()

            // The request that cancels the second job stores its end after another request has removed the job. If it did no more
            // than store it, the job would stay: it has no work, whose end would remove it, and the removal is over.
            async let cancelling = client.send(.delete, second)
            try #require(try await Self.holds { await jobs.isHolding("cancelled") })
            #expect(try await client.send(.delete, second).status == 204)
            #expect(try await client.send(.get, second).status == 404)
            await jobs.release("cancelled")
            #expect(try await cancelling.status == 204)
            let kept = await jobs.jobs().map { "/v1/jobs/\($0.id)" }
            #expect(kept == [first])

            // The work of the first job stores its start after the job has been cancelled and removed. If nothing removed it then, the
            // next server would find it as running and start it again.
            #expect(try await client.send(.delete, first).status == 204)
            #expect(try await client.send(.delete, first).status == 204)
            #expect(await jobs.jobs().isEmpty)
            await jobs.release("running")
            try #require(try await Self.holds { await jobs.storedStates.contains("running") })
            try #require(try await Self.holds { await jobs.jobs().isEmpty })
            return [first, second]
        }
        try await Self.service(jobs).test { client in
            for job in removed {
                let answer = try await client.send(.get, job)
                #expect(answer.status == 404)
            }
        }
    }

    /// A store whose disk is full.
    private struct FullJobs: JobStoring {
        let error: MediaError
        var isReadable = true

        func put(_ job: StoredJob) async throws(StorageFault) { throw .failed(error) }
        func remove(_ id: String) async throws(StorageFault) {}
        func jobs() async throws(StorageFault) -> [StoredJob] {
            guard isReadable else { throw .failed(error) }
            return []
        }
    }

    /// The command prints the error of the file, and its advice.
    @Test func jobsThatCannotBeReadEndTheStart() async throws {
        let error = MediaError(system: 5, step: .write, subject: "jobs.sqlite")
        let service = try Self.service(FullJobs(error: error, isReadable: false))
        await #expect(throws: MediaError.self) { try await service.service.begin() }
    }

    /// RFC 4918, section 11.5. Neither a path of the server nor the input is left behind.
    @Test(arguments: [(28, 507), (5, 503)] as [(Int32, Int)])
    func aJobThatCannotBeStoredIsRefused(code: Int32, status: Int) async throws {
        let error = MediaError(system: code, step: .write, subject: "/srv/secret/jobs.sqlite")
        let service = try Self.service(FullJobs(error: error))
        try await service.test { client in
            let answer = try await client.send(.post, "/v1/transcodes", body: [1, 2, 3])
            #expect(answer.status == status && !answer.text.contains("secret"))
        }
        #expect(Directory.entries(of: "\(service.folder.path)/data/jobs").isEmpty)
    }

    @Test func wrongJobsAreRefused() async throws {
        try await Self.service(MemoryJobs()).test { client in
            #expect(try await client.send(.post, "/v1/transcodes?crf=999", body: [1]).status == 400)
            #expect(try await client.send(.post, "/v1/transcodes?x=1", body: [1]).status == 400)
            let form = try await client.send(
                .post, "/v1/transcodes", [.contentType: "multipart/form-data; boundary=x"], body: [1])
            #expect(form.status == 415 && form.member("code") == "form")
            #expect(try await client.send(.get, "/v1/jobs/unknown/events").status == 404)
        }
    }
}
