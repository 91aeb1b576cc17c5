import TestSupport
import WayreelCore
import WayreelImage

/// A completely decoded image.
struct DecodedImage {
    let header: ImageHeader
    /// Interleaved components as returned by the reader, 8 or 16 bits.
    let values: [Int]
    let damage: Damage?

    init(_ media: MediaBytes, page: Int? = nil, reduction: Double? = nil, limits: Limits = .standard) throws {
        let reader = try ImageDecoder.open(media, page: page, limits: limits, task: TaskContext())
        if let reduction { reader.prepare(reduction: reduction) }
        header = reader.header
        let row = UnsafeMutableRawPointer.allocate(byteCount: header.rowBytes + 64, alignment: 64)
        defer { row.deallocate() }
        var values: [Int] = []
        let count = header.size.width * header.layout.components
        values.reserveCapacity(count * header.size.height)
        for _ in 0..<header.size.height {
            try reader.readRow(into: row)
            for i in 0..<count {
                values.append(
                    header.rowBits == 16
                        ? Int(row.load(fromByteOffset: 2 * i, as: UInt16.self))
                        : Int(row.load(fromByteOffset: i, as: UInt8.self)))
            }
        }
        self.values = values
        damage = reader.damage
    }

    init(_ bytes: some Collection<UInt8>, limits: Limits = .standard) throws {
        try self.init(MediaBytes(bytes), limits: limits)
    }

    init(fixture name: String, limits: Limits = .standard) throws {
        try self.init(Fixture.file(Fixture.image(name)), limits: limits)
    }

    /// Component `c` of the pixel at (`x`, `y`).
    func value(_ x: Int, _ y: Int, _ c: Int) -> Int {
        values[(y * header.size.width + x) * header.layout.components + c]
    }

    /// Returns the largest difference from the colours that are expected at columns and rows, up to `full`.
    func distance(full: Double, to expected: (Int, Int) -> [Double]) -> Double {
        let scale = (header.rowBits == 8 ? 255 : 65535) / full
        return (0..<header.size.pixels).reduce(0) { largest, pixel in
            let (x, y) = (pixel % header.size.width, pixel / header.size.width)
            return expected(x, y).enumerated().reduce(largest) {
                max($0, abs(Double(value(x, y, $1.offset)) / scale - $1.element))
            }
        }
    }

    /// Returns the largest difference from `expected`, which has the same number of values.
    func distance(to expected: [Int]) -> Int {
        guard expected.count == values.count else { return .max }
        return zip(values, expected).map { abs($0 - $1) }.max() ?? 0
    }

    /// Returns the largest difference from the bytes of `dump`; colour does not count if both are fully transparent.
    func visibleDistance(to dump: [UInt8]) -> Int {
        guard dump.count == values.count else { return .max }
        let components = header.layout.components
        return values.indices.map { i in
            let alpha = i - i % components + 3
            let isInvisible = components == 4 && values[alpha] == 0 && dump[alpha] == 0
            return isInvisible ? 0 : abs(values[i] - Int(dump[i]))
        }.max() ?? 0
    }
}

extension RowReader {
    /// Returns the next row.
    func row() throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: header.rowBytes + 64) { buffer, count in
            try readRow(into: UnsafeMutableRawPointer(buffer.baseAddress!))
            count = header.rowBytes
        }
    }
}

extension [UInt8] {
    /// Returns a copy in which `count` bytes, in `range` or anywhere, are random.
    func changed(_ count: Int, in range: Range<Int>? = nil, using random: inout SeededRandom) -> [UInt8] {
        var bytes = self
        for _ in 0..<count {
            bytes[Int.random(in: range ?? indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        return bytes
    }

    /// The numbers of 16 bits, little-endian, that a dump consists of.
    var shorts: [Int] { stride(from: 0, to: count, by: 2).map { Int(self[$0]) | Int(self[$0 + 1]) << 8 } }
}

extension Image {
    /// Returns the bytes of a file.
    func encoded(
        _ encoding: Encoding, _ metadata: OutputMetadata = OutputMetadata(), task: TaskContext = TaskContext()
    ) throws -> [UInt8] {
        try ImageEncoders.encode(self, as: encoding, metadata: metadata, task: task).bytes
    }

    /// Creates an image whose components are `values` / `full`, premultiplied here.
    init(size: PixelSize, components: Int, values: [Int], full: Double) throws {
        try self.init(size: size, hasAlpha: components == 4)
        set { x, y, c in
            let pixel = (y * size.width + x) * components
            let alpha = components == 4 && c < 3 ? Double(values[pixel + 3]) / full : 1
            return Float(Double(values[pixel + c]) / full * alpha)
        }
    }

    init(_ decoded: DecodedImage) throws {
        try self.init(
            size: decoded.header.size, components: decoded.header.layout.components, values: decoded.values,
            full: decoded.header.rowBits == 16 ? 65535 : 255)
    }
}
