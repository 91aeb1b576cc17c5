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
                    .preview, location, "a cue from \(cue.start.formatted(3)) to \(cue.end.formatted(3)) s",
                    expected: "one that begins at \(end.formatted(3)) s")
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
                .preview, path, "the last cue ends at \(end.formatted(3)) s",
                expected: "\(seconds.formatted(3)) s, as the video")
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
                    throw MediaError(.decoding, step: .read, reason: "is cut off")
                }
                return size
            } catch { throw HLSFolder.Refusal(rule: .preview, reason: "\(path): \(error.reason)") }
        }
    }
}
