import TestSupport
internal import FoundationEssentials

/// Wayreel's JSON of levels as parsed by another program.
struct LevelsText: Decodable {
    struct Channel: Decodable {
        var name: String
        var min: [Double]?
        var max: [Double]?
        var peak: [Double]?
        var rms: [Double]?
        var meter: [Double]?
        var hold: [Double]?
    }

    var schema: String
    var version: Int
    var sampleRate: Int
    var sampleCount: Int
    var bucketCount: Int
    var lastBucketSamples: Int
    var lastBucketIsPartial: Bool
    var unit: String
    var channels: [Channel]

    init(_ bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(LevelsText.self, from: Data(bytes))
    }
}

extension Workbench {
    func levels(_ name: String) throws -> LevelsText { try LevelsText(try bytes(name)) }
}
