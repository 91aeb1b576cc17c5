internal import FoundationEssentials
internal import WayreelCore

/// The list of finished chunks of an encoding.
struct ChunkManifest: Codable {
    /// A finished chunk.
    struct Chunk: Codable, Equatable {
        /// In the order of the plan.
        var renditions: [EncodedRendition]
        /// Seconds for which its last frame is shown longer than by the source.
        var heldSeconds: Double
        /// The damage of the source up to its end.
        var damage: DecodingDamage

        var end: Double { renditions.first?.end ?? 0 }
    }

    /// What the chunks belong to: the source, the plan and the program.
    var identity: String
    var chunks: [Chunk] = []
    /// The start of the next chunk; nil when all are finished.
    var next: ChunkStart? = .beginning

    private static let maxBytes = 1 << 28

    /// The manifest at `path`; nil where there is none, or none that can be decoded.
    static func read(_ path: String) -> ChunkManifest? {
        guard let bytes = try? MediaBytes.read(path: path, limit: maxBytes) else { return nil }
        return withExtendedLifetime(bytes) {
            try? JSONDecoder().decode(ChunkManifest.self, from: Data($0.buffer))
        }
    }

    func write(_ path: String) throws(MediaError) {
        let json: Data
        do { json = try JSONEncoder().encode(self) } catch {
            throw MediaError(.io, step: "write", subject: path, reason: "cannot be written: \(error)")
        }
        try OutputFile.write([UInt8](json), to: path)
    }

    // MARK: Checks

    /// Whether an encoding of so many renditions can resume from it: a file may be damaged.
    func isUsable(identity: String, renditions: Int) -> Bool {
        self.identity == identity && chunks.allSatisfy { $0.isUsable(renditions) } && next?.isUsable ?? true
            && !(chunks.isEmpty && next == nil)
    }

    /// The plausible counts of a chunk. The sum over all chunks of a manifest fits into an Int.
    fileprivate static let counts = 0...1 << 40
    fileprivate static let seconds = 0.0...FrameGrid.maxSeconds
}

extension ChunkManifest.Chunk {
    fileprivate func isUsable(_ count: Int) -> Bool {
        renditions.count == count && renditions.allSatisfy(\.isUsable)
            && ChunkManifest.seconds.contains(heldSeconds) && damage.isUsable
    }
}

extension EncodedRendition {
    fileprivate var isUsable: Bool {
        ChunkManifest.counts.contains(frames) && ChunkManifest.counts.contains(bytes)
            && ChunkManifest.seconds.contains(end)
            && quality.map { $0.sum.isFinite && ChunkManifest.counts.contains($0.count) } ?? true
    }
}

extension DecodingDamage {
    fileprivate var isUsable: Bool { [lost, damaged, jumps, collisions].allSatisfy(ChunkManifest.counts.contains) }
}

extension ChunkStart {
    fileprivate var isUsable: Bool {
        ChunkManifest.counts.contains(sourceFrames) && clock?.isUsable ?? true && damage.isUsable
    }
}

extension FrameGrid.State {
    fileprivate var isUsable: Bool {
        [jumps, dropped, collisions].allSatisfy(ChunkManifest.counts.contains)
            && (0...Int64(1) << 53).contains(last?.pts ?? 0)
            && [due, shift, last?.seconds ?? 0].allSatisfy { $0.magnitude <= FrameGrid.maxSeconds }
    }
}
