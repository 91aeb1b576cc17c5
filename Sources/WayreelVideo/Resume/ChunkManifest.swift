internal import FoundationEssentials
internal import WayreelCore

/// The list of finished chunks of an encoding.
struct ChunkManifest: Codable {
    struct Chunk: Codable, Equatable {
        /// The renditions in the order of the plan.
        var renditions: [EncodedRendition]
        /// Seconds by which the last frame is extended beyond its end in the source.
        var heldSeconds: Double
        /// The damage of the source up to the end of the chunk.
        var damage: DecodingDamage

        var end: Double { renditions.first?.end ?? 0 }

        fileprivate func isUsable(_ count: Int) -> Bool {
            renditions.count == count && renditions.allSatisfy(\.isUsable)
                && ChunkManifest.seconds.contains(heldSeconds) && damage.isUsable
        }
    }

    /// The identity of the source, the plan and the program that the chunks belong to.
    var identity: String
    var chunks: [Chunk] = []
    /// The start of the next chunk; nil if all are finished.
    var next: ChunkStart? = .beginning

    private static let maxBytes = 1 << 28

    /// Returns the manifest at `path`, or nil if there is none or it cannot be decoded.
    static func read(_ path: String) -> ChunkManifest? {
        guard let bytes = try? MediaBytes.read(path: path, limit: maxBytes) else { return nil }
        return withExtendedLifetime(bytes) {
            try? JSONDecoder().decode(ChunkManifest.self, from: Data($0.buffer))
        }
    }

    func write(_ path: String) throws(MediaError) {
        let json: Data
        do { json = try JSONEncoder().encode(self) } catch {
            throw MediaError(.io, step: .write, subject: path, reason: "cannot be written: \(error)")
        }
        try OutputFile.write([UInt8](json), to: path)
    }

    // MARK: Checks

    /// Whether an encoding with this number of renditions can resume from the manifest, which may be damaged.
    func isUsable(identity: String, renditions: Int) -> Bool {
        self.identity == identity && chunks.allSatisfy { $0.isUsable(renditions) } && next?.isUsable ?? true
            && !(chunks.isEmpty && next == nil)
    }

    /// The plausible counts of a chunk. The sum over all chunks of a manifest does not overflow an Int.
    fileprivate static let counts = 0...1 << 40
    fileprivate static let seconds = 0.0...FrameClock.maxSeconds
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

extension FrameClock.State {
    fileprivate var isUsable: Bool {
        [jumps, dropped, collisions].allSatisfy(ChunkManifest.counts.contains)
            && (0...Int64(1) << 53).contains(last?.pts ?? 0)
            && [due, shift, last?.seconds ?? 0].allSatisfy { $0.magnitude <= FrameClock.maxSeconds }
    }
}
