import JPEGReference
import TestSupport
import Testing
import WayreelJPEG

/// The rules by which an image is left to libjpeg: each is broken alone.
@Suite struct JPEGVerdictTests {
    /// 32 × 24 pixels, 4:2:0, four restart intervals of one MCU and two more, standard tables.
    private static func image(_ change: (inout jpeg_encoding) -> Void = { _ in }) -> [UInt8] {
        var random = SeededRandom(seed: 1)
        var encoding = jpeg_encoding(
            width: 32, height: 24, components: 3, quality: 80, h: (2, 1, 1), v: (2, 1, 1), restart_interval: 1,
            is_optimized: 0, is_rgb: 0, is_progressive: 0, is_arithmetic: 0)
        change(&encoding)
        return JPEGVariant.encode(
            JPEGVariant.samples(
                Int(encoding.width), Int(encoding.height), Int(encoding.components), kind: 0, &random), encoding)
    }

    /// Returns the place of a segment's first byte after its length.
    private static func segment(_ marker: UInt8, in bytes: [UInt8], number: Int = 0) throws -> Int {
        let places = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == marker }
        try #require(number < places.count)
        return places[number] + 4
    }

    private func expect(_ verdict: wj_verdict, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
        let found = Decoding(bytes, scales: [8, 8, 8]).verdict
        #expect(
            found == verdict, "\(String(cString: wj_verdict_text(found)))", sourceLocation: sourceLocation)
    }

    private func expect(
        _ verdict: wj_verdict, _ marker: UInt8, number: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout [UInt8], Int) -> Void
    ) throws {
        var bytes = Self.image()
        change(&bytes, try Self.segment(marker, in: bytes, number: number))
        expect(verdict, bytes, sourceLocation: sourceLocation)
    }

    @Test func theImageItselfIsAccepted() { expect(WJ_ACCEPTED, Self.image()) }

    @Test func otherProcesses() throws {
        expect(WJ_PROCESS, Self.image { $0.is_progressive = 1 })
        expect(WJ_PROCESS, Self.image { $0.is_arithmetic = 1 })
        // Lossless, hierarchical.
        try expect(WJ_PROCESS, 0xC0) { bytes, place in bytes[place - 3] = 0xC3 }
        try expect(WJ_PRECISION, 0xC0) { bytes, place in bytes[place] = 12 }
    }

    @Test func markersOfTheHeader() throws {
        expect(WJ_NO_SOI, [0xFF, 0xD9, 0xFF, 0xD8])
        try expect(WJ_MARKER, 0xDB) { bytes, place in bytes[place - 4] = 0 }
        try expect(WJ_MARKER, 0xDB) { bytes, place in bytes[place - 3] = 0xD0 }
        try expect(WJ_SEGMENT_LENGTH, 0xDB) { bytes, place in
            bytes[place - 1] = 1; bytes[place - 2] = 0
        }
        try expect(WJ_SEGMENT_LENGTH, 0xDB) { bytes, place in bytes[place - 2] = 0xFF }
        try expect(WJ_APPLICATION_SEGMENT, 0xE0) { bytes, place in bytes[place + 5] = 2 }
        var bytes = Self.image {
            $0.is_rgb = 1; $0.h = (1, 1, 1); $0.v = (1, 1, 1)
        }
        let adobe = try Self.segment(0xEE, in: bytes)
        expect(WJ_ACCEPTED, bytes)
        bytes[adobe + 11] = 2
        expect(WJ_APPLICATION_SEGMENT, bytes)
    }

    @Test func tables() throws {
        try expect(WJ_QUANTIZATION_TABLE, 0xDB) { bytes, place in bytes[place + 5] = 0 }
        try expect(WJ_QUANTIZATION_TABLE, 0xDB) { bytes, place in bytes[place] = 0x24 }
        // Table 1 is not defined.
        try expect(WJ_QUANTIZATION_TABLE, 0xDB, number: 1) { bytes, place in bytes[place] = 2 }
        // More codes of a bit than there are; a class that does not exist; table 1 is not defined.
        try expect(WJ_HUFFMAN_TABLE, 0xC4) { bytes, place in
            bytes[place + 1] = 2
            bytes[place + 2] -= bytes[place + 2] > 1 ? 2 : 0
        }
        try expect(WJ_HUFFMAN_TABLE, 0xC4) { bytes, place in bytes[place] = 0x20 }
        try expect(WJ_HUFFMAN_TABLE, 0xC4, number: 2) { bytes, place in bytes[place] = 2 }
        // A DC difference of 12 bits, an AC coefficient of 11 bits.
        try expect(WJ_HUFFMAN_TABLE, 0xC4) { bytes, place in bytes[place + 17] = 12 }
        try expect(WJ_HUFFMAN_TABLE, 0xC4, number: 1) { bytes, place in bytes[place + 17] = 0x0B }
        // A run without a size.
        try expect(WJ_HUFFMAN_TABLE, 0xC4, number: 1) { bytes, place in bytes[place + 17] = 0x50 }
        // All 162 codes of AC have 12 bits, so that they begin with zeros.
        try expect(WJ_HUFFMAN_TABLE, 0xC4, number: 1) { bytes, place in
            for length in 1...16 { bytes[place + length] = length == 12 ? 162 : 0 }
        }
    }

    @Test func theFrame() throws {
        try expect(WJ_SIZE, 0xC0) { bytes, place in
            bytes[place + 1] = 0; bytes[place + 2] = 0
        }
        try expect(WJ_COMPONENTS, 0xC0) { bytes, place in bytes[place + 5] = 4 }
        try expect(WJ_COMPONENTS, 0xC0) { bytes, place in bytes[place + 9] = bytes[place + 6] }
        try expect(WJ_SAMPLING, 0xC0) { bytes, place in bytes[place + 7] = 0x50 }
        // Three columns for two of chroma; luma with fewer samples than chroma; more than ten blocks.
        try expect(WJ_SAMPLING, 0xC0) { bytes, place in
            bytes[place + 7] = 0x31; bytes[place + 10] = 0x21
        }
        try expect(WJ_SAMPLING, 0xC0) { bytes, place in
            bytes[place + 7] = 0x11; bytes[place + 10] = 0x21
        }
        try expect(WJ_SAMPLING, 0xC0) { bytes, place in bytes[place + 7] = 0x44 }
    }

    @Test func theScan() throws {
        // Not all components, other order, part of the spectrum.
        try expect(WJ_SCAN_HEADER, 0xDA) { bytes, place in bytes[place] = 1 }
        try expect(WJ_SCAN_HEADER, 0xDA) { bytes, place in bytes.swapAt(place + 1, place + 3) }
        try expect(WJ_SCAN_HEADER, 0xDA) { bytes, place in bytes[place + 8] = 5 }
        expect(WJ_NO_EOI, Array(Self.image().dropLast(2)))
        try expect(WJ_SCAN_MARKER, 0xD1) { bytes, place in bytes[place - 3] = 0xD5 }
        try expect(WJ_INTERVAL_COUNT, 0xDD) { bytes, place in bytes[place + 1] = 2 }
        // 4096 × 3072 pixels in a few hundred bytes.
        try expect(WJ_TOO_SHORT, 0xC0) { bytes, place in
            bytes[place + 1] = 0x0C; bytes[place + 3] = 0x10
        }
        // A byte that no code needs, and one that is missing, before the first restart marker.
        try expect(WJ_INTERVAL_LENGTH, 0xD0) { bytes, place in bytes.insert(0x55, at: place - 4) }
        try expect(WJ_CODE, 0xD0) { bytes, place in bytes.removeSubrange((place - 12)..<(place - 4)) }
    }

    /// DC differences that add up to more than 16 bits.
    @Test func rangeOfDC() { expect(WJ_DC_RANGE, Self.flat(blocks: 20, step: 1)) }

    /// Products that overflow 16 bits, as those of damaged files: libjpeg's samples, whatever they mean.
    @Test(arguments: [1, 4, 8, 9, 16, 255])
    func overflow(step: UInt8) {
        for generation in [0, 3] {
            wj_limit_instructions(Int32(generation))
            defer { wj_limit_instructions(3) }
            let decoding = Decoding(Self.flat(blocks: 8, step: step), scales: [8])
            #expect(decoding.verdict == WJ_ACCEPTED && decoding.comparedSamples.different == 0)
        }
    }

    /// A grey row of `blocks` blocks without AC, in which all DC differences are 2047. `step` is that of the quantization.
    private static func flat(blocks: UInt8, step: UInt8) -> [UInt8] {
        // One code of one bit for DC: size 11; one for AC: EOB.
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: step, count: 64)
        bytes += [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8 * blocks, 1, 1, 0x11, 0]
        for table: UInt8 in [0x00, 0x10] {
            bytes += [0xFF, 0xC4, 0, 20, table, 1] + [UInt8](repeating: 0, count: 15) + [table == 0 ? 11 : 0]
        }
        bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        // 0 11111111111 0 for each block.
        let bits = [Bool]((0..<blocks).map { _ in [false] + [Bool](repeating: true, count: 11) + [false] }.joined())
        var padded = bits
        while padded.count % 8 != 0 { padded.append(true) }
        for start in stride(from: 0, to: padded.count, by: 8) {
            let byte = padded[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
            bytes += byte == 0xFF ? [0xFF, 0] : [byte]
        }
        return bytes + [0xFF, 0xD9]
    }

    /// libjpeg writes the tables of T.81, K.3.3. Without them, only a frame of Motion JPEG can be decoded.
    @Test func motionJPEGNeedNotDefineTheUsualTables() throws {
        let whole = Self.image()
        let bytes = JPEGFile.removingSegments(0xC4, from: whole)
        try #require(bytes.count < whole.count)
        expect(WJ_HUFFMAN_TABLE, bytes)
        var (expected, frame) = (wj_frame(), wj_frame())
        #expect(wj_read_frame(whole, whole.count, &expected) == WJ_ACCEPTED)
        #expect(wj_read_video_frame(bytes, bytes.count, &frame) == WJ_ACCEPTED)
        let tables = { (frame: wj_frame) in
            [frame.dc.0, frame.dc.1, frame.ac.0, frame.ac.1].flatMap { table in withUnsafeBytes(of: table, Array.init) }
        }
        #expect(tables(frame) == tables(expected))
    }
}
