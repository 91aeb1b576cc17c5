internal import CJXL
internal import Glibc
internal import WayreelCore

/// Decodes a frame of a JPEG XL file through libjxl as a whole, in the image's colour space.
final class JXLReader: WholeImageReader {
    let header: ImageHeader
    private(set) var damage: Damage?

    private let bytes: MediaBytes
    private let task: TaskContext
    private let file: OpaquePointer
    var pixels: DecodedPixels?
    var nextRow = 0

    /// Max size of a decompressed EXIF block or XMP packet.
    private static let maxBox = 16 << 20

    /// Reads the header. `page` (from 1) is a displayed frame. `task` is checked between chunks of the input.
    init(_ bytes: MediaBytes, page: Int = 1, limits: Limits, task: TaskContext) throws(MediaError) {
        try SharedLibrary.libjxl.require(step: .decode)
        self.bytes = bytes
        self.task = task
        let data = bytes.buffer.assumingMemoryBound(to: UInt8.self)
        let context = Unmanaged.passUnretained(task).toOpaque()
        var found = cjxl_header()
        var status = CJXL_DONE
        guard let file = cjxl_open(data.baseAddress, data.count, mustStop, context, &found, &status) else {
            throw try Self.fault(status, task)
        }
        self.file = file
        let size = PixelSize(width: Int(found.width), height: Int(found.height))
        do throws(MediaError) { try limits.check(size: size) } catch {
            cjxl_close(file)
            throw error
        }
        var header = ImageHeader(format: .jxl, size: size)
        header.orientation = Orientation(exif: Int(found.orientation))
        header.obeysEXIFOrientation = false
        header.layout = found.has_alpha != 0 ? .rgba : .rgb
        header.depth = min(Int(found.bits), 16)
        header.rowBits = found.bits > 8 || found.is_float != 0 ? 16 : 8
        header.model = found.is_grey != 0 ? .grey : .rgb
        if found.primaries > 0 {
            header.codePoints = ColorCodePoints(
                primaries: Int(found.primaries), transfer: Int(found.transfer), matrix: 0, isFullRange: true)
        } else {
            header.profile = Self.profile(file)
        }
        if found.is_animated != 0 {
            header.frames = cjxl_count_frames(
                data.baseAddress, data.count, mustStop, context, min(limits.frames, .max - 1) + 1)
        }
        func box(_ type: String) -> [UInt8]? {
            var size = 0
            guard let box = cjxl_box(data.baseAddress, data.count, type, Self.maxBox, mustStop, context, &size)
            else { return nil }
            defer { free(box) }
            return size > 0 ? Array(UnsafeBufferPointer(start: box, count: size)) : nil
        }
        header.exif = box("Exif").flatMap(EXIFBlock.withoutOffset)
        header.xmp = box("xml ")
        self.header = header
        // From here on deinit closes the file.
        // Frames beyond the limit are not counted.
        try limits.check(frames: header.frames, isMinimum: true)
        try limits.check(page: page, of: header.frames)
        cjxl_skip(file, page - 1)
        try task.check()
    }

    deinit { cjxl_close(file) }

    func decode(into pixels: DecodedPixels) throws(MediaError) {
        let blocks = MissingBlocks(pixels: pixels, header: header)
        blocks.mark()
        let status = cjxl_decode(
            file, Int32(header.rowBits), pixels.base, pixels.stride * header.size.height)
        switch status {
        case CJXL_DONE: break
        case CJXL_TRUNCATED:
            // Flushing writes a preview of the missing blocks, of an eighth of the resolution.
            let missing = blocks.missingShare
            guard cjxl_flush(file) != 0 else { throw try Self.fault(status, task) }
            damage = Damage(missingShare: max(missing, blocks.fill()), description: "the file ends early")
        default: throw try Self.fault(status, task)
        }
    }

    private static func fault(_ status: cjxl_status, _ task: TaskContext) throws(MediaError) -> MediaError {
        try task.check()
        let reason =
            switch status {
            case CJXL_TRUNCATED: "the file ends before the image"
            case CJXL_NO_MEMORY: "no memory"
            default: "the data is broken"
            }
        return ErrorSite(step: .decode, format: .jxl)(status == CJXL_NO_MEMORY ? .limit : .decoding, reason)
    }

    private static func profile(_ file: OpaquePointer) -> [UInt8]? {
        let size = cjxl_profile(file, nil, 0)
        guard size > 0, size <= maxBox else { return nil }
        var profile = [UInt8](repeating: 0, count: size)
        return cjxl_profile(file, &profile, size) == size ? profile : nil
    }
}

/// Finds the blocks that were not decoded from a truncated file: they still contain the fill pattern.
private struct MissingBlocks {
    let pixels: DecodedPixels
    let header: ImageHeader
    private static let side = 8
    /// A pattern that no decoded pixels match by chance.
    private static let mark: [UInt8] = (0..<64).map { UInt8(truncatingIfNeeded: ($0 * $0 * 31 + $0 * 89) ^ 0x5A) }

    private var pixelBytes: Int { header.layout.components * header.rowBits / 8 }

    func mark() {
        for y in 0..<header.size.height {
            let row = pixels.row(y).assumingMemoryBound(to: UInt8.self)
            for x in stride(from: 0, to: header.rowBytes, by: Self.mark.count) {
                (row + x).update(from: Self.mark, count: min(Self.mark.count, header.rowBytes - x))
            }
        }
    }

    /// The fraction of the area that is missing.
    var missingShare: Double { visit { _, _ in } }

    /// Fills missing blocks. Returns their fraction of the area.
    func fill() -> Double { visit { header.fillMissing($0, count: $1) } }

    /// Visits the bytes of missing blocks, row by row. Returns their fraction of the area.
    private func visit(_ body: (UnsafeMutableRawPointer, Int) -> Void) -> Double {
        var missing = 0
        for y in 0..<header.size.height {
            let row = pixels.row(y)
            for x in stride(from: 0, to: header.rowBytes, by: Self.side * pixelBytes) {
                let count = min(Self.side * pixelBytes, header.rowBytes - x)
                let isMarked = (0..<count).allSatisfy {
                    row.load(fromByteOffset: x + $0, as: UInt8.self) == Self.mark[(x + $0) % Self.mark.count]
                }
                guard isMarked else { continue }
                body(row + x, count)
                missing += count / pixelBytes
            }
        }
        return Double(missing) / Double(header.size.pixels)
    }
}
