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
    package func wants(_ time: Int64) -> Bool { slot(time) >= next }

    /// Of which piece of the film, each ``interval`` long, a time is; rounding does not put it into the one before.
    private func slot(_ time: Int64) -> Int { Int((Double(time) * timeBase.value / interval + 1e-6).rounded(.down)) }

    /// The next picture; what is not needed is let go. Throws where memory is short or a sheet cannot be written.
    package func take(_ frame: Frame) throws(MediaError) {
        guard let time = frame.time, wants(time) else { return }
        let slot = slot(time)
        next = slot + 1
        let (small, size) = try shrink(frame)
        var open = sheet ?? Sheet(of: size)
        sheet = nil
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

extension PreviewMaker {
    /// The picture in a small size, as planes of red, green and blue one after the other.
    private func shrink(_ frame: Frame) throws(MediaError) -> (planes: [UInt8], size: PixelSize) {
        let size = Self.fitted(frame.size)
        let graph: FilterGraph
        if let made = self.graph {
            graph = made
        } else {
            graph = try FilterGraph(
                "scale=\(size.width):\(size.height):flags=area+accurate_rnd,format=gbrp", timeBase: timeBase)
            self.graph = graph
        }
        var planes: [UInt8] = []
        try graph.filter(frame) { (small) throws(MediaError) in
            try small.withPlanes { (rows) throws(MediaError) in
                // FFmpeg's order is green, blue, red.
                for plane in [rows[2], rows[0], rows[1]] {
                    for y in 0..<size.height {
                        planes.append(contentsOf: UnsafeBufferPointer(start: plane.row(y), count: size.width))
                    }
                }
            }
        }
        guard planes.count == 3 * size.pixels else {
            throw MediaError(.encoding, step: "preview", reason: "FFmpeg's filters gave no small picture")
        }
        return (planes, size)
    }

    /// Never enlarged.
    private static func fitted(_ size: PixelSize) -> PixelSize {
        let scale = min(1, Double(side) / Double(max(size.width, size.height, 1)))
        return PixelSize(
            width: max(1, Int((Double(size.width) * scale).rounded())),
            height: max(1, Int((Double(size.height) * scale).rounded())))
    }

    private func endSheet() throws(MediaError) {
        guard let done = sheet else { return }
        sheet = nil
        sheetCount += 1
        let bytes = try PictureEncoders.encode(
            done.picture(), as: Encoding(.jpeg, quality: 75), metadata: OutputMetadata(), watch: watch)
        try output.write(bytes, to: "\(HLSNames.preview)/\(HLSNames.sheet(sheetCount))")
    }

    /// `00:01:05.000`.
    private static func clock(_ seconds: Double) -> String {
        let total = Int((seconds * 1000).rounded())
        let padded = { (value: Int, count: Int) in
            String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
        }
        return "\(padded(total / 3_600_000, 2)):\(padded(total / 60_000 % 60, 2)):\(padded(total / 1000 % 60, 2))"
            + ".\(padded(total % 1000, 3))"
    }

    /// Pictures of one size that become one.
    private struct Sheet {
        let size: PixelSize
        private var pictures: [[UInt8]] = []

        init(of size: PixelSize) { self.size = size }

        var isFull: Bool { pictures.count == columns * rows }

        /// Where on the sheet it stands, in pixels.
        mutating func add(_ planes: [UInt8]) -> (x: Int, y: Int) {
            let place = Self.place(pictures.count, size)
            pictures.append(planes)
            return place
        }

        private static func place(_ index: Int, _ size: PixelSize) -> (x: Int, y: Int) {
            (index % columns * size.width, index / columns * size.height)
        }

        func picture() throws(MediaError) -> Picture {
            let rows = (pictures.count + columns - 1) / columns
            var picture = try Picture(
                size: PixelSize(width: min(columns, pictures.count) * size.width, height: rows * size.height))
            picture.withMutablePlanes { sheet in
                for (index, planes) in pictures.enumerated() {
                    let (x, y) = Self.place(index, size)
                    for row in 0..<3 * size.height {
                        let target = sheet.row(y + row % size.height, plane: row / size.height) + x
                        for column in 0..<size.width {
                            target[column] = Float(planes[row * size.width + column]) / 255
                        }
                    }
                }
            }
            return picture
        }
    }
}
