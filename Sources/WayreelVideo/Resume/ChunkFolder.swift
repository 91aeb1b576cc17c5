internal import FoundationEssentials
internal import Glibc
internal import WayreelAV
internal import WayreelCore

/// The finished parts of an encoding that may be interrupted, in a folder beside its output: `out.mp4.parts`, with the packets
/// of each part and rendition, `4-0.packets`, and the small pictures of each part, `4.pictures`.
///
/// What is in it fits together with one plan for one file only; anything else that it holds is begun anew.
final class ChunkFolder: @unchecked Sendable {
    /// Where a part begins.
    struct Start: Codable, Equatable {
        /// The time of its first picture in units of its stream.
        var sourceTime: Int64
        /// Pictures that come before it.
        var sourcePictures: Int
        /// As it was before that picture; nil: as the source begins.
        var clock: FrameClock?
        /// What had gone wrong by then.
        var damage = FrameSource.Damage()

        /// The first part's.
        static let ofAll = Start(sourceTime: .min, sourcePictures: 0, clock: nil)
    }

    /// What is known of a part that is finished.
    struct Part: Codable, Equatable {
        /// As they stand in the plan.
        var renditions: [Rendition]
        /// At its end, for which the last picture stays longer than in the source.
        var heldSeconds: Double
        /// What had gone wrong with the source by its end.
        var damage: FrameSource.Damage

        /// What has become of its pictures in one of them.
        struct Rendition: Codable, Equatable {
            var frames: Int
            var bytes: Int
            /// When the last picture ends, in seconds of output.
            var end: Double
            /// What was measured of its quality, where one is asked for.
            var quality: QualityMeter.Tally?
        }

        var end: Double { renditions.first?.end ?? 0 }
    }

    private struct Manifest: Codable {
        /// What the parts are of.
        var identity: String
        var parts: [Part]
        /// Where the next one begins; nil when all are done.
        var next: Start?
    }

    let path: String
    private let lock: Int32
    private var manifest: Manifest

    private static let manifestName = "parts.json"
    private static let lockName = "lock"
    private static let packets = ".packets"
    private static let pictures = ".pictures"

    /// Opens or makes the folder beside `output`.
    ///
    /// `identity`: the plan and the file. Throws an `io` error where it cannot be written, or another process works on it.
    init(beside output: String, identity: String) throws(MediaError) {
        path = OutputFolder.resolved(output) + ".parts"
        if mkdir(path, 0o777) != 0, errno != EEXIST { throw Self.fault(path, errno) }
        lock = open("\(path)/\(Self.lockName)", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
        guard lock >= 0 else { throw Self.fault(path, errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw MediaError(
                .io, step: "write", subject: path, reason: "another process is writing it",
                advice: "wait until it has ended")
        }
        let found = Self.read("\(path)/\(Self.manifestName)")
        if let found, found.identity == identity {
            manifest = found
        } else {
            manifest = Manifest(identity: identity, parts: [], next: .ofAll)
            removeParts()
        }
    }

    deinit { close(lock) }

    /// Removes the folder beside `output` that a process which has ended has left, where nothing but parts is in it.
    static func removeLeft(beside output: String) {
        let path = OutputFolder.resolved(output) + ".parts"
        let lock = open("\(path)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard lock >= 0 else { return }
        defer { close(lock) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
        OutputFile.discardUnfinished(in: path)
        let names = OutputFolder.entries(of: path)
        guard names.allSatisfy({ isOfPart($0) || $0 == manifestName || $0 == lockName }) else { return }
        for name in names where isOfPart(name) { unlink("\(path)/\(name)") }
        for name in [manifestName, lockName] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private static func isOfPart(_ name: String) -> Bool { name.hasSuffix(packets) || name.hasSuffix(pictures) }

    private static func fault(_ path: String, _ code: Int32) -> MediaError {
        MediaError(.io, step: "write", subject: path, reason: systemReason(code))
    }

    private static func read(_ path: String) -> Manifest? {
        guard let bytes = try? MediaBytes.read(path: path, limit: 1 << 28) else { return nil }
        return withExtendedLifetime(bytes) {
            try? JSONDecoder().decode(Manifest.self, from: Data($0.buffer))
        }
    }

    /// Those that are finished, in their order.
    var parts: [Part] { manifest.parts }
    /// Where the next part begins; nil when all are done.
    var next: Start? { manifest.next }

    func packets(ofPart number: Int, rendition: Int) -> String { "\(path)/\(number)-\(rendition)\(Self.packets)" }

    func pictures(ofPart number: Int) -> String { "\(path)/\(number)\(Self.pictures)" }

    /// All parts of a rendition together.
    func total(ofRendition index: Int) -> Part.Rendition {
        parts.reduce(into: Part.Rendition(frames: 0, bytes: 0, end: 0)) { total, part in
            let made = part.renditions[index]
            let quality = [total.quality, made.quality].compactMap(\.self)
            total = Part.Rendition(
                frames: total.frames + made.frames, bytes: total.bytes + made.bytes, end: made.end,
                quality: quality.isEmpty ? nil : quality.reduce(QualityMeter.Tally(), +))
        }
    }

    /// Says that the next part is finished, and where the one after it begins.
    func add(_ part: Part, next: Start?) throws(MediaError) {
        manifest.parts.append(part)
        manifest.next = next
        let json: Data
        do { json = try JSONEncoder().encode(manifest) } catch {
            throw MediaError(.io, step: "write", subject: path, reason: "its list cannot be written: \(error)")
        }
        try OutputFile.write([UInt8](json), to: "\(path)/\(Self.manifestName)")
    }

    /// Hands all packets of a rendition to `sink`, and finishes it.
    func join(rendition: Int, into sink: any PacketSink, watch: TaskWatch) throws(MediaError) {
        var last = Int64.min
        for number in parts.indices {
            try watch.check()
            try PacketFile.read(packets(ofPart: number, rendition: rendition)) { (packet) throws(MediaError) in
                // Where times vary, an encoder that begins anew may go back a little.
                let time = max(packet.decodingTime ?? 0, last == .min ? .min : last + 1)
                (packet.decodingTime, last) = (time, time)
                try sink.take(packet)
            }
        }
        try sink.finish()
    }

    /// Runs `body`, which goes on with these parts. Where it throws, its error tells that they stay; where there are none yet,
    /// the folder is removed.
    func keep<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        do { return try body() } catch {
            guard !parts.isEmpty else {
                remove()
                throw error
            }
            var told = error
            let kept = "finished parts are in \(path), and the next run goes on from there"
            told.advice = error.advice.map { "\($0); \(kept)" } ?? kept
            throw told
        }
    }

    /// Removes the folder when what was made of it stands at its place.
    func remove() {
        removeParts()
        for name in [Self.manifestName, Self.lockName] { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    private func removeParts() {
        for name in OutputFolder.entries(of: path) where Self.isOfPart(name) {
            unlink("\(path)/\(name)")
        }
        // Nobody else writes here now.
        OutputFile.discardUnfinished(in: path)
    }
}
