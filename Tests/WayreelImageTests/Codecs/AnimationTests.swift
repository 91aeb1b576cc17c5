import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Frames of animations as displayed, compared with the dumps of other programs, which contain all frames in order.
@Suite struct AnimationTests {
    private static let size = PixelSize(width: 33, height: 25)

    /// Returns frame `page` of a dump of red, green, blue and alpha; without alpha if it has none.
    private static func expected(_ dump: [UInt8], page: Int, components: Int) -> [UInt8] {
        let frame = dump[((page - 1) * size.pixels * 4)..<(page * size.pixels * 4)]
        return components == 4 ? Array(frame) : zip(0..., frame).filter { $0.0 % 4 != 3 }.map(\.1)
    }

    /// Dumps by ImageMagick's -coalesce, FFmpeg, libwebp's animation decoder and djxl. Blending is rounded, by libwebp
    /// to 1 part in 64.
    @Test(arguments: [
        ("animated.gif", "animated.gif", 0), ("animated.png", "animated.png", 2), ("frames.webp", "frames.webp", 3),
        ("animated.jxl", "animated.jxl", 0),
    ])
    func showsEachFrame(name: String, dump: String, tolerance: Int) throws {
        let bytes = try Fixture.file(Fixture.image("Animation/\(name)"))
        let frames = try Fixture.imageBytes("Animation/\(dump).rgba")
        for page in 1...8 {
            let image = try DecodedImage(bytes, page: page)
            #expect(image.header.size == Self.size && image.header.frames == 8 && image.damage == nil)
            let wanted = Self.expected(frames, page: page, components: image.header.layout.components)
            #expect(image.visibleDistance(to: wanted) <= tolerance, "\(name), frame \(page)")
        }
    }

    /// Composited by the formula of the PNG specification, rounded once. The default image is not a frame of the
    /// animation.
    @Test func blendsSixteenBits() throws {
        let bytes = try Fixture.file(Fixture.image("Animation/animated-16-hidden.png"))
        let values = try Fixture.imageBytes("Animation/animated-16-hidden.png.rgba64").shorts
        for page in 1...8 {
            let image = try DecodedImage(bytes, page: page)
            let wanted = values[((page - 1) * Self.size.pixels * 4)..<(page * Self.size.pixels * 4)].enumerated()
            let shown =
                image.header.layout == .rgba
                ? wanted.map(\.element) : wanted.filter { $0.offset % 4 != 3 }.map(\.element)
            let isHidden = { (i: Int) in image.header.layout == .rgba && shown[i - i % 4 + 3] < 1000 }
            let worst = image.values.indices.map { isHidden($0) ? 0 : abs(image.values[$0] - shown[$0]) }.max()
            #expect(image.values.count == shown.count && worst ?? .max <= 16, "frame \(page)")
        }
        // (7x + 50·100, 9y + 30·100, …) mod 256 at the first pixel.
        let still = try DecodedImage(bytes)
        #expect((0..<3).map { still.value(0, 0, $0) / 257 } == [5000 % 256, 3000 % 256, 9000 % 256])
    }

    /// A file by heif-enc with the first three frames of animated.gif.
    @Test func choosesAmongImagesOfHEIF() throws {
        let bytes = try Fixture.file(Fixture.image("Animation/several.heic"))
        let frames = try Fixture.imageBytes("Animation/animated.gif.rgba")
        for page in 1...3 {
            let image = try DecodedImage(bytes, page: page)
            #expect(image.header.frames == 3)
            #expect(image.visibleDistance(to: Self.expected(frames, page: page, components: 3)) <= 2)
        }
        let primary = try DecodedImage(bytes)
        #expect(primary.values == (try DecodedImage(bytes, page: 1)).values)
    }

    /// A file by avifenc with frames 1, 2, 3, 1, 3, 2 of animated.gif; the fourth and the third depend on the frames
    /// before them.
    @Test func choosesAmongFramesOfAVIF() throws {
        let bytes = try Fixture.file(Fixture.image("Animation/sequence.avif"))
        let frames = try Fixture.imageBytes("Animation/animated.gif.rgba")
        for (page, frame) in zip(1..., [1, 2, 3, 1, 3, 2]) {
            let image = try DecodedImage(bytes, page: page)
            #expect(image.header.frames == 6)
            let wanted = Self.expected(frames, page: frame, components: image.header.layout.components)
            #expect(image.visibleDistance(to: wanted) <= 2, "frame \(page)")
        }
    }

    /// Frames that x265 has coded in another order than their display order, identified by the luma that FFmpeg decodes
    /// at (10, 0).
    @Test func choosesAmongReorderedFramesOfHEIC() throws {
        let bytes = try Fixture.file(Fixture.image("Animation/sequence.heic"))
        for (page, luma) in zip(1..., [0, 12, 30, 49, 68, 86, 105, 123, 142, 161, 179, 198]) {
            let image = try DecodedImage(bytes, page: page)
            #expect(image.header.frames == 12 && image.header.size == PixelSize(width: 64, height: 64))
            #expect((0..<3).allSatisfy { abs(image.value(10, 0, $0) - luma) <= 1 }, "frame \(page)")
        }
    }

    /// Returns a sequence without its still image: the box of the items is called `free`.
    private static func sequenceOnly(_ name: String) throws -> [UInt8] {
        var bytes = try Fixture.imageBytes("Animation/\(name)")
        bytes.replaceSubrange(try #require(bytes.firstRange(of: Array("meta".utf8))), with: "free".utf8)
        return bytes
    }

    /// A file that is only a sequence shows its first frame.
    @Test(arguments: ["sequence.avif", "sequence.heic"])
    func showsTheFirstFrameOfASequence(name: String) throws {
        let whole = try Fixture.file(Fixture.image("Animation/\(name)"))
        let sequence = MediaBytes(try Self.sequenceOnly(name))
        let first = try DecodedImage(sequence)
        #expect(first.values == (try DecodedImage(whole, page: 1)).values)
        #expect(first.header.frames == (try DecodedImage(whole, page: 1)).header.frames)
        #expect(try DecodedImage(sequence, page: 3).values == DecodedImage(whole, page: 3).values)
        #expect(throws: MediaError.self) { try DecodedImage(sequence, page: 99) }
    }

    /// The track's matrix turns the frames: coded right becomes down, coded down becomes left.
    @Test func turnsASequenceByItsMatrix() throws {
        var bytes = try Self.sequenceOnly("sequence.heic")
        let header = try #require(bytes.firstRange(of: Array("tkhd".utf8)))
        // Behind the type and version 0: three times and numbers of 4 bytes, duration, and 16 bytes (ISO/IEC 14496-12,
        // section 8.3.2).
        let matrix = header.upperBound + 4 + 20 + 16
        let turn = [0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30].flatMap { number($0, 4) }
        bytes.replaceSubrange(matrix..<matrix + 36, with: turn)
        #expect(try DecodedImage(MediaBytes(bytes)).header.uprightOrientation == .quarterTurnClockwise)
    }

    @Test(arguments: [
        ("animated.gif", 8), ("animated.png", 8), ("frames.webp", 8), ("animated.jxl", 8), ("several.heic", 3),
        ("sequence.avif", 6), ("../rgb-8.png", 1), ("../rgb.bmp", 1), ("../lossless.heic", 1), ("../png.ico", 2),
    ])
    func reportsOfMissingPages(name: String, count: Int) throws {
        let bytes = try Fixture.file(Fixture.image("Animation/\(name)"))
        for page in [0, count + 1, 1_000_000, .max] {
            let error = #expect(throws: MediaError.self) { try DecodedImage(bytes, page: page) }
            #expect(error?.kind == .parameter && error?.reason == "page \(page) does not exist; the file has \(count)")
        }
    }

    /// Parts of a file decode, decode with damage or throw.
    @Test(arguments: ["animated.gif", "animated.png", "animated-16-hidden.png", "frames.webp", "sequence.avif"])
    func endsEarly(name: String) throws {
        let whole = try Fixture.imageBytes("Animation/\(name)")
        for part in 1..<40 {
            let bytes = MediaBytes(whole.prefix(whole.count * part / 40))
            for page in [1, 3, 6] {
                do {
                    #expect(try DecodedImage(bytes, page: page).damage?.missingShare ?? 0 < 1)
                } catch let error as MediaError {
                    #expect(!error.reason.isEmpty)
                }
            }
        }
    }

    @Test(arguments: ["animated.gif", "animated.png", "animated-16-hidden.png", "frames.webp", "sequence.avif"])
    func survivesChangedBytes(name: String) throws {
        let whole = try Fixture.imageBytes("Animation/\(name)")
        var random = SeededRandom(seed: 31)
        for round in 0..<150 {
            let bytes = whole.changed(.random(in: 1...4, using: &random), using: &random)
            let limits = Limits(pixels: 1_000_000, seconds: 10, frames: 100)
            do {
                _ = try DecodedImage(MediaBytes(bytes), page: round % 6 + 1, limits: limits)
            } catch is MediaError {}
        }
    }

    /// A GIF of many frames on a large canvas, each of a few bytes: the time limit ends the task between two of them.
    @Test func deadlineEndsCompositing() throws {
        let side: [UInt8] = [0xE8, 0x03]
        let head = Array("GIF89a".utf8) + side + side + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let control: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]
        let frame = control + [0x2C, 0, 0, 0, 0] + side + side + [0, 2] + Self.transparentPixels(1_000_000)
        let bytes = head + repeatElement(frame, count: 2_000).joined()
        let task = TaskContext(seconds: 0.2)
        let reader = try ImageDecoder.open(MediaBytes(bytes), page: 2_000, limits: .standard, task: task)
        let clock = ContinuousClock()
        let start = clock.now
        let error = #expect(throws: MediaError.self) { try reader.row() }
        #expect(error?.kind == .limit)
        #expect(clock.now - start < .seconds(3))
    }

    /// An image of 65535×65535 on a canvas of 8×8.
    @Test func refusesAnImageFarLargerThanTheCanvas() throws {
        let head = Array("GIF89a".utf8) + [8, 0, 8, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2]
        let error = #expect(throws: MediaError.self) {
            try DecodedImage(MediaBytes(head + descriptor + Self.transparentPixels(1000) + [0x3B]), page: 1)
        }
        #expect(error?.kind == .limit && error?.reason.contains("65535×65535") == true)
    }

    /// Returns sub-blocks of LZW codes for that many pixels of index 0: each code is one pixel longer than the last.
    private static func transparentPixels(_ count: Int) -> [UInt8] {
        var (bytes, held, heldBits): ([UInt8], Int, Int) = ([], 0, 0)
        func put(_ code: Int, _ bits: Int) {
            held |= code << heldBits
            heldBits += bits
            while heldBits >= 8 {
                bytes.append(UInt8(held & 255))
                held >>= 8
                heldBits -= 8
            }
        }
        put(4, 3)
        put(0, 3)
        var (bits, code, pixels) = (3, 6, 1)
        while pixels < count {
            put(code, bits)
            pixels += code - 4
            code += 1
            if code == 1 << bits { bits += 1 }
        }
        put(5, bits)
        put(0, 8)
        let blocks = stride(from: 0, to: bytes.count, by: 255).map { Array(bytes[$0..<min($0 + 255, bytes.count)]) }
        return blocks.flatMap { [UInt8($0.count)] + $0 } + [0]
    }

    /// Frames under a frame that covers everything are not decoded: their damage does not count.
    @Test func skipsCoveredFrames() throws {
        // Two frames of 2 × 2 pixels, without transparency; the first has no data.
        let head = Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 128, 0]
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0]
        // Clear, 1, 6 (which is 1, 1), 1 in 3 bits each and the end in 4, from the lowest bit on.
        let ones: [UInt8] = [2, 2, 0b1000_1100, 0b0101_0011, 0]
        let image = try DecodedImage(MediaBytes(head + descriptor + [2, 0] + descriptor + ones + [0x3B]), page: 2)
        #expect(image.header.layout == .rgb && image.damage == nil)
        #expect(image.values == (0..<4).flatMap { _ in [255, 128, 0] })
    }

    /// An encoder that declares codes of 12 bits for two colours: clear (2048), 1, 0 and the end (2049).
    @Test func readsCodesThatAreLongerThanNeeded() throws {
        let head = Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 128, 0]
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
        let codes: [UInt8] = [11, 6, 0x00, 0x18, 0x00, 0x00, 0x10, 0x80, 0]
        let image = try DecodedImage(MediaBytes(head + descriptor + codes + [0x3B]), page: 1)
        #expect(image.damage == nil && image.values == [255, 128, 0, 0, 0, 0])
        // 300 is no colour: such a file is broken.
        var broken = codes
        (broken[3], broken[4]) = (0xC8, 0x12)
        #expect(throws: MediaError.self) {
            try DecodedImage(MediaBytes(head + descriptor + broken + [0x3B]), page: 1)
        }
    }
}
