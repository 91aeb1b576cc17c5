internal import WayreelAV
public import WayreelCore
public import WayreelImage
public import WayreelVideo

/// The content of a file: an image, or audio and video streams.
public enum FileProbe: Sendable, Codable {
    case image(ImageProbe)
    case media(MediaProbe)

    public init(from decoder: any Decoder) throws {
        let probe = try CaseDecoder(decoder)
        self =
            switch probe.name {
            case "image": .image(try probe.value())
            case "media": .media(try probe.value())
            default: throw probe.unknownName
            }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .image(let image): try encoder.encode(case: "image", image)
        case .media(let media): try encoder.encode(case: "media", media)
        }
    }

    /// Probes the file at `path`, or standard input for `-`, which is buffered in an unnamed file.
    ///
    /// Throws what ``ImageProbe`` and ``MediaProbe`` throw. It blocks while a decoder hangs; ``IsolatedProbe`` does
    /// not.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        let context = TaskContext(seconds: videoLimits.seconds, cancellation: cancellation)
        do throws(MediaError) {
            return try RereadableInput(path, task: context).read { (source) throws(MediaError) in
                if let path = source.path,
                    FileHead.withFirstBytes(of: path, { ImageProbe.isImage(beginningWith: $0) }) == true
                {
                    return .image(try ImageProbe.probe(path: path, limits: limits, cancellation: cancellation))
                }
                return .media(try MediaProbe.probe(source, limits: videoLimits, task: context))
            }
        } catch {
            var named = error
            // An image of an unknown format is an `unsupported` error.
            if named.code == .unknownFormat, named.kind == .decoding {
                named.reason = "is not a known image, audio or video format"
                if case let refusal?? = FileHead.withFirstBytes(of: path, { ImageProbe.refusal(beginningWith: $0) }) {
                    named.reason = "is not a known image, audio or video format, but looks like \(refusal.description)"
                    // The same advice as for an image, but another kind of file would do too.
                    let isImage = refusal.advice == ImageProbe.imageAdvice
                    named.advice = isImage ? "give an image, audio or video" : refusal.advice
                }
            }
            named.subject = path == "-" ? "standard input" : path
            throw named
        }
    }

    /// Probes the file at `path`, or standard input for `-`, on one of `pool`'s threads.
    ///
    /// Throws what ``probe(path:limits:videoLimits:cancellation:)`` throws.
    public static func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard, on pool: WorkPool = .shared
    ) async throws -> FileProbe {
        try await pool.run { (cancellation) throws(MediaError) in
            try probe(path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
        }
    }

    /// Probes an encoded file in memory, on one of `pool`'s threads.
    ///
    /// Throws what ``probe(path:limits:videoLimits:cancellation:)`` throws.
    public static func probe(
        _ bytes: [UInt8], limits: Limits = .standard, videoLimits: VideoLimits = .standard, on pool: WorkPool = .shared
    ) async throws -> FileProbe {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                try probe(path: path, limits: limits, videoLimits: videoLimits, cancellation: cancellation)
            }
        }
    }
}
