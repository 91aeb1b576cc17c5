public import WayreelCore

/// The options of an HLS package.
public struct HLSOptions: Hashable, Sendable, Codable {
    /// Sizes and bit rates; nil: Apple's ladder up to the size of the source.
    public var ladder: [LadderRung]?
    /// The length of segments in seconds, a multiple of ``keyFrameInterval``.
    public var segmentSeconds: Double
    /// Seconds between keyframes.
    public var keyFrameInterval: Double
    /// The number of GOPs of the largest rendition that are encoded at the same time, 1 to 4, which affects the output;
    /// smaller renditions have fewer. Each after the first needs the memory of an encoder and of half a GOP's frames.
    /// nil: two up to 1280×720, three up to 960×540 with a preset up to `veryfast`, otherwise and for AV1 one;
    /// fewer for videos of a few GOPs.
    public var parallelGOPs: Int?
    /// Whether the segments are encrypted with AES-128.
    public var isEncrypted: Bool
    /// The URI of the key in the playlists; nil: that of the key file beside them.
    public var keyURI: String?
    /// Seconds between the thumbnails of the preview; nil: no preview.
    public var previewInterval: Double?

    package static let parallelGOPCounts = 1...4

    public init(
        ladder: [LadderRung]? = nil, segmentSeconds: Double = 6, keyFrameInterval: Double = 2,
        parallelGOPs: Int? = nil, isEncrypted: Bool = false, keyURI: String? = nil, previewInterval: Double? = 5
    ) {
        self.ladder = ladder
        self.segmentSeconds = segmentSeconds
        self.keyFrameInterval = keyFrameInterval
        self.parallelGOPs = parallelGOPs
        self.isEncrypted = isEncrypted
        self.keyURI = keyURI
        self.previewInterval = previewInterval
    }
}

/// One rendition of a bit rate ladder.
public struct LadderRung: Hashable, Sendable, Codable {
    /// The box that frames are fitted into; it is rotated for portrait video.
    public var box: PixelSize
    /// Average bits per second of the video.
    public var bitRate: Int

    public init(box: PixelSize, bitRate: Int) {
        self.box = box
        self.bitRate = bitRate
    }
}

extension LadderRung {
    /// Renditions as text, in pixels and kb/s: `960x540@2000,640x360@365`. nil if it is none.
    package static func ladder(_ text: String) -> [LadderRung]? {
        var rungs: [LadderRung] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "@", omittingEmptySubsequences: false)
            guard halves.count == 2, let box = PixelSize(halves[0]), let kilobits = Double(halves[1]),
                (1...1_000_000).contains(kilobits)
            else { return nil }
            rungs.append(LadderRung(box: box, bitRate: Int((kilobits * 1000).rounded())))
        }
        return rungs
    }
}
