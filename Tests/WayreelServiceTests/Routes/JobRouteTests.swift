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
