package import WayreelAV
package import WayreelCore
internal import WayreelImage

/// Makes the sheets of small pictures that players show while somebody looks for a place, and the WebVTT file which says
/// where on them the picture of a time is. Belongs to one thread at a time.
///
/// One sheet is in memory at a time.
package final class PreviewMaker: @unchecked Sendable {
    private let interval: Double
    private let timeBase: Rational
    private let output: OutputFolder
    private let watch = TaskWatch()
    private var graph: FilterGraph?
    private var sheet: Sheet?
    private var sheetCount = 0
    private var cues: [Cue] = []
    /// The first time of which no picture was taken.
    private var next = 0

    private struct Cue {
        var start: Double
        var place: String
    }

    /// So many pictures lie side by side and one below the other.
    private static let columns = 10
    private static let rows = 10
    /// Pixels of a picture's longer side.
    private static let side = 160

    init(interval: Double, timeBase: Rational, to output: OutputFolder) throws(MediaError) {
        guard interval >= 0.1, interval <= 86_400 else {
            throw MediaError(
                .parameter, step: "preview", reason: "pictures every \(interval.shortDescription) s",
                advice: "use 0.1 to 86400 seconds")
        }
        self.interval = interval
        self.timeBase = timeBase
        self.output = output
    }

    /// Whether ``take(_:)`` would keep a picture of this time.
    package func wants(_ time: Int64) -> Bool { Double(time) * timeBase.value >= Double(next) * interval }

    /// The next picture; what is not needed is let go. Throws where memory is short or a sheet cannot be written.
    package func take(_ frame: Frame) throws(MediaError) {
        guard let time = frame.time, wants(time) else { return }
        let slot = Int((Double(time) * timeBase.value / interval).rounded(.down))
        next = slot + 1
        let (small, size) = try shrink(frame)
        var open: Sheet
        if let sheet { open = sheet } else { open = try Sheet(of: size, columns: Self.columns, rows: Self.rows) }
        guard size == open.size else { return }
        let place = open.add(small)
        // The first one stands for what comes before it too.
        cues.append(
            Cue(
                start: cues.isEmpty ? 0 : Double(slot) * interval,
                place: "\(HLSNames.sheet(sheetCount + 1))#xywh=\(place.x),\(place.y),\(size.width),\(size.height)"))
        sheet = open
        if open.isFull { try endSheet() }
    }

    /// Ends the last cue at `end`, in seconds.
    func finish(end: Double) throws(MediaError) {
        try endSheet()
        guard !cues.isEmpty else { return }
        var text = "WEBVTT\n"
        let ends = cues.dropFirst().map(\.start) + [max(end, cues[cues.count - 1].start + 0.001)]
        for (cue, end) in zip(cues, ends) {
            text += "\n\(Self.clock(cue.start)) --> \(Self.clock(end))\n\(cue.place)\n"
        }
        try output.write(Array(text.utf8), to: "\(HLSNames.preview)/\(HLSNames.cues)")
    }
}
