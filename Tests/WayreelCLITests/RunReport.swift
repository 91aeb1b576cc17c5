import TestSupport
internal import FoundationEssentials

/// The file that `--report` writes, as parsed by another program.
struct RunReport: Decodable {
    struct Media: Decodable {
        var path: String
        var format: String?
        var width: Int?
        var height: Int?
        var seconds: Double?
        var bytes: Int?
    }

    struct Step: Decodable {
        var name: String
        var milliseconds: Double
    }

    struct Failure: Decodable {
        var kind: String
        var step: String
        var subject: String?
        var reason: String
        var advice: String?
    }

    struct Warning: Decodable {
        var step: String
        var message: String
    }

    struct Stream: Decodable {
        var action: String
        var reasons: [String]
        var crf: Double?
    }

    struct Task: Decodable {
        var status: String
        var input: Media
        var output: Media
        var furtherOutputs: [Media]?
        var steps: [Step]
        var wallMilliseconds: Double
        var cpuMilliseconds: Double
        var peakMemoryBytes: Int
        var warnings: [Warning]
        var streams: [Stream]?
        var error: Failure?
    }

    var wayreel: String
    var tasks: [Task]

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(RunReport.self, from: Data(bytes))
    }
}

extension Workbench {
    func report(_ name: String = "report.json") throws -> RunReport { try RunReport(try bytes(name)) }
}
