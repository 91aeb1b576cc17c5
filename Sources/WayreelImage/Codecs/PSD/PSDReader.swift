internal import WayreelCore

/// Decodes the merged image of a Photoshop document by rows. Channels are stored separately, so a row is assembled from
/// several parts of the file.
final class PSDReader: SeekableRowReader {
    let header: ImageHeader
    let damage: Damage?

    private let bytes: MediaBytes
    private let file: PSDFile
    private let channels: PSDChannels
    var nextRow = 0
    /// Whether transparent colours are composited on white.
    private var isMatted = false
    /// One channel row.
    private var samples: [UInt8]

    init(_ bytes: MediaBytes, format: ImageFormat, limits: Limits) throws(MediaError) {
        self.bytes = bytes
        let file = try PSDFile(bytes.buffer, limits: limits)
        self.file = file
        channels = try PSDChannels(file, bytes.buffer)
        samples = [UInt8](repeating: 0, count: channels.rowBytes)
        var header = ImageHeader(format: format, size: file.size)
        header.layout = file.mode == .cmyk ? .cmyk : file.hasAlpha ? .rgba : .rgb
        header.rowBits = file.depth > 8 ? 16 : 8
        header.depth = min(file.depth, 16)
        header.model = Self.models[file.mode] ?? .grey
        header.ignoresAlpha = file.ignoresAlpha
        header.profile = file.profile
        header.exif = file.exif
        header.xmp = file.xmp
        header.iptc = file.iptc
        // Photoshop stores the image upright, whatever EXIF declares.
        header.obeysEXIFOrientation = false
        if file.depth == 32 { header.codePoints = .linearLight }
        self.header = header
        let share = channels.missingShare
        guard share < 1 else { throw PSDFile.fault("the file ends before the last of its channels") }
        damage = share > 0 ? Damage(missingShare: share, description: "PSD: the file ends early") : nil
        if file.isMatted { isMatted = try isMattedWithWhite() }
    }

    private static let models: [PSDFile.Mode: ImageHeader.ColorModel] = [
        .indexed: .palette, .rgb: .rgb, .cmyk: .cmyk,
    ]

    func readRow(into row: UnsafeMutableRawPointer) {
        assemble(row: nextRow, into: row)
        if isMatted { removeWhiteMatte(row) }
        nextRow += 1
    }

    /// Assembles row `y` as stored.
    private func assemble(row y: Int, into row: UnsafeMutableRawPointer) {
        guard channels.hasRow(y) else { return header.fillMissing(row, count: header.rowBytes) }
        let stride = header.layout.components
        for channel in 0..<file.usedChannels {
            channels.read(row: y, channel: channel, from: bytes.buffer, into: &samples)
            let isAlpha = file.hasAlpha && channel == file.usedChannels - 1
            // Grey is expanded to red, green and blue.
            let isSpread = !isAlpha && header.model == .grey
            for component in isAlpha ? 3..<4 : isSpread ? 0..<3 : channel..<channel + 1 {
                if header.rowBits == 16 {
                    put(into: row.assumingMemoryBound(to: UInt16.self) + component, stride: stride)
                } else if header.model == .palette && !isAlpha {
                    putColors(into: row.assumingMemoryBound(to: UInt8.self), stride: stride)
                } else {
                    put(into: row.assumingMemoryBound(to: UInt8.self) + component, stride: stride)
                }
            }
        }
    }

    /// Ink is stored inverted.
    private func put(into row: UnsafeMutablePointer<UInt8>, stride: Int) {
        let flip: UInt8 = file.mode == .cmyk ? 0xFF : 0
        for x in 0..<file.size.width {
            // In a bitmap a set bit is black.
            let value = file.depth == 1 ? (samples[x / 8] >> (7 - x % 8) & 1 == 1 ? 0 : 0xFF) : samples[x]
            row[x * stride] = value ^ flip
        }
    }

    private func put(into row: UnsafeMutablePointer<UInt16>, stride: Int) {
        let flip: UInt16 = file.mode == .cmyk ? 0xFFFF : 0
        samples.withUnsafeBytes { samples in
            for x in 0..<file.size.width {
                if file.depth == 32 {
                    // NaN → 0.
                    let value = Float(bitPattern: samples.bigEndian32(at: 4 * x))
                    row[x * stride] = UInt16(min(max(0, value), 1) * 65535 + 0.5)
                } else {
                    row[x * stride] = samples.bigEndian16(at: 2 * x) ^ flip
                }
            }
        }
    }

    private func putColors(into row: UnsafeMutablePointer<UInt8>, stride: Int) {
        guard let palette = file.palette else { return }
        let source = bytes.buffer
        for x in 0..<file.size.width {
            for c in 0..<3 { row[x * stride + c] = source[palette + 256 * c + Int(samples[x])] }
        }
    }

    /// Returns whether the colours can be composited on white: some programs (ImageMagick 6) store darker colours than
    /// compositing on white would produce.
    private func isMattedWithWhite() throws(MediaError) -> Bool {
        let memory = try AlignedMemory(zeroed: header.rowBytes + 64, step: .decode)
        for y in 0..<header.size.height where channels.hasRow(y) {
            assemble(row: y, into: memory.base)
            let isPossible =
                header.rowBits == 16
                ? isMattedWithWhite(memory.base.assumingMemoryBound(to: UInt16.self))
                : isMattedWithWhite(memory.base.assumingMemoryBound(to: UInt8.self))
            if !isPossible { return false }
        }
        return true
    }

    private func isMattedWithWhite<Component: FixedWidthInteger>(_ row: UnsafePointer<Component>) -> Bool {
        let full = Int(Component.max)
        // Allows for rounding.
        let tolerance = full / 100
        return (0..<file.size.width).allSatisfy { x in
            let pixel = row + 4 * x
            let darkest = min(pixel[0], pixel[1], pixel[2])
            return Int(darkest) + tolerance >= full - Int(pixel[3])
        }
    }

    /// Photoshop composites the merged image on white: stored = colour · alpha + 1 − alpha.
    private func removeWhiteMatte(_ row: UnsafeMutableRawPointer) {
        if header.rowBits == 16 {
            removeWhiteMatte(row.assumingMemoryBound(to: UInt16.self))
        } else {
            removeWhiteMatte(row.assumingMemoryBound(to: UInt8.self))
        }
    }

    private func removeWhiteMatte<Component: FixedWidthInteger>(_ row: UnsafeMutablePointer<Component>) {
        let full = Int(Component.max)
        for x in 0..<file.size.width {
            let pixel = row + 4 * x
            let alpha = Int(pixel[3])
            guard alpha > 0, alpha < full else { continue }
            for c in 0..<3 {
                let color = ((Int(pixel[c]) - full + alpha) * full + alpha / 2) / alpha
                pixel[c] = Component(min(max(color, 0), full))
            }
        }
    }
}

/// Row offsets of each channel of a merged image.
struct PSDChannels {
    /// Bytes per uncompressed channel row.
    let rowBytes: Int
    private let height: Int
    private let isPacked: Bool
    /// Offset of each row of each used channel, and the end of the last; in order.
    private let offsets: [Int]
    private let end: Int

    init(_ file: PSDFile, _ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        rowBytes = (file.size.width * file.depth + 7) / 8
        height = file.size.height
        isPacked = file.isPacked
        end = bytes.count
        let rows = file.usedChannels * height
        guard file.isPacked else {
            let perRow = rowBytes
            offsets = (0...rows).map { file.image + $0 * perRow }
            return
        }
        // Rows follow the table of row lengths, which includes unused channels.
        let lengthBytes = file.isLarge ? 4 : 2
        let table = file.channels * height * lengthBytes
        guard table <= bytes.count - file.image else { throw PSDFile.fault("the file ends before its image") }
        var offset = file.image + table
        var offsets = [offset]
        offsets.reserveCapacity(rows + 1)
        for row in 0..<rows {
            offset += Int(bytes.bigEndian(at: file.image + row * lengthBytes, count: lengthBytes))
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    /// Returns whether row `y` of all channels is complete.
    func hasRow(_ y: Int) -> Bool {
        Swift.stride(from: y, to: offsets.count - 1, by: height).allSatisfy { offsets[$0 + 1] <= end }
    }

    /// The fraction of rows with an incomplete channel.
    var missingShare: Double {
        let missing = (0..<height).count { !hasRow($0) }
        return Double(missing) / Double(height)
    }

    /// Decompresses row `y` of a channel; missing samples are 0.
    func read(row y: Int, channel: Int, from bytes: UnsafeRawBufferPointer, into samples: inout [UInt8]) {
        let index = channel * height + y
        let data = UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]])
        samples.withUnsafeMutableBytes { samples in
            guard isPacked else { return samples.copyMemory(from: data) }
            let count = Self.unpack(data, into: samples)
            for i in count..<samples.count { samples[i] = 0 }
        }
    }

    /// PackBits (TIFF 6.0, section 9): literal runs and repeated bytes. Returns the output size.
    private static func unpack(_ data: UnsafeRawBufferPointer, into samples: UnsafeMutableRawBufferPointer) -> Int {
        var (offset, written) = (0, 0)
        while offset < data.count, written < samples.count {
            let code = Int(Int8(bitPattern: data[offset]))
            offset += 1
            if code == -128 { continue }
            let room = samples.count - written
            if code >= 0 {
                let count = min(code + 1, room, data.count - offset)
                for i in 0..<count { samples[written + i] = data[offset + i] }
                offset += code + 1
                written += count
            } else {
                guard offset < data.count else { break }
                let count = min(1 - code, room)
                for i in 0..<count { samples[written + i] = data[offset] }
                offset += 1
                written += count
            }
        }
        return written
    }
}
