internal import WayreelCore

extension TranscodePlan: CustomStringConvertible {
    /// The plan with one `key: value` line per decision, aligned values, and no final newline.
    public var description: String { Columns(lines).text }

    private var lines: [(String, String)] {
        var lines = [("source", source.summary)]
        if let range { lines.append(("range", range.description)) }
        if let video { lines += video.lines(of: source.stream(video.stream)?.videoProperties) }
        for track in audio { lines += track.lines(of: source.stream(track.stream), isNamed: audio.count > 1) }
        if audio.isEmpty { lines.append(("audio", "none")) }
        lines += subtitles.map { ("subtitles", $0.summary) }
        if !source.chapters.isEmpty { lines.append(("chapters", "\(source.chapters.count)")) }
        lines += dropped.map { ("left out", "stream \($0.stream), \($0.kind.rawValue): \($0.reason)") }
        lines += warnings.map { ("note", $0) }
        return lines
    }
}

extension SubtitlePlan {
    /// The track as text: `stream 2, eng, Commentary`.
    fileprivate var summary: String {
        [stream.map { "stream \($0)" }, file, language, title].compactMap(\.self).joined(separator: ", ")
    }
}

extension StreamAction {
    fileprivate func summary(_ reasons: [String]) -> String {
        "\(self == .copy ? "copied" : "encoded"): \(reasons.joined(separator: "; "))"
    }
}

extension VideoPlan {
    fileprivate func lines(of source: VideoProperties?) -> [(String, String)] {
        var lines = [("video", "stream \(stream), \(action.summary(reasons))")]
        guard action == .transcode, let source else { return lines }
        lines.append(("", timing.summary(of: source)))
        if let fields = conversion?.deinterlacing.summary { lines.append(("fields", fields)) }
        lines.append(("colour", "\(SourceColors(source).summary) → BT.709, limited range, 8 bits"))
        if let background = conversion?.background { lines.append(("background", background.description)) }
        for rendition in renditions {
            lines.append((renditions.count == 1 ? "output" : "rung", rendition.summary(from: source)))
        }
        if let chunkSeconds {
            lines.append(("chunks", "of \(chunkSeconds.shortDescription) s, from which an interrupted run resumes"))
        }
        return lines
    }
}

extension FrameTiming {
    fileprivate func summary(of source: VideoProperties) -> String {
        let rate = source.frameRate.map { "\($0.value.rounded(to: 3)) frames/s" } ?? "an unknown rate"
        if let grid {
            return grid == source.frameRate
                ? "\(rate), constant" : "\(rate) → \(grid.value.rounded(to: 3)) frames/s"
        }
        return "\(rate) on average, variable" + (cap.map { ", at most \($0.value.rounded(to: 3))" } ?? "")
    }
}

extension FrameConversion.Deinterlacing {
    fileprivate var summary: String? {
        switch self {
        case .none: nil
        case .marked: "deinterlaced in frames that are marked as interlaced"
        case .all: "deinterlaced in all frames"
        }
    }
}

extension SourceColors {
    fileprivate var summary: String {
        let name =
            switch color.dynamicRange {
            case .pq: "HDR (PQ, to \(Int(min(peakLuminance, 1e9))) cd/m²)"
            case .hlg: "HDR (HLG)"
            case .sdr: "SDR"
            }
        let matrix = model == .yCbCr ? "matrix \(color.matrix), " : ""
        let range = color.isFullRange || model == .rgb ? "full" : "limited"
        return "\(name), primaries \(color.primaries), \(matrix)\(range) range"
    }
}

extension RenditionPlan {
    /// The conversion as text: `1080×720 → 720×1080 (rotated clockwise by 90°) → 640×960, libx264 medium, level 3.1,
    /// CRF 23`.
    fileprivate func summary(from source: VideoProperties) -> String {
        var sizes = source.crop == nil ? ["\(source.size)"] : ["\(source.codedSize)", "\(source.size) (cropped)"]
        if source.displayedSize != source.size {
            let turn = source.orientation == .upright ? "square pixels" : source.orientation.summary
            sizes.append("\(source.displayedSize) (\(turn))")
        } else if source.orientation != .upright {
            sizes[sizes.count - 1] += " (\(source.orientation.summary))"
        }
        if size != source.displayedSize { sizes.append("\(size)") }
        let level = options["level"].map { "level \($0)" }
        let gops = parallelGOPs > 1 ? "\(parallelGOPs) GOPs at the same time" : nil
        let settings = ["\(encoder) \(options["preset"] ?? "")", level, rate.summary, gops].compactMap(\.self)
        return "\(sizes.joined(separator: " → ")), \(settings.joined(separator: ", "))"
    }
}

extension RenditionRate {
    fileprivate var summary: String {
        var parts: [String] = []
        if let crf { parts.append("CRF \(crf.shortDescription)") }
        if let quality { parts.append("a CRF that reaches \(quality.summary)") }
        if let maxBytes { parts.append("\(maxBytes) bytes in two passes") }
        if let bitRate { parts.append("\(bitRate.asBitRate) on average") }
        if let maxBitRate { parts.append("at most \(maxBitRate.asBitRate)") }
        return parts.joined(separator: ", ")
    }
}

extension QualityTarget {
    fileprivate var summary: String {
        switch self {
        case .low: "low quality"
        case .medium: "medium quality"
        case .high: "high quality"
        case .ssim(let value): "an SSIM of \(value.shortDescription) %"
        }
    }
}

extension AudioPlan {
    /// Returns the lines of a track. `isNamed`: adds the language and title, which distinguish tracks.
    fileprivate func lines(of source: MediaStream?, isNamed: Bool) -> [(String, String)] {
        let name = isNamed ? [source?.language, source?.title].compactMap(\.self) : []
        let parts = ["stream \(stream)"] + name + [action.summary(reasons)]
        return [("audio", parts.joined(separator: ", "))]
            + (source?.format.map { [("", self.summary(from: $0))] } ?? [])
    }

    private func summary(from format: AudioFormat) -> String {
        let channels = { (count: Int) in count == 1 ? "mono" : count == 2 ? "stereo" : "\(count) channels" }
        let source = "\(format.sampleRate) Hz \(channels(format.channels.count + (joinedTracks?.count ?? 0)))"
        guard action == .transcode else { return source }
        let target = "AAC-LC \(sampleRate) Hz \(channels(channelCount)), \(bitRate.asBitRate)"
        return "\(source) → \(target)" + (loudness.map { ", \($0.shortDescription) LUFS" } ?? "")
    }
}

extension MediaInfo {
    /// The file as text: `mov, 5.312 s, 1055736 bytes`.
    var summary: String {
        let name = container.split(separator: ",").first.map(String.init) ?? container
        let length = seconds.map { "\($0.rounded(to: 3)) s" } ?? "of unknown length"
        return ([name, length] + (bytes.map { ["\($0) bytes"] } ?? [])).joined(separator: ", ")
    }
}

/// Lines of `key: value` with the values aligned. A line without a key continues the one above.
struct Columns {
    private let lines: [(key: String, value: String)]

    init(_ lines: [(String, String)]) { self.lines = lines }

    /// The text without a final newline and without control characters from a file.
    var text: String {
        let width = (lines.map(\.key.count).max() ?? 0) + 2
        return lines.map { key, value in
            let label = key.isEmpty ? "" : "\(key):"
            return label + String(repeating: " ", count: width - label.count) + value.onOneLine
        }.joined(separator: "\n")
    }
}
