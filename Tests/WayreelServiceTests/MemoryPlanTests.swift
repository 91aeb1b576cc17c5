import Testing
import WayreelCore
import WayreelService

struct MemoryPlanTests {
    private static func settings(
        _ memory: Int, jobs: Int = 2, transcodes: Int? = nil, maxMemory: Int? = nil
    ) -> ServiceSettings {
        var settings = ServiceSettings()
        (settings.memory, settings.jobs, settings.maxMemory) = (memory, jobs, maxMemory)
        if let transcodes { (settings.data, settings.transcodes) = ("data", transcodes) }
        return settings
    }

    /// The numbers of the lines that `--check` prints: the whole first, then its parts.
    private static func megabytes(_ plan: MemoryPlan) -> [Int] {
        plan.lines.compactMap { line in
            line.split(separator: " ").lazy.compactMap { Int($0) }.first
        }
    }

    @Test(arguments: [600, 1000, 1879, 4000, 12_000, 64_000], [nil, 1, 2] as [Int?])
    func thePartsMakeUpTheWhole(megabytes: Int, transcodes: Int?) throws {
        for jobs in [1, 2, 4] {
            let plan = try? MemoryPlan(Self.settings(megabytes * 1_000_000, jobs: jobs, transcodes: transcodes))
            guard let plan else {
                #expect(megabytes <= 1000, "\(jobs) jobs")
                continue
            }
            let numbers = Self.megabytes(plan)
            #expect(numbers.first == megabytes)
            let sum = numbers.dropFirst().reduce(0, +)
            // Each part is printed in whole megabytes.
            #expect((megabytes - numbers.count...megabytes).contains(sum), "\(plan.lines)")
        }
    }

    @Test func tooLittleMemoryIsRefusedWithAReason() {
        let error = #expect(throws: MediaError.self) { try MemoryPlan(Self.settings(300_000_000, transcodes: 1)) }
        #expect(error?.description.contains("300 MB of memory are too little") == true)
        let large = #expect(throws: MediaError.self) {
            try MemoryPlan(Self.settings(2_000_000_000, maxMemory: 1_900_000_000))
        }
        #expect(large?.description.contains("max-memory of 1900 MB does not fit") == true)
    }
}
