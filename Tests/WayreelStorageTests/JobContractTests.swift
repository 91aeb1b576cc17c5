import StorageSupport
import TestSupport
import Testing
import WayreelStorage

extension Implementation {
    /// A store without jobs, in a folder.
    fileprivate func makeJobs(in folder: TemporaryFolder) throws -> any JobStoring {
        switch self {
        case .files: try SQLiteJobs("\(folder.path)/jobs.sqlite", threads: CallingThread())
        case .memory: MemoryJobs()
        }
    }
}

/// What ``JobStoring`` promises.
@Suite struct JobContractTests {
    private let folder = TemporaryFolder()

    private func job(_ id: String, created: Double = 1, state: String = "queued") -> StoredJob {
        StoredJob(
            id: id, work: "{\"a\":\"ü\"}", state: state, created: created, ended: nil, inputBytes: 5, resultBytes: nil,
            problem: nil, starts: 0)
    }

    @Test(arguments: Implementation.allCases) func hasWhatWasPut(_ kind: Implementation) async throws {
        let store = try kind.makeJobs(in: folder)
        #expect(try await store.jobs().isEmpty)
        var second = job("b", created: 2.5)
        try await store.put(second)
        try await store.put(job("c", created: 1))
        try await store.put(job("a", created: 1))
        // The oldest first.
        #expect(try await store.jobs() == [job("a"), job("c"), second])
        (second.state, second.ended, second.resultBytes) = ("failed", 3.25, 1 << 40)
        (second.problem, second.starts, second.inputBytes) = ("{}", 2, 0)
        try await store.put(second)
        #expect(try await store.jobs() == [job("a"), job("c"), second])
    }

    @Test(arguments: Implementation.allCases) func removesWhatThereIs(_ kind: Implementation) async throws {
        let store = try kind.makeJobs(in: folder)
        for id in ["a", "b"] { try await store.put(job(id)) }
        for _ in 0..<2 { try await store.remove("a") }
        #expect(try await store.jobs() == [job("b")])
    }

    @Test(arguments: Implementation.allCases) func manyWriteAtOnce(_ kind: Implementation) async throws {
        let store = try kind.makeJobs(in: folder)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await store.put(job("\(number % 10)", state: "\(number)")) } }
            try await group.waitForAll()
        }
        let jobs = try await store.jobs()
        #expect(jobs.map(\.id) == (0..<10).map { "\($0)" })
        #expect(jobs.allSatisfy { Int($0.state).map { $0 % 10 } == Int($0.id) })
    }

    /// The next server finds them, also those of a version that it does not know.
    @Test func theFileHasThemAfterItIsOpenedAgain() async throws {
        let path = "\(folder.path)/jobs.sqlite"
        let first = try SQLiteJobs(path, threads: CallingThread())
        try await first.put(job("a", state: "of another version"))
        #expect(try await SQLiteJobs(path, threads: CallingThread()).jobs() == [job("a", state: "of another version")])
    }
}
