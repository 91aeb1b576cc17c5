internal import Synchronization
package import WayreelCore
internal import WayreelImage

/// Composes the sheets of thumbnails that players show over their seek bar, and the WebVTT file with the position of
/// each thumbnail. Only one sheet is in memory at a time.
package final class ThumbnailSheets: ThumbnailSink {
    /// Seconds between thumbnails.
    private let interval: Double
    private let sheets: Mutex<Sheets>

    init(interval: Double, to output: any PackageOutput) throws(MediaError) {
        try require(
            (0.1...86_400).contains(interval), "thumbnails every \(interval.shortDescription) s are not supported",
            "use 0.1 to 86400 seconds", step: .preview)
        self.interval = interval
        sheets = Mutex(Sheets(interval: interval, output: output))
    }

    /// Prepares the thumbnails of a video.
    package var request: ThumbnailRequest {
        ThumbnailRequest(interval: interval, sink: self)
    }

    /// Adds the next thumbnail; a second one for an interval is dropped. Throws if a sheet cannot be written.
    package func take(_ thumbnail: Thumbnail) throws(MediaError) {
        try sheets.withLock { (sheets) throws(MediaError) in try sheets.take(thumbnail) }
    }

    /// Ends the last cue at `end`, in seconds.
    func finish(end: Double) throws(MediaError) {
        try sheets.withLock { (sheets) throws(MediaError) in try sheets.finish(end: end) }
    }
}

/// The open sheet, and the positions of the thumbnails so far.
private struct Sheets {
    private let interval: Double
    private let output: any PackageOutput
    private let task = TaskContext()
    private var sheet: Sheet?
    private var sheetCount = 0
    private var cues: [Cue] = []
    /// The first interval that has no thumbnail.
    private var next = 0

    private struct Cue {
        /// The start in milliseconds.
        var start: Int
        /// The sheet and the rectangle within it.
        var position: String
    }

    /// The grid of thumbnails of a full sheet.
    private static let columns = 10
    private static let rows = 10

    init(interval: Double, output: any PackageOutput) { (self.interval, self.output) = (interval, output) }

    mutating func take(_ thumbnail: Thumbnail) throws(MediaError) {
        guard thumbnail.index >= next else { return }
        next = thumbnail.index + 1
        var open = sheet ?? Sheet(of: thumbnail.size)
        sheet = nil
        let origin = open.add(thumbnail.planes)
        let size = open.size
        // The first thumbnail is shown from 0 on.
        cues.append(
            Cue(
                start: cues.isEmpty ? 0 : Self.milliseconds(Double(thumbnail.index) * interval),
                position:
                    "\(HLSNames.sheet(sheetCount + 1))#xywh=\(origin.x),\(origin.y),\(size.width),\(size.height)"))
        sheet = open
        if open.isFull { try endSheet() }
    }

    mutating func finish(end: Double) throws(MediaError) {
        try endSheet()
        guard !cues.isEmpty else { return }
        var text = "WEBVTT\n"
        let ends = cues.dropFirst().map(\.start) + [max(Self.milliseconds(end), cues[cues.count - 1].start + 1)]
        for (cue, end) in zip(cues, ends) { text += WebVTT.cue(from: cue.start, to: end, cue.position) }
        try output.write(Array(text.utf8), to: "\(HLSNames.preview)/\(HLSNames.cues)")
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }

    private mutating func endSheet() throws(MediaError) {
        guard let done = sheet else { return }
        sheet = nil
        sheetCount += 1
        let bytes = try ImageEncoders.encode(
            done.image(), as: Encoding(.jpeg, quality: 75), metadata: OutputMetadata(), task: task
        ).bytes
        try output.write(bytes, to: "\(HLSNames.preview)/\(HLSNames.sheet(sheetCount))")
    }

    /// Thumbnails of one size that are composed into one image.
    private struct Sheet {
        let size: PixelSize
        private var thumbnails: [[UInt8]] = []

        init(of size: PixelSize) { self.size = size }

        var isFull: Bool { thumbnails.count == columns * rows }

        /// Returns the position of the thumbnail on the sheet in pixels.
        mutating func add(_ planes: [UInt8]) -> (x: Int, y: Int) {
            let origin = Self.origin(thumbnails.count, size)
            thumbnails.append(planes)
            return origin
        }

        private static func origin(_ index: Int, _ size: PixelSize) -> (x: Int, y: Int) {
            (index % columns * size.width, index / columns * size.height)
        }

        func image() throws(MediaError) -> Image {
            let rows = (thumbnails.count + columns - 1) / columns
            var image = try Image(
                size: PixelSize(width: min(columns, thumbnails.count) * size.width, height: rows * size.height))
            image.withMutablePlanes { sheet in
                for (index, planes) in thumbnails.enumerated() {
                    let (x, y) = Self.origin(index, size)
                    for row in 0..<3 * size.height {
                        let target = sheet.row(y + row % size.height, plane: row / size.height) + x
                        for column in 0..<size.width {
                            target[column] = Float(planes[row * size.width + column]) / 255
                        }
                    }
                }
            }
            return image
        }
    }
}

/// A cue of a WebVTT file that shows a part of a sheet: `sheet-1.jpg#xywh=160,0,160,90`.
struct PreviewCue {
    /// The start in seconds; ``end`` is the end.
    var start: Double
    var end: Double
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
        let lines = WebVTT.lines(of: text)
        guard lines.first?.hasPrefix("WEBVTT") == true else { return nil }
        var cues: [PreviewCue] = []
        for cue in WebVTT.cues(in: lines[...], points: ["."]) {
            guard let times = cue.times, let position = cue.text.first, let mark = position.firstRange(of: "#xywh=")
            else { return nil }
            let numbers = position[mark.upperBound...].split(separator: ",", omittingEmptySubsequences: false)
            let part = numbers.compactMap { ByteRange.number($0) }
            guard part.count == 4, numbers.count == 4 else { return nil }
            cues.append(
                PreviewCue(
                    start: Double(times.start) / 1000, end: Double(times.end) / 1000,
                    sheet: String(position[..<mark.lowerBound]), part: part, line: cue.line + 1))
        }
        return cues
    }
}
