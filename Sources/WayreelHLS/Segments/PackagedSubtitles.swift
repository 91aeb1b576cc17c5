internal import WayreelVideo

/// A written subtitle track of a package.
struct PackagedSubtitles: Hashable {
    struct Segment: Hashable {
        var name: String
        var seconds: Double
        /// The IV of the encryption; nil: not encrypted.
        var iv: [UInt8]?
    }

    var folder: String
    var language: LanguageCode?
    var title: String?
    var segments: [Segment]
}
