internal import FoundationEssentials
internal import WayreelAV
package import WayreelCore
internal import WayreelFace
internal import WayreelImage
internal import WayreelMapFiles
internal import WayreelVideo

/// Decodes prepared files completely.
package enum MediaDecoding {
    /// Throws a `decoding` error if any part of a file does not decode. `path` leads to `file` of a bundle.
    package static func check(
        _ path: String, _ file: MediaFile, _ cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        let task = TaskContext(seconds: VideoLimits.standard.seconds, cancellation: cancellation)
        switch file.type {
        case "application/json": try checkJSON(path)
        case "image/svg+xml", "application/octet-stream": break
        case "text/vtt": try checkCaptions(path)
        case Planner.tileType: try checkTile(path)
        case "font/woff2": _ = try FontFile(path: path, task: task)
        case "application/vnd.apple.mpegurl": try checkHLS(path, cancellation)
        case let type where type.hasPrefix("image/"): try checkImage(path, file, task)
        default: try checkStreams(path, task)
        }
    }

    private static func checkImage(
        _ path: String, _ file: MediaFile, _ task: TaskContext
    ) throws(MediaError) {
        let bytes = try MediaBytes.read(path: path, limit: .max, task: task)
        // The output is small, because only the decoding of the whole input matters: its damage is thrown, and warnings
        // are about other things, such as an image that is smaller than the output.
        var options = CaptureOptions(
            framing: Framing(screen: PixelSize(width: 32, height: 32), fit: .contain), tolerance: .warning)
        // An image may be larger than the standard limit if the bundle was prepared with a higher one.
        let size = PixelSize(width: file.width ?? 0, height: file.height ?? 0)
        options.limits.pixels = max(options.limits.pixels, size.pixels)
        options.limits.streamedPixels = max(options.limits.streamedPixels, size.pixels)
        _ = try CapturePipeline(options).prepare(bytes, task: task)
    }

    private static func checkStreams(_ path: String, _ task: TaskContext) throws(MediaError) {
        let file = try Demuxer(.path(path), task: task)
        var decoders: [Int: StrictDecoder] = [:]
        for stream in file.info.streams where stream.kind == .video || stream.kind == .audio {
            decoders[stream.index] = try StrictDecoder(file, stream: stream.index, threads: 1, limits: .standard)
        }
        guard !decoders.isEmpty else {
            throw MediaError(.decoding, step: .verify, reason: "holds neither video nor audio")
        }
        while let packet = try file.next() {
            try task.check()
            try decoders[packet.stream]?.decode(packet)
        }
        for (stream, decoder) in decoders.sorted(by: { $0.key < $1.key }) {
            try decoder.decode(nil)
            guard decoder.errorCount == 0 else {
                throw MediaError(
                    .decoding, step: .verify,
                    reason: "stream \(stream) holds \(decoder.errorCount) packets that do not decode")
            }
        }
    }

    private static func checkHLS(_ path: String, _ cancellation: Cancellation) throws(MediaError) {
        let result = try HLSValidator(isDeep: true).validate(
            path, seconds: VideoLimits.standard.seconds, cancellation: cancellation)
        guard let violation = result.violations.first(where: { $0.severity == .error }) else { return }
        throw MediaError(.decoding, step: .verify, reason: "\(violation)")
    }

    /// Reads a tile down to the fields of its features.
    private static func checkTile(_ path: String) throws(MediaError) {
        let bytes = try MediaBytes.read(path: path, limit: 64 << 20)
        let tile = try withExtendedLifetime(bytes) { () throws(MediaError) in
            try Inflating.bytes(bytes.buffer, limit: 256 << 20, step: .verify)
        }
        guard tile.withBytes(MapTile.isSound) else {
            throw MediaError(.decoding, step: .verify, reason: "is no Mapbox Vector Tile")
        }
    }

    private static func checkCaptions(_ path: String) throws(MediaError) {
        let file = try SubtitleFile(path)
        guard file.warnings.isEmpty else {
            throw MediaError(.decoding, step: .verify, reason: file.warnings[0])
        }
    }

    private static func checkJSON(_ path: String) throws(MediaError) {
        struct Anything: Decodable { init(from decoder: any Decoder) throws {} }
        let bytes = try MediaBytes.read(path: path, limit: .max)
        let data = withExtendedLifetime(bytes) { Data(bytes.buffer) }
        guard (try? JSONDecoder().decode(Anything.self, from: data)) != nil else {
            throw MediaError(.decoding, step: .verify, reason: "is not JSON")
        }
    }
}
