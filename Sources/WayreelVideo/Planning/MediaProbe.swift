package import WayreelAV
public import WayreelCore

/// The description of an audio or video file, and whether phones play it without re-encoding.
public struct MediaProbe: Hashable, Sendable, Codable {
    /// The streams, rotation, colours, frame rate and length: from the header, packets and first frames.
    public var media: MediaInfo
    /// Whether `wayreel transcode` copies it without any options.
    public var isCompliant: Bool
    /// The obstacles to copying, each as a clause such as `its codec is vp8, not h264`.
    public var obstacles: [String]

    init(_ info: MediaInfo) {
        media = info
        do throws(MediaError) {
            let plan = try TranscodePlan(of: info, TranscodeOptions())
            let video = plan.video.map { $0.action == .copy ? [] : $0.reasons } ?? []
            let audio = plan.defaultAudio.map { $0.action == .copy ? [] : $0.reasons.map { "audio: \($0)" } } ?? []
            obstacles = video + audio + plan.warnings
        } catch {
            obstacles = [error.reason]
        }
        isCompliant = obstacles.isEmpty
    }

    /// Probes the file at `path`, or standard input for `-`.
    ///
    /// Throws an `io` error if it cannot be read, a `decoding` error if it is not a media file, an `unsupported` error
    /// for lists of other files, a `limit` error if it is beyond `limits`.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public static func probe(
        path: String, limits: VideoLimits = .standard, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> MediaProbe {
        let task = TaskContext(seconds: limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, task: task).read { (source) throws(MediaError) in
            try probe(source, limits: limits, task: task)
        }
    }

    package static func probe(
        _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) -> MediaProbe {
        MediaProbe(try MediaScan.info(of: source, limits: limits, task: task))
    }
}

extension MediaProbe: CustomStringConvertible {
    /// The description with one `key: value` line per fact, aligned values, and no final newline.
    public var description: String {
        var lines = [
            ("container", media.container), ("length", media.seconds.map { "\($0.rounded(to: 3)) s" } ?? "unknown"),
            ("bytes", media.bytes.map(String.init) ?? "unknown"),
        ]
        lines += media.streams.flatMap(\.lines)
        lines += media.chapters.enumerated().map { (number, chapter) in
            let times = "\(chapter.start.rounded(to: 3)) s to \(chapter.end.rounded(to: 3)) s"
            return ("chapter \(number + 1)", [times, chapter.title].compactMap(\.self).joined(separator: ", "))
        }
        if let audio = media.audio, case let recording = media.recording(of: audio), recording.count > 1 {
            let parts = recording.map { "\($0.soleChannel?.name ?? "") of stream \($0.index)" }
            lines.append(("audio", "one recording: \(parts.joined(separator: ", "))"))
        }
        lines.append(("plays everywhere", isCompliant ? "yes" : "no"))
        lines += obstacles.enumerated().map { ($0 == 0 ? "because" : "", $1) }
        return Columns(lines).text
    }
}

extension MediaStream {
    fileprivate var lines: [(String, String)] {
        let level = level.map { "level \($0)" }
        let coding = [codec, profile, level, language, title, isDefault ? "default" : nil].compactMap(\.self)
        var lines = [("stream \(index)", "\(kind.rawValue), \(coding.joined(separator: ", "))")]
        let length = seconds.map { "\($0.rounded(to: 3)) s" }
        let from = start == 0 ? nil : "from \(start.rounded(to: 3)) s"
        let amount = bitRate.map(\.asBitRate)
        let peak = peakBitRate.map { "peak \($0.asBitRate)" }
        let span = [length, from, amount, peak].compactMap(\.self)
        if !span.isEmpty { lines.append(("", span.joined(separator: ", "))) }
        if let encryption { lines.append(("", "encrypted: \(encryption)")) }
        if let video = videoProperties { lines += video.lines }
        if let format {
            let loudspeaker = soleChannel.flatMap { $0 == .center ? nil : " (\($0))" } ?? ""
            let channels = format.channels.map(\.name).joined(separator: " ")
            lines.append(("", "\(format.sampleRate) Hz, \(channels)\(loudspeaker)"))
        }
        if let undecodable { lines.append(("", undecodable)) }
        lines += irregularities.map { ("", "irregular: \($0)") }
        return lines
    }
}

extension VideoProperties {
    fileprivate var lines: [(String, String)] {
        var sizes = ["\(displayedSize)"]
        if displayedSize != size { sizes.append("stored as \(size)") }
        if crop != nil { sizes.append("cropped from \(codedSize)") }
        if pixelAspect != 1 { sizes.append("pixels \(pixelAspect.numerator):\(pixelAspect.denominator)") }
        if orientation != .upright { sizes.append("shown \(orientation.summary)") }
        let pixels = [
            pixelFormat, "\(bitDepth) bits", hasAlpha ? "alpha" : nil, scan == .progressive ? nil : scan.rawValue,
        ]
        let range =
            switch color.dynamicRange {
            case .pq: "HDR (PQ\(peakLuminance.map { ", to \(Int($0)) cd/m²" } ?? ""))"
            case .hlg: "HDR (HLG)"
            case .sdr: "SDR"
            }
        let tags = "primaries \(color.primaries), transfer \(color.transfer), matrix \(color.matrix)"
        let colors = [
            range, dolbyVision.map { "Dolby Vision \($0)" }, tags, color.isFullRange ? "full range" : "limited range",
        ]
        let rate = frameRate.map { "\($0.value.rounded(to: 3)) frames/s" } ?? "rate unknown"
        let times = [
            frameCount.map { "\($0) frames" }, rate, frameRateMode == .unknown ? nil : frameRateMode.rawValue,
            keyFrameInterval.map { "keyframes at most \($0.rounded(to: 2)) s apart" },
        ]
        return [
            ("", sizes.joined(separator: ", ")), ("", pixels.compactMap(\.self).joined(separator: ", ")),
            ("", colors.compactMap(\.self).joined(separator: ", ")),
            ("", times.compactMap(\.self).joined(separator: ", ")),
        ]
    }
}
