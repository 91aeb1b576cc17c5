import Testing
import TestSupport
import WayreelCore
import WayreelImage
import WayreelKernels

/// An image that is not a file: rows made by a formula.
private final class SyntheticReader: RowReader {
    let header: ImageHeader
    let damage: Damage? = nil
    private let values: [UInt16]
    private var y = 0

    init(size: PixelSize, layout: ImageHeader.RowLayout, bits: Int, value: (Int) -> UInt16) {
        var header = ImageHeader(format: .png, size: size)
        header.layout = layout
        header.rowBits = bits
        self.header = header
        values = (0..<size.width * size.height * layout.components).map(value)
    }

    var rowValues: Int { header.size.width * header.layout.components }

    func readRow(into row: UnsafeMutableRawPointer) {
        for (x, value) in values[y * rowValues..<(y + 1) * rowValues].enumerated() {
            if header.rowBits == 8 {
                row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
            } else {
                row.storeBytes(of: value, toByteOffset: x * 2, as: UInt16.self)
            }
        }
        y += 1
    }

    func skipRows(_ count: Int) { y += count }

    /// Returns component `c` at a position, 0…1, as the resampler should see it.
    func sample(_ x: Int, _ y: Int, _ c: Int, linear: Bool) -> Double {
        let components = header.layout.components
        let at = { (c: Int) in
            Double(self.values[y * self.rowValues + x * components + c]) / Double((1 << self.header.rowBits) - 1)
        }
        guard c < 3 || header.layout == .cmyk else { return at(3) }
        let encoded = at(c)
        let value = linear ? encoded.linear : encoded
        return header.layout == .rgba ? value * at(3) : value
    }
}

/// Planes of random samples, whose conversion is only recorded.
private final class SyntheticPlanes: PlanarRowReader {
    let header: ImageHeader
    let damage: Damage? = nil
    let sampling: ChromaSampling
    private let planes: [[UInt8]]
    private(set) var convertedRows: [Int] = []

    init(size: PixelSize, _ sampling: ChromaSampling, seed: UInt64) {
        header = ImageHeader(format: .heif, size: size)
        self.sampling = sampling
        var random = SeededRandom(seed: seed)
        planes = (0..<3).map { _ in (0..<size.pixels).map { _ in UInt8.random(in: 0...255, using: &random) } }
    }

    var planar: (any PlanarRowReader)? { self }
    func chromaSampling() -> ChromaSampling? { sampling }
    func convertToRGB(_ image: inout Image, rows: Range<Int>) { convertedRows += rows }
    func readRow(into row: UnsafeMutableRawPointer) { Issue.record("a row was read as R′G′B′") }
    func skipRows(_ count: Int) {}

    func readRow(_ y: Int, ofPlane plane: Int, into row: UnsafeMutableRawPointer) {
        for x in 0..<width(plane) {
            row.storeBytes(of: planes[plane][y * width(plane) + x], toByteOffset: x, as: UInt8.self)
        }
    }

    func width(_ plane: Int) -> Int { Self.count(header.size.width, plane, sampling.columns) }
    func height(_ plane: Int) -> Int { Self.count(header.size.height, plane, sampling.rows) }
    func sample(_ x: Int, _ y: Int, _ plane: Int) -> Double { Double(planes[plane][y * width(plane) + x]) / 255 }

    private static func count(_ luma: Int, _ plane: Int, _ axis: ChromaSampling.Axis) -> Int {
        plane == 0 || axis == .full ? luma : (luma + 1) / 2
    }

    /// Returns the places of a plane's samples between those of luma.
    static func places(_ count: Int, _ plane: Int, _ axis: ChromaSampling.Axis) -> [Double] {
        (0..<count).map { index in
            switch (plane == 0 ? .full : axis) {
            case .full: Double(index) + 0.5
            case .centered: Double(2 * index) + 1
            case .cosited: Double(2 * index) + 0.5
            }
        }
    }
}

/// Lanczos resampling by its definition, sample by sample, in doubles.
private struct Reference {
    /// Returns, for each output, the samples that it is made of and their weights.
    static func weights(
        _ places: [Double], origin: Double, extent: Double, outputs: Int
    ) -> [[(index: Int, weight: Double)]] {
        let step = extent / Double(outputs)
        return (0..<outputs).map { output in
            let center = origin + (Double(output) + 0.5) * step
            let all = places.map { lanczos3(($0 - center) / max(1, step)) }
            let sum = all.reduce(0, +)
            return all.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element / sum) }
        }
    }

    private static func lanczos3(_ x: Double) -> Double {
        func sinc(_ x: Double) -> Double { x == 0 ? 1 : sine(.pi * x) / (.pi * x) }
        return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
    }
}

@Suite struct ResamplingTests {
    struct Case: CustomTestStringConvertible {
        var source: PixelSize
        var output: PixelSize
        var region: ResamplingPlan.Region?
        var testDescription: String { "\(source) → \(output)\(region == nil ? "" : " cropped")" }
    }

    static let cases: [Case] = [
        Case(source: PixelSize(width: 97, height: 61), output: PixelSize(width: 31, height: 17)),
        Case(source: PixelSize(width: 64, height: 48), output: PixelSize(width: 64, height: 48)),
        Case(source: PixelSize(width: 1, height: 1), output: PixelSize(width: 1, height: 1)),
        Case(source: PixelSize(width: 1, height: 200), output: PixelSize(width: 1, height: 7)),
        Case(source: PixelSize(width: 200, height: 1), output: PixelSize(width: 13, height: 1)),
        Case(source: PixelSize(width: 5, height: 7), output: PixelSize(width: 23, height: 31)),
        Case(source: PixelSize(width: 301, height: 299), output: PixelSize(width: 2, height: 3)),
        Case(
            source: PixelSize(width: 90, height: 70), output: PixelSize(width: 30, height: 20),
            region: ResamplingPlan.Region(x: 7.25, y: 21.5, width: 60.5, height: 40.25)),
    ]

    static let layouts: [(ImageHeader.RowLayout, Int, Bool)] = [
        (.rgb, 8, false), (.cmyk, 8, false), (.rgba, 8, false), (.rgb, 16, false), (.rgba, 16, true), (.rgb, 8, true),
    ]

    @Test(arguments: cases, layouts)
    func equalsTheDefinition(_ test: Case, _ kind: (ImageHeader.RowLayout, Int, Bool)) throws {
        let (layout, bits, linear) = kind
        var random = SeededRandom(seed: 7)
        let reader = SyntheticReader(size: test.source, layout: layout, bits: bits) { _ in
            UInt16.random(in: 0...(bits == 8 ? 255 : 65_535), using: &random)
        }
        var plan = ResamplingPlan(unchanged: test.source)
        plan.output = test.output
        plan.region = test.region ?? plan.region
        plan.inLinearLight = linear
        let image = try Resampling.resample(reader, plan: plan, task: TaskContext())
        #expect(image.size == test.output)

        let (columns, rows) = (0..<test.source.width, 0..<test.source.height)
        let across = Reference.weights(
            columns.map { Double($0) + 0.5 }, origin: plan.region.x, extent: plan.region.width,
            outputs: test.output.width)
        let down = Reference.weights(
            rows.map { Double($0) + 0.5 }, origin: plan.region.y, extent: plan.region.height,
            outputs: test.output.height)
        let worst = image.worst { x, y, c in
            down[y].reduce(0) { sum, row in
                sum + across[x].reduce(0) { $0 + $1.1 * row.1 * reader.sample($1.0, row.0, c, linear: linear) }
            }
        }
        // The integer path rounds weights to 1/16384 and the rows between its passes to 1/64 of a code: on random
        // values, where nothing averages out, well under a fifth of a code in 8 bits.
        #expect(worst < (bits == 8 && layout != .rgba && !linear ? 0.2 / 255 : 3e-6))
    }

    /// The sines of successive samples do not lose their precision.
    @Test func aLongSpanEqualsTheDefinition() throws {
        try equalsTheDefinition(
            Case(source: PixelSize(width: 1, height: 20_000), output: PixelSize(width: 1, height: 1)), (.rgb, 16, false)
        )
    }

    static let samplings: [ChromaSampling] = [
        ChromaSampling(columns: .full, rows: .full), ChromaSampling(columns: .cosited, rows: .full),
        ChromaSampling(columns: .centered, rows: .centered), ChromaSampling(columns: .cosited, rows: .centered),
        ChromaSampling(columns: .cosited, rows: .cosited),
    ]

    static let reductions: [Case] = [
        Case(source: PixelSize(width: 97, height: 61), output: PixelSize(width: 31, height: 17)),
        Case(source: PixelSize(width: 64, height: 48), output: PixelSize(width: 32, height: 24)),
        Case(source: PixelSize(width: 301, height: 299), output: PixelSize(width: 2, height: 3)),
        Case(
            source: PixelSize(width: 120, height: 150), output: PixelSize(width: 30, height: 40),
            region: ResamplingPlan.Region(x: 7.25, y: 21.5, width: 90.5, height: 100.25)),
    ]

    /// Each plane is resampled at its own size, and stays in its place.
    @Test(arguments: reductions, samplings)
    func planesEqualTheDefinition(_ test: Case, _ sampling: ChromaSampling) throws {
        let reader = SyntheticPlanes(size: test.source, sampling, seed: 5)
        var plan = ResamplingPlan(unchanged: test.source)
        plan.output = test.output
        plan.region = test.region ?? plan.region
        let image = try Resampling.resample(reader, plan: plan, task: TaskContext())
        let across = (0..<3).map { plane in
            Reference.weights(
                SyntheticPlanes.places(reader.width(plane), plane, sampling.columns), origin: plan.region.x,
                extent: plan.region.width, outputs: test.output.width)
        }
        let down = (0..<3).map { plane in
            Reference.weights(
                SyntheticPlanes.places(reader.height(plane), plane, sampling.rows), origin: plan.region.y,
                extent: plan.region.height, outputs: test.output.height)
        }
        let worst = image.worst { x, y, plane in
            down[plane][y].reduce(0) { sum, row in
                sum + across[plane][x].reduce(0) { $0 + $1.1 * row.1 * reader.sample($1.0, row.0, plane) }
            }
        }
        #expect(worst < 0.2 / 255)
        #expect(reader.convertedRows == Array(0..<test.output.height))
    }

    @Test func constantStaysConstant() throws {
        for value in [0, 1, 127, 254, 255] as [UInt16] {
            let size = PixelSize(width: 331, height: 247)
            let reader = SyntheticReader(size: size, layout: .rgb, bits: 8) { _ in value }
            let image = try Image.resampled(reader, to: PixelSize(width: 96, height: 64))
            #expect(image.worst { _, _, _ in Double(Float(value) / 255) } < 1e-6)
        }
    }

    /// Every version of the kernels gives the same bits as the baseline.
    @Test func everyInstructionSetAgrees() throws {
        defer { wr_limit_instructions(3) }
        let size = PixelSize(width: 203, height: 151)
        func pixels(_ layout: ImageHeader.RowLayout) -> any RowReader {
            var random = SeededRandom(seed: 11)
            return SyntheticReader(size: size, layout: layout, bits: 8) { _ in
                UInt16.random(in: 0...255, using: &random)
            }
        }
        let readers: [() -> any RowReader] = [
            { pixels(.rgb) }, { pixels(.cmyk) },
            { SyntheticPlanes(size: size, ChromaSampling(columns: .centered, rows: .centered), seed: 11) },
        ]
        for makeReader in readers {
            let results = try (0...3).map { generation in
                wr_limit_instructions(Int32(generation))
                return try Image.resampled(makeReader(), to: PixelSize(width: 61, height: 45)).values
            }
            for result in results { #expect(result == results[0]) }
        }
    }

    @Test func scalerEqualsResampling() throws {
        var random = SeededRandom(seed: 3)
        let size = PixelSize(width: 77, height: 53)
        let reader = SyntheticReader(size: size, layout: .rgba, bits: 16) { _ in
            UInt16.random(in: 0...65_535, using: &random)
        }
        let output = PixelSize(width: 20, height: 40)
        let expected = try Image.resampled(reader, to: output)
        reader.skipRows(-size.height)
        let scaled = try ImageScaler.scale(Image.resampled(reader), to: output, task: TaskContext())
        #expect(expected.worst { Double(scaled.value($0, $1, $2)) } < 1e-5)
    }
}
