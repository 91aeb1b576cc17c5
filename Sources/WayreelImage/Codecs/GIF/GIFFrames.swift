internal import WayreelCore

/// Decodes the images of a GIF independently.
final class GIFFrames: FrameSource {
    let frames: [AnimationFrame]
    private let file: GIFFile
    private let limits: Limits

    private init(_ file: GIFFile, _ limits: Limits) {
        self.file = file
        self.limits = limits
        frames = file.images.map(\.frame)
    }

    /// Returns a reader for frame `page` (from 1) as displayed.
    static func open(
        _ bytes: MediaBytes, page: Int?, limits: Limits, task: TaskContext
    ) throws(MediaError) -> any RowReader {
        let file = try GIFFile(bytes, limits: limits)
        try limits.check(frames: file.imageCount)
        try limits.check(page: page ?? 1, of: file.imageCount)
        guard !file.images.isEmpty else { throw GIFFile.fault("the file ends before its first image") }
        var header = ImageHeader(format: .gif, size: file.size)
        header.model = .palette
        header.frames = file.imageCount
        header.xmp = file.xmp
        return AnimationReader(GIFFrames(file, limits), frame: (page ?? 1) - 1, header: header, task: task)
    }

    func decode(_ index: Int, use: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(MediaError) -> Damage? {
        let image = file.images[index]
        let size = image.frame.area.size
        guard size.pixels > 0 else { throw GIFFile.fault("image \(index + 1) is \(size) pixels") }
        // An image may be larger than the canvas.
        try limits.check(size: size)
        guard !image.colors.isEmpty else { throw GIFFile.fault("image \(index + 1) has no colours") }
        let bytes = file.file.buffer
        let colors = Self.table(image, in: bytes)
        var row = [UInt32](repeating: 0, count: size.width)
        var order = RowOrder(height: size.height, isInterlaced: image.isInterlaced)
        var decoder = LZWDecoder(UnsafeRawBufferPointer(rebasing: bytes[image.data...]))
        let count = decoder.decode(width: size.width, height: size.height) { indices in
            for x in 0..<size.width { row[x] = colors[Int(indices[x])] }
            row.withUnsafeBytes { use(order.next(), $0.baseAddress!) }
        }
        if count == size.height { return nil }
        let reason = decoder.isBroken ? "the data is broken" : "the file ends early"
        guard count > 0 else { throw GIFFile.fault(reason) }
        return Damage(
            missingShare: Double(size.height - count) / Double(size.height), description: "GIF: \(reason)")
    }

    /// Returns the colour table as red, green, blue, alpha bytes. Missing entries are black.
    private static func table(_ image: GIFFile.Image, in bytes: UnsafeRawBufferPointer) -> [UInt32] {
        let table = UnsafeRawBufferPointer(rebasing: bytes[image.colors])
        return (0..<256).map { index in
            let known = 3 * index + 3 <= table.count
            let color = known ? Array(table[3 * index..<3 * index + 3]) : [0, 0, 0]
            let bytes = color + [index == image.transparent ? 0 : 255]
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
    }
}

/// The row order of an interlaced image (GIF89a specification, appendix E).
private struct RowOrder {
    private let height: Int
    /// The remaining passes: first row and step.
    private var passes: ArraySlice<(first: Int, step: Int)>
    private var y = 0

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    }

    /// Returns the index of the next row. Callable once per row.
    mutating func next() -> Int {
        while y >= height, passes.count > 1 {
            passes = passes.dropFirst()
            y = passes.first?.first ?? 0
        }
        defer { y += passes.first?.step ?? 1 }
        return y
    }
}
