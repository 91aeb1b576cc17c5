import Glibc
import TestSupport
import Testing
import WayreelAV
import WayreelCore
import WayreelVideo

/// Red, green and blue, 0 to 1.
typealias Color = (red: Double, green: Double, blue: Double)

/// A video of four quarters of one colour each, in which every value is known.
struct FlatVideo {
    /// Top left, top right, bottom left, bottom right; encoded, not linear.
    static let quarters: [Color] = [(0.8, 0.2, 0.25), (0.3, 0.7, 0.2), (0.2, 0.3, 0.8), (0.9, 0.85, 0.5)]

    var size = PixelSize(width: 64, height: 48)
    var pixelFormat = "yuv420p"
    /// The weights of red and blue in luma (H.273, table 4).
    var weights = (red: 0.2126, blue: 0.0722)
    var isFullRange = false
    /// FFmpeg's options of the output: `-colorspace`.
    var tags: [String] = []
    var colors = FlatVideo.quarters
    var frames = 2

    static let bt601 = (red: 0.299, blue: 0.114)
    static let bt709 = (red: 0.2126, blue: 0.0722)
    static let bt2020 = (red: 0.2627, blue: 0.0593)
    static let smpte240 = (red: 0.212, blue: 0.087)

    private var depth: Int { pixelFormat.contains("10") ? 10 : pixelFormat.contains("12") ? 12 : 8 }

    /// Returns Y, Cb, Cr of a colour as whole numbers (H.273, 8.3).
    static func coded(
        _ color: Color, weights: (red: Double, blue: Double), isFullRange: Bool, depth: Int = 8
    ) -> (Int, Int, Int) {
        let (kr, kb) = weights
        let y = kr * color.red + (1 - kr - kb) * color.green + kb * color.blue
        let (cb, cr) = ((color.blue - y) / (2 * (1 - kb)), (color.red - y) / (2 * (1 - kr)))
        let (steps, peak) = (Double(1 << (depth - 8)), Double((1 << depth) - 1))
        let whole = { (value: Double) in Int(min(max(value.rounded(), 0), peak)) }
        if isFullRange { return (whole(y * peak), whole(cb * peak + 128 * steps), whole(cr * peak + 128 * steps)) }
        return (
            whole((219 * y + 16) * steps), whole((224 * cb + 128) * steps), whole((224 * cr + 128) * steps)
        )
    }

    /// Returns the colour of values in limited range of BT.709.
    static func color(_ y: Double, _ cb: Double, _ cr: Double) -> Color {
        let (kr, kb) = bt709
        let (luma, blue, red) = ((y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224)
        let (r, b) = (luma + 2 * (1 - kr) * red, luma + 2 * (1 - kb) * blue)
        return (r, (luma - kr * r - kb * b) / (1 - kr - kb), b)
    }

    /// Writes the video to `path`, by default with a lossless codec.
    func write(_ path: String, codec: [String] = ["-c:v", "ffv1"]) throws {
        let bytes = (0..<frames).flatMap { _ in frame }
        try Self.write(bytes, pixelFormat, size, codec + tags, path)
    }

    /// Encodes raw frames by ffmpeg with the options `arguments`.
    static func write(
        _ bytes: [UInt8], _ pixelFormat: String, _ size: PixelSize, _ arguments: [String], _ path: String
    ) throws {
        let raw = path + ".raw"
        let file = try #require(fopen(raw, "w"))
        let written = fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        try #require(written == bytes.count)
        try SampleVideo.make(
            ["-f", "rawvideo", "-pixel_format", pixelFormat, "-video_size", "\(size.width)x\(size.height)"]
                + ["-framerate", "25", "-i", raw] + arguments + [path])
    }

    private var frame: [UInt8] {
        let is420 = pixelFormat.contains("420")
        let is422 = pixelFormat.contains("422")
        let sides = [
            (size.width, size.height),
            (is420 || is422 ? (size.width + 1) / 2 : size.width, is420 ? (size.height + 1) / 2 : size.height),
        ]
        let codes = colors.map { Self.coded($0, weights: weights, isFullRange: isFullRange, depth: depth) }
        var bytes: [UInt8] = []
        for plane in 0..<3 {
            let (width, height) = sides[min(plane, 1)]
            for y in 0..<height {
                for x in 0..<width {
                    let code = codes[(2 * y >= height ? 2 : 0) + (2 * x >= width ? 1 : 0)]
                    let value = [code.0, code.1, code.2][plane]
                    bytes.append(UInt8(value & 0xFF))
                    if depth > 8 { bytes.append(UInt8(value >> 8)) }
                }
            }
        }
        return bytes
    }
}

/// A frame in 4:2:0 and limited range, as passed to encoders.
struct CodedFrame {
    let size: PixelSize
    let bytes: [UInt8]

    /// Returns the colour at a position, given as fractions of the sides.
    func color(_ x: Double, _ y: Double) -> Color {
        let (column, row) = (Int(x * Double(size.width)), Int(y * Double(size.height)))
        let chroma = PixelSize(width: size.width / 2, height: size.height / 2)
        let offset = row / 2 * chroma.width + column / 2
        let (blue, red) = (size.pixels + offset, size.pixels + chroma.pixels + offset)
        return FlatVideo.color(
            Double(bytes[row * size.width + column]), Double(bytes[blue]), Double(bytes[red]))
    }

    /// The colours of the four quarters.
    var quarters: [Color] { [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)].map { color($0.0, $0.1) } }
}

enum PlannedFrames {
    /// Returns the frames that a plan's filter chains make of a file.
    static func make(_ path: String, _ plan: TranscodePlan, rendition index: Int = 0) throws -> [CodedFrame] {
        let task = TaskContext()
        let file = try Demuxer(.path(path), task: task)
        let video = try #require(plan.video)
        let decoder = try VideoDecoder(file, stream: video.stream, threads: 1, limits: .standard)
        let rendition = video.renditions[index]
        let base = file.timeBase(of: video.stream)
        let shared = try FilterGraph(video.sharedFilters, timeBase: base)
        let own = try FilterGraph(video.filters(of: rendition).filters, timeBase: base)
        var frames: [CodedFrame] = []
        file.select([video.stream])
        let decoded = { () throws(MediaError) in try decoder.next(from: file.next) }
        while let frame = try own.next(from: { () throws(MediaError) in try shared.next(from: decoded) }) {
            frames.append(CodedFrame(size: frame.size, bytes: try bytes(of: frame)))
        }
        return frames
    }

    /// Returns all planes without gaps, from FFmpeg's raw video encoder.
    static func bytes(of frame: Frame) throws(MediaError) -> [UInt8] {
        let raw = try VideoEncoder(
            VideoEncoder.Settings(
                encoder: "rawvideo", size: frame.size, timeBase: Rational(1, 1000) ?? 1, frameRate: 25, threads: 1))
        var bytes: [UInt8] = []
        try raw.send(frame)
        while let packet = try raw.next() { bytes += Array(packet.bytes) }
        return bytes
    }
}
