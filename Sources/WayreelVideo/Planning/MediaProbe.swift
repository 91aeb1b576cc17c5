package import WayreelAV
public import WayreelCore

/// What Wayreel sees of a file of moving pictures or sound, and whether phones play it as it is.
public struct MediaProbe: Hashable, Sendable, Codable {
    /// Streams, rotation, colours, frame rate, length; with all that its packets and first pictures tell.
    public var media: MediaInfo
    /// Whether `wayreel transcode` would take it over as it is, without a screen or any other option.
    public var isCompliant: Bool
    /// Why not: a clause for each reason, as `its codec is vp8, not h264`.
    public var obstacles: [String]

    /// Of a file that holds `info`.
    init(_ info: MediaInfo) {
        media = info
        do throws(MediaError) {
            let plan = try TranscodePlan(of: info, TranscodeOptions())
            let pictures = plan.picture.map { $0.action == .copy ? [] : $0.reasons } ?? []
            let sound = plan.sound.map { $0.action == .copy ? [] : $0.reasons.map { "of the sound: \($0)" } } ?? []
            obstacles = pictures + sound + plan.warnings
        } catch {
            obstacles = [error.reason]
        }
        isCompliant = obstacles.isEmpty
    }
}

extension MediaProbe {
    /// Of the file at `path`, or standard input for `-`, of which only the beginning is looked at.
    ///
    /// Throws an `io` error where it cannot be read, a `decoding` one where it is no media, an `unsupported` one for lists of
    /// other files, a `limit` one where it is beyond `limits`.
    public static func probe(
        path: String, limits: VideoLimits = .standard, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> MediaProbe {
        let watch = TaskWatch(seconds: limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, watch: watch).read { (source) throws(MediaError) in
            try probe(source, limits: limits, watch: watch)
        }
    }

    package static func probe(
        _ source: AudioSource, limits: VideoLimits, watch: TaskWatch
    ) throws(MediaError) -> MediaProbe {
        MediaProbe(try MediaScan.info(of: source, limits: limits, watch: watch))
    }
}

extension TranscodePlan {
    /// What becomes of the file at `path`, or of standard input for `-`. Nothing is encoded.
    ///
    /// Throws what opening the file throws, and what planning does.
    public static func plan(
        path: String, _ options: TranscodeOptions = TranscodeOptions(), cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> TranscodePlan {
        let watch = TaskWatch(seconds: options.limits.seconds, cancellation: cancellation)
        return try RereadableInput(path, watch: watch).read { (source) throws(MediaError) in
            try TranscodePlan(of: MediaScan.info(of: source, limits: options.limits, watch: watch), options)
        }
    }
}

extension MediaProbe: CustomStringConvertible {
    /// A line for each thing, `key: value`, with the values aligned and without a final newline.
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
        if let picture { lines += picture.lines }
        if let format {
            let channels = format.channels.map(\.name).joined(separator: " ")
            lines.append(("", "\(format.sampleRate) Hz, \(channels)"))
        }
        lines += irregularities.map { ("", "irregular: \($0)") }
        return lines
    }
}

extension VideoProperties {
    fileprivate var lines: [(String, String)] {
        var sizes = ["\(displayedSize)"]
        if displayedSize != size { sizes.append("stored as \(size)") }
        if pixelAspect != 1 { sizes.append("pixels \(pixelAspect.numerator):\(pixelAspect.denominator)") }
        if orientation != .upright { sizes.append("turned upright by \(orientation.turnWords)") }
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
        let rate = frameRate.map { "\($0.value.rounded(to: 3)) a second" } ?? "rate unknown"
        let times = [
            frameCount.map { "\($0) pictures" }, rate, frameRateMode == .unknown ? nil : frameRateMode.rawValue,
            keyFrameInterval.map { "key frames at most \($0.rounded(to: 2)) s apart" },
        ]
        return [
            ("", sizes.joined(separator: ", ")), ("", pixels.compactMap(\.self).joined(separator: ", ")),
            ("", colors.compactMap(\.self).joined(separator: ", ")),
            ("", times.compactMap(\.self).joined(separator: ", ")),
        ]
    }
}
