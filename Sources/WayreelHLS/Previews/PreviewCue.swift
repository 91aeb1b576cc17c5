internal import WayreelCore
internal import WayreelVideo

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
            guard let start = WebVTT.milliseconds(line[..<arrow.lowerBound]),
                let end = WebVTT.milliseconds(line[arrow.upperBound...].prefix { $0 != " " }), index + 1 < lines.count,
                let mark = lines[index + 1].firstRange(of: "#xywh=")
            else { return nil }
            let numbers = lines[index + 1][mark.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
            let part = numbers.compactMap { ByteRange.number($0) }
            guard part.count == 4, numbers.count == 4 else { return nil }
            cues.append(
                PreviewCue(
                    start: Double(start) / 1000, end: Double(end) / 1000,
                    sheet: String(lines[index + 1][..<mark.lowerBound]), part: part, line: index + 1))
        }
        return cues
    }
}
