internal import WayreelCore
internal import WayreelImage

/// Checks of the thumbnail sheets. No playlist refers to them, so Wayreel's own paths are used.
extension HLSValidator {
    /// The maximum difference in seconds between the ends of the cues and the video.
    private static let previewTolerance = 0.5

    /// Checks the preview of a video of `seconds`, if the folder has one.
    func checkPreview(
        _ folder: HLSFolder, seconds: Double, _ findings: inout HLSFindings, task: TaskContext
    ) throws(MediaError) {
        let path = "\(HLSNames.preview)/\(HLSNames.cues)"
        guard folder.holds(HLSNames.preview) else { return }
        let text: String
        do throws(HLSFolder.Refusal) { text = String(decoding: try folder.read(path), as: UTF8.self) } catch {
            return findings.add(.preview, path, error.reason)
        }
        guard let cues = PreviewCue.list(text), !cues.isEmpty else {
            return findings.add(.preview, path, "is not a WebVTT file with positions on sheets")
        }
        var sheets: [String: Result<PixelSize, HLSFolder.Refusal>] = [:]
        var end = 0.0
        for cue in cues {
            try task.check()
            let location = "\(path):\(cue.line)"
            if abs(cue.start - end) > 0.0015 || cue.end <= cue.start {
                findings.add(
                    .preview, location, "a cue from \(cue.start.decimals(3)) to \(cue.end.decimals(3)) s",
                    expected: "one that begins at \(end.decimals(3)) s")
            }
            end = cue.end
            let sheet = sheets[cue.sheet] ?? Self.sheet(cue.sheet, from: path, in: folder)
            if sheets.updateValue(sheet, forKey: cue.sheet) == nil, case .failure(let refusal) = sheet {
                findings.add(.preview, location, refusal.reason)
            }
            if case .success(let size) = sheet, !cue.isWithin(size) {
                findings.add(
                    .preview, location, "its thumbnail reaches beyond the sheet", expected: "a part of \(size)")
            }
        }
        if abs(end - seconds) > Self.previewTolerance {
            findings.add(
                .preview, path, "the last cue ends at \(end.decimals(3)) s",
                expected: "\(seconds.decimals(3)) s, as the video")
        }
    }

    /// Returns the size of a sheet, or an error if it is damaged.
    private static func sheet(
        _ uri: String, from base: String, in folder: HLSFolder
    ) -> Result<PixelSize, HLSFolder.Refusal> {
        Result { () throws(HLSFolder.Refusal) in
            let path = try folder.resolve(uri, from: base)
            let bytes = try folder.read(path)
            do throws(MediaError) {
                let size = try ImageProbe.probe(MediaBytes(bytes)).size
                guard !bytes.starts(with: [0xFF, 0xD8]) || bytes.suffix(2) == [0xFF, 0xD9] else {
                    throw MediaError(.decoding, step: "read", reason: "is cut off")
                }
                return size
            } catch { throw HLSFolder.Refusal(rule: .preview, reason: "\(path): \(error.reason)") }
        }
    }
}

/// A cue of a WebVTT file that shows a part of a sheet: `sheet-1.jpg#xywh=160,0,160,90`.
struct PreviewCue {
    /// The start in seconds; ``end`` is the end.
    var start: Double
    var end: Double
    /// The URI of the sheet.
    var sheet: String
    /// The part in pixels: left, top, width, height.
    var part: [Int]
    /// The number of the line in the file, from 1.
    var line: Int

    func isWithin(_ size: PixelSize) -> Bool {
        part[2] > 0 && part[3] > 0 && part[0] + part[2] <= size.width && part[1] + part[3] <= size.height
    }

    /// Returns all cues of a file, or nil if it is not WebVTT or a cue is invalid.
    static func list(_ text: String) -> [PreviewCue]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasSuffix("\r") ? line.dropLast() : line
        }
        guard lines.first?.hasPrefix("WEBVTT") == true else { return nil }
        var cues: [PreviewCue] = []
        for (index, line) in lines.enumerated() {
            guard let arrow = line.firstRange(of: " --> ") else { continue }
            guard let start = seconds(line[..<arrow.lowerBound]),
                let end = seconds(line[arrow.upperBound...].prefix { $0 != " " }), index + 1 < lines.count,
                let mark = lines[index + 1].firstRange(of: "#xywh=")
            else { return nil }
            let part = lines[index + 1][mark.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
                .compactMap { ByteRange.number($0) }
            guard part.count == 4 else { return nil }
            cues.append(
                PreviewCue(
                    start: start, end: end, sheet: String(lines[index + 1][..<mark.lowerBound]), part: part,
                    line: index + 1))
        }
        return cues
    }

    /// Parses `00:01:05.000`, with or without hours.
    private static func seconds(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let last = parts.last.flatMap({ Double($0) }), (0..<60).contains(last)
        else { return nil }
        let whole = parts.dropLast().compactMap { ByteRange.number($0) }
        guard whole.count == parts.count - 1, whole.allSatisfy({ $0 < 1_000_000 }) else { return nil }
        return whole.reduce(0.0) { $0 * 60 + Double($1) } * 60 + last
    }
}
