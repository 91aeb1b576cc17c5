package import WayreelCore
internal import WayreelImage

/// Puts together the sheets of small pictures that players show while somebody looks for a place, and the WebVTT file which
/// says where on them the picture of a time is. Belongs to one thread at a time.
///
/// One sheet is in memory at a time.
package final class PreviewSheets: @unchecked Sendable {
    /// Seconds that a picture stands for.
    private let interval: Double
    private let output: OutputFolder
    private let watch = TaskWatch()
    private var sheet: Sheet?
    private var sheetCount = 0
    private var cues: [Cue] = []
    /// The first piece of which there is no picture.
    private var next = 0

    private struct Cue {
        var start: Double
        var place: String
    }

    /// So many pictures lie side by side and one below the other.
    private static let columns = 10
    private static let rows = 10

    init(interval: Double, to output: OutputFolder) throws(MediaError) {
        guard interval >= 0.1, interval <= 86_400 else {
            throw MediaError(
                .parameter, step: "preview", reason: "pictures every \(interval.shortDescription) s",
                advice: "use 0.1 to 86400 seconds")
        }
        self.interval = interval
        self.output = output
    }

    /// Picks its pictures from those of a film.
    package func sampler(timeBase: Rational) -> PreviewSampler {
        PreviewSampler(interval: interval, timeBase: timeBase) { (picture) throws(MediaError) in try self.add(picture) }
    }

    /// The next picture; what stands for a piece that has one is let go. Throws where a sheet cannot be written.
    func add(_ picture: PreviewPicture) throws(MediaError) {
        guard picture.slot >= next else { return }
        next = picture.slot + 1
        var open = sheet ?? Sheet(of: picture.size)
        sheet = nil
        let place = open.add(picture.planes)
        let size = open.size
        // The first one stands for what comes before it too.
        cues.append(
            Cue(
                start: cues.isEmpty ? 0 : Double(picture.slot) * interval,
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

    private func endSheet() throws(MediaError) {
        guard let done = sheet else { return }
        sheet = nil
        sheetCount += 1
        let bytes = try ImageEncoders.encode(
            done.picture(), as: Encoding(.jpeg, quality: 75), metadata: OutputMetadata(), watch: watch
        ).bytes
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

        func picture() throws(MediaError) -> Image {
            let rows = (pictures.count + columns - 1) / columns
            var picture = try Image(
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
