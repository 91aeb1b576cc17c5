import Glibc
import JPEGReference
import TestSupport
import Testing
import WayreelJPEG

/// The decoder in comparison with libjpeg: the same coefficients, and at full size the same samples.
@Suite(.serialized) struct JPEGDecoderTests {
    /// The samples of the repository, and those of a folder of your own: `WAYREEL_JPEG_FOLDER=~/photos`.
    static let files: [String] = {
        var folders = [Fixture.media("captures"), Fixture.image("JPEG")]
        if let own = getenv("WAYREEL_JPEG_FOLDER") { folders.append(String(cString: own)) }
        return folders.flatMap { folder in
            Fixture.listing(folder).map { "\(folder)/\($0)" }
                .filter { $0.lowercased().hasSuffix(".jpg") || $0.lowercased().hasSuffix(".jpeg") }
        }
    }()

    @Test(arguments: files)
    func filesHaveTheCoefficientsOfLibjpeg(path: String) throws {
        try compare(Fixture.bytes(path), path)
    }

    @Test func variantsHaveTheCoefficientsOfLibjpeg() throws {
        #expect(JPEGVariant.all.count == 200)
        for variant in JPEGVariant.all {
            #expect(Decoding(variant.bytes).verdict == WJ_ACCEPTED, "\(variant.testDescription)")
            try compare(variant.bytes, variant.testDescription)
        }
    }

    /// Compares what is not refused: coefficients, and samples at full size on one and on three threads.
    private func compare(_ bytes: [UInt8], _ name: String) throws {
        let coefficients = Decoding(bytes)
        let scales = [8, 8, 8]
        let samples = Decoding(bytes, scales: scales), several = Decoding(bytes, scales: scales, threads: 3)
        #expect(coefficients.verdict == samples.verdict && samples.verdict == several.verdict, "\(name)")
        guard coefficients.verdict == WJ_ACCEPTED else { return }
        let difference = coefficients.comparedCoefficients
        #expect(difference.failed == 0 && difference.warnings == 0 && difference.different == 0, "\(name)")
        let rows = samples.comparedSamples
        #expect(rows.failed == 0 && rows.different == 0, "\(name)")
        #expect(samples.samples == several.samples, "\(name)")
    }

    /// Damaged files: what is accepted has libjpeg's coefficients, and libjpeg has no warning.
    @Test func damageIsRefusedOrHarmless() throws {
        var random = SeededRandom(seed: 3)
        var accepted = 0
        for number in 0..<2000 {
            var bytes = JPEGVariant.all[number % 200].bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 2..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.removeLast(min(bytes.count - 100, bytes.count / 50))
                }
            }
            let decoding = Decoding(bytes)
            guard decoding.verdict == WJ_ACCEPTED else { continue }
            accepted += 1
            let difference = decoding.comparedCoefficients
            #expect(
                difference.failed == 0 && difference.warnings == 0 && difference.different == 0, "damage \(number)")
        }
        #expect(accepted > 50)
    }

    // MARK: Scaled samples

    /// Samples of n eighths are the inverse DCT of the n × n lowest frequencies: its formula (T.81, A.3.3) in doubles. In blocks
    /// that reach beyond the image, the frequencies are those of a block whose last row and column are repeated.
    @Test(arguments: [1, 2, 3, 4, 6, 8])
    func scaledSamplesEqualTheFormula(scale: Int) throws {
        for variant in JPEGVariant.all.prefix(40) {
            let coefficients = Decoding(variant.bytes)
            for generation in [0, 3] {
                wj_limit_instructions(Int32(generation))
                defer { wj_limit_instructions(3) }
                let decoded = Decoding(variant.bytes, scales: [scale, scale, scale])
                try #require(decoded.verdict == WJ_ACCEPTED)
                for (index, component) in coefficients.components.enumerated() {
                    let wide = Int(component.blocks_wide)
                    let steps = coefficients.quantization(component)
                    for block in [0, wide / 2, wide * Int(component.blocks_high) - 1] {
                        var values = Formula.values(
                            coefficients.coefficients[index][(block * 64)..<(block * 64 + 64)], steps)
                        let left = 8 * (block % wide), top = 8 * (block / wide)
                        let size = coefficients.size(component)
                        guard left < size.width, top < size.height else { continue }
                        let isAtEdge = scale < 8 && (size.width - left < 8 || size.height - top < 8)
                        if isAtEdge {
                            values = Formula.repeating(values, width: size.width - left, height: size.height - top)
                        }
                        let expected = Formula.samples(values, scale)
                        let stride = decoded.stride(index, scale: scale)
                        for y in 0..<scale {
                            for x in 0..<scale {
                                let sample = decoded.samples[index][
                                    (block / wide * scale + y) * stride + block % wide * scale + x]
                                let want = expected[y * scale + x]
                                // Rounded once between the passes and once at the end; at edges, at full size too.
                                #expect(
                                    abs(Double(sample) - min(max(want, 0), 255)) < (isAtEdge ? 1.6 : 1.01),
                                    "\(variant.testDescription), block \(block), \(x), \(y), generation \(generation)")
                            }
                        }
                    }
                }
            }
        }
    }

    /// An encoder may leave what is beyond the edge black: it must not be mixed into the image.
    @Test(arguments: [1, 2, 3, 4, 6])
    func whatIsBeyondTheEdgeIsNotSeen(scale: Int) throws {
        // 48 × 48 pixels, of which 43 × 42 are said to be the image, whose grey is 230.
        let samples = (0..<48 * 48).map { $0 % 48 < 43 && $0 / 48 < 42 ? UInt8(230) : 0 }
        var encoding = jpeg_encoding()
        (encoding.width, encoding.height, encoding.components, encoding.quality) = (48, 48, 1, 95)
        (encoding.h.0, encoding.v.0) = (1, 1)
        var bytes = JPEGVariant.encode(samples, encoding)
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        (bytes[frame + 6], bytes[frame + 8]) = (42, 43)
        let decoding = Decoding(bytes, scales: [scale])
        try #require(decoding.verdict == WJ_ACCEPTED)
        for y in 0..<(42 * scale + 7) / 8 {
            for x in 0..<(43 * scale + 7) / 8 {
                let sample = decoding.samples[0][y * decoding.stride(0, scale: scale) + x]
                #expect((224...236).contains(sample), "\(x), \(y)")
            }
        }
    }

    /// Portable code and that for newer processors give the same samples.
    @Test func processorsAgree() {
        for variant in JPEGVariant.all {
            for scales in [[8, 8, 8], [4, 8, 6], [3, 6, 4], [2, 3, 1], [1, 2, 3], [6, 4, 2]] {
                wj_limit_instructions(0)
                let portable = Decoding(variant.bytes, scales: scales)
                wj_limit_instructions(3)
                #expect(
                    portable.samples == Decoding(variant.bytes, scales: scales).samples, "\(variant.testDescription)")
            }
        }
    }
}

private enum Formula {
    static func values(_ coefficients: ArraySlice<Int16>, _ steps: [Int]) -> [Double] {
        zip(coefficients, steps).map { Double($0) * Double($1) }
    }

    static func samples(_ values: [Double], _ n: Int) -> [Double] {
        (0..<n * n).map { place in
            var sum = 0.0
            for v in 0..<n {
                for u in 0..<n { sum += values[8 * v + u] * basis(place % n, u, n) * basis(place / n, v, n) }
            }
            return sum / 4 + 128
        }
    }

    /// The values of a block of which the last of `width` columns and of `height` rows are repeated.
    static func repeating(_ values: [Double], width: Int, height: Int) -> [Double] {
        let samples = samples(values, 8).map { min(max($0.rounded(), 0), 255) - 128 }
        return (0..<64).map { place in
            var sum = 0.0
            for y in 0..<8 {
                for x in 0..<8 {
                    let sample = samples[8 * min(y, height - 1) + min(x, width - 1)]
                    sum += sample * basis(x, place % 8, 8) * basis(y, place / 8, 8)
                }
            }
            return sum / 4
        }
    }

    private static func basis(_ sample: Int, _ frequency: Int, _ n: Int) -> Double {
        (frequency == 0 ? 1 / 2.0.squareRoot() : 1)
            * cosine((2 * Double(sample) + 1) * Double(frequency) * .pi / Double(2 * n))
    }
}

extension Decoding {
    var comparedCoefficients: jpeg_comparison {
        withPointers(coefficients) { planes in
            jpeg_compare_coefficients(bytes, bytes.count, planes, components.map(\.blocks_wide))
        }
    }

    var comparedSamples: jpeg_comparison {
        withPointers(samples) { planes in
            jpeg_compare_samples(bytes, bytes.count, planes, components.indices.map { stride($0, scale: 8) })
        }
    }

    /// The samples of a component that belong to the image.
    func size(_ component: wj_component) -> (width: Int, height: Int) {
        func divided(_ side: UInt32, _ factor: UInt8, _ most: Int32) -> Int {
            (Int(side) * Int(factor) + Int(most) - 1) / Int(most)
        }
        return (
            divided(frame.width, component.h, frame.h_max), divided(frame.height, component.v, frame.v_max)
        )
    }

    func quantization(_ component: wj_component) -> [Int] {
        withUnsafeBytes(of: frame.quantization) { tables in
            tables.bindMemory(to: UInt16.self)[
                (Int(component.quantization) * 64)..<(Int(component.quantization) * 64 + 64)
            ]
            .map(Int.init)
        }
    }

    private func withPointers<Value, Result>(
        _ planes: [[Value]], _ body: ([UnsafePointer<Value>?]) -> Result
    ) -> Result {
        let copies = planes.map { plane in
            let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: plane.count)
            _ = copy.initialize(from: plane)
            return copy
        }
        defer { copies.forEach { $0.deallocate() } }
        return body(copies.map { UnsafePointer($0.baseAddress) })
    }
}
