import FoundationEssentials
import WayreelBench
import WayreelCore

/// Reports for tests, in the structure of their JSON.
struct SampleReport: Encodable {
    struct Machine: Encodable {
        var processor = "A processor"
        var availableCores = 2
        var onlineCores = 4
        var memoryBytes = 16_000_000_000
        var kernel = "Linux 6.1.0"
        var virtualization: [String] = []
        var libraries = ["libjpeg-turbo": "2.1.5"]
    }

    struct Task: Encodable {
        struct Input: Encodable {
            var name = "photo.jpg"
            var bytes = 1_957_448
        }

        var suite: String
        var about = "a photo to 960×640"
        var input = Input()
        var candidates: [Candidate]
        var absent: [String] = []
    }

    struct Candidate: Encodable {
        var name: String
        var command = ["wayreel", "capture", "in.jpg"]
        var runs: [Run]
        var failure: String?
        var outputBytes: Int? = 166_912
        var unavailable: [Lack] = []

        init(_ name: String, wall: [Double], memory: Int? = 32_400_000, failure: String? = nil) {
            self.name = name
            self.failure = failure
            runs = wall.map { Run(wallMilliseconds: $0, userMilliseconds: $0 * 0.75, peakMemoryBytes: memory) }
        }
    }

    struct Run: Encodable {
        var wallMilliseconds: Double
        var userMilliseconds: Double
        var systemMilliseconds = 2.0
        var peakMemoryBytes: Int?
        var calibration = [
            "computing": ["wallMilliseconds": 10.0, "cpuMilliseconds": 10.0],
            "faulting": ["wallMilliseconds": 10.0, "cpuMilliseconds": 10.0],
        ]
    }

    struct Lack: Encodable {
        var figure: String
        var reason: String
    }

    var kind = "wayreel-bench"
    var version = 3
    var wayreel = "1.3.0"
    var date = "2026-11-21T21:04:25Z"
    var machine = Machine()
    var results: [Task]

    init(_ results: [Task]) { self.results = results }

    var report: BenchReport {
        get throws { try JSONDecoder().decode(BenchReport.self, from: JSONEncoder().encode(self)) }
    }

    // MARK: Samples

    static let ours = [118.4, 74.3, 96.2, 95.3, 103.1, 97]
    static let theirs = [217.3, 156, 157.6, 181.3, 202.9, 190]

    static func task(_ name: String) -> Task {
        Task(suite: name, candidates: [Candidate("wayreel", wall: ours), Candidate("vipsthumbnail", wall: theirs)])
    }
}
