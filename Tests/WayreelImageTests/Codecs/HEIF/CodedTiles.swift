import TestSupport
import Testing
import WayreelCore

/// Tiles that x265 or libaom has encoded losslessly, and their decoder configuration.
struct CodedTiles {
    enum Codec: String {
        case hevc, av1
    }

    let codec: Codec
    let side: Int
    /// An `hvcC` or `av1C` box.
    let configuration: [UInt8]
    let tiles: [[UInt8]]
    /// A unit of HEVC after its length, as in a tile; empty for AV1.
    let pictureParameterSet: [UInt8]

    /// `frames` are the samples of each tile, plane after plane, in FFmpeg's `format`; `options` are passed to x265.
    init(
        _ codec: Codec, format: String, side: Int, frames: [[UInt8]], isFullRange: Bool = true, matrix: String = "bt709"
    ) throws {
        self.codec = codec
        self.side = side
        let input = ["-f", "rawvideo", "-pix_fmt", format, "-s", "\(side)x\(side)", "-r", "1", "-i"]
        let range = isFullRange ? "full" : "limited"
        let encoder =
            codec == .hevc
            ? [
                "-c:v", "libx265", "-x265-params",
                "lossless=1:keyint=1:bframes=0:log-level=none:range=\(range):colormatrix=\(matrix)", "-f", "hevc",
            ]
            : [
                "-c:v", "libaom-av1", "-cpu-used", "8", "-g", "1", "-crf", "0", "-aom-params", "lossless=1",
                "-color_range", isFullRange ? "pc" : "tv", "-colorspace", matrix, "-f", "obu",
            ]
        let stream = try Fixture.withFolder { folder in
            try OutputFile.write(frames.flatMap(\.self), to: "\(folder)/frames")
            try SampleVideo.make(input + ["\(folder)/frames"] + encoder + ["\(folder)/tiles"])
            return try Fixture.bytes("\(folder)/tiles")
        }
        let depth = format.hasSuffix("10le") ? 10 : format.hasSuffix("12le") ? 12 : 8
        let chroma = format.hasPrefix("gray") ? 0 : format.contains("420") ? 1 : format.contains("422") ? 2 : 3
        (configuration, tiles, pictureParameterSet) =
            codec == .hevc
            ? Self.hevc(stream, chroma: chroma, depth: depth)
            : Self.av1(stream, chroma: chroma, depth: depth)
        try #require(tiles.count == frames.count)
    }

    /// Cuts a byte stream (H.265, annex B) into NAL units: parameter sets go into the configuration (ISO/IEC 14496-15,
    /// section 8.3.3.1), each slice becomes a tile.
    private static func hevc(_ stream: [UInt8], chroma: Int, depth: Int) -> ([UInt8], [[UInt8]], [UInt8]) {
        var starts: [Int] = []
        var at = 0
        while at + 3 <= stream.count {
            if stream[at] == 0, stream[at + 1] == 0, stream[at + 2] == 1 {
                starts.append(at + 3)
                at += 3
            } else {
                at += 1
            }
        }
        let units = zip(starts, starts.dropFirst().map { $0 - 3 } + [stream.count]).map { start, end in
            var unit = Array(stream[start..<end])
            while unit.last == 0 { unit.removeLast() }
            return unit
        }
        let type = { (unit: [UInt8]) in Int(unit[0] >> 1 & 0x3F) }
        let sets = [32, 33, 34].compactMap { wanted in units.first { type($0) == wanted } }
        // Profile, tier and level follow the third byte of the sequence parameter set, without emulation prevention
        // bytes.
        var plain: [UInt8] = []
        for byte in sets[1] where !(byte == 3 && plain.suffix(2) == [0, 0]) { plain.append(byte) }
        let bits = UInt8(0xF8 | depth - 8)
        var body: [UInt8] = [1] + plain[3..<15]
        body += [0xF0, 0, 0xFC, UInt8(0xFC | chroma), bits, bits, 0, 0, 0x0F, 3]
        for set in sets { body += [UInt8(0x80 | type(set))] + number(1, 2) + number(set.count, 2) + set }
        return (box("hvcC", body), units.filter { type($0) < 32 }.map(prefixed), prefixed(sets[2]))
    }

    /// Returns a NAL unit after its length.
    private static func prefixed(_ unit: [UInt8]) -> [UInt8] { number(unit.count, 4) + unit }

    /// Cuts a low-overhead stream (AV1 Bitstream Specification, section 5.2) at its temporal delimiters.
    private static func av1(_ stream: [UInt8], chroma: Int, depth: Int) -> ([UInt8], [[UInt8]], [UInt8]) {
        var units: [[UInt8]] = []
        for obu in obus(stream) {
            if obu[0] >> 3 & 15 == 2 { units.append([]) } else { units[units.count - 1] += obu }
        }
        let profile = depth == 12 || chroma == 2 ? 2 : chroma == 3 ? 1 : 0
        let flags = (depth > 8 ? 0x40 : 0) | (depth == 12 ? 0x20 : 0) | (chroma == 0 ? 0x10 : 0)
        let subsampling = [0x0C, 0x0C, 0x08, 0][chroma]
        return (box("av1C", [0x81, UInt8(profile << 5), UInt8(flags | subsampling), 0]), units, [])
    }

    private static func obus(_ stream: [UInt8]) -> [[UInt8]] {
        var obus: [[UInt8]] = []
        var at = 0
        while at < stream.count {
            var (size, shift, end) = (0, 0, at + 1)
            repeat {
                size |= Int(stream[end] & 0x7F) << shift
                shift += 7
                end += 1
            } while stream[end - 1] & 0x80 != 0
            obus.append(Array(stream[at..<end + size]))
            at = end + size
        }
        return obus
    }
}
