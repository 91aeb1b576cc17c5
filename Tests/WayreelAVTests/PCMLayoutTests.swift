import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// The layout of PCM samples that headers declare by the size of a sample, its valid bits and its byte order.
@Suite struct PCMLayoutTests {
    private static let values = [-1.0, -0.5, 0, 0.25, 0.5]

    /// Returns `values` as integers of `bits` in the upper part of `bytes` bytes.
    private static func packed(_ bytes: Int, validBits bits: Int, isBigEndian: Bool = false) -> [UInt8] {
        values.flatMap { value in
            let number = Int64(value * Double(1 << (bits - 1))) << Int64(8 * bytes - bits)
            let little = AudioFiles.little(UInt64(bitPattern: number), bytes)
            return isBigEndian ? Array(little.reversed()) : little
        }
    }

    /// Microsoft, "Multiple channel audio data and WAVE files": the valid bits are the upper ones of the container.
    @Test(arguments: [(2, 12), (2, 16), (3, 16), (3, 20), (3, 24), (4, 16), (4, 20), (4, 24), (4, 32)])
    func validBitsAreTheUpperOnes(bytes: Int, validBits: Int) throws {
        let file = AudioFiles.extensible(
            channels: 1, rate: 8000, bits: 8 * bytes, validBits: validBits,
            data: Self.packed(bytes, validBits: validBits))
        try expectValues(file, name: "a.wav")
    }

    /// Without WAVE_FORMAT_EXTENSIBLE, samples of four bytes with 24 bits are integers or, as old editors wrote them,
    /// floating-point numbers, as libsndfile also detects.
    @Test func plainSamplesAreDetected() throws {
        try Fixture.withFolder { folder in
            func audio(_ data: [UInt8]) throws -> DecodedAudio {
                var file = AudioFiles.riff(format: 1, channels: 1, rate: 8000, bits: 32, data: data)
                file[34] = 24
                try AudioFiles.write(file, to: "\(folder)/a.wav")
                return try DecodedAudio("\(folder)/a.wav")
            }
            #expect(try audio(Self.packed(4, validBits: 24)).channels == [Self.values.map(Float.init)])
            let floats = Self.values.flatMap {
                AudioFiles.little(UInt64((Float($0) * 8_388_607).bitPattern), 4)
            }
            let read = try audio(floats).channels[0]
            #expect(zip(read, Self.values).allSatisfy { abs($0 - Float($1)) < 1e-6 })
        }
    }

    @Test(arguments: [(2, 16, 2), (1, 16, 3), (1, 24, 2), (1, 16, 5), (2, 24, 7)])
    func contradictionsAreRefused(channels: Int, bits: Int, blockBytes: Int) throws {
        let file = AudioFiles.extensible(
            channels: channels, rate: 8000, bits: bits, validBits: bits, blockBytes: blockBytes,
            data: [UInt8](repeating: 1, count: 420))
        // 16 bits in three bytes are valid: the container is larger.
        guard channels == 1 && bits == 16 && blockBytes == 3 else {
            return try expectContradiction(file, name: "a.wav")
        }
        try Fixture.withFolder { folder in
            try AudioFiles.write(file, to: "\(folder)/a.wav")
            #expect(try DecodedAudio("\(folder)/a.wav").count == 140)
        }
    }

    struct Movie: CustomTestStringConvertible, Sendable {
        let entry: String
        let bits: Int
        let isLittleEndian: Bool
        var testDescription: String { "\(entry), \(bits) bits, \(isLittleEndian ? "little" : "big")-endian" }

        /// An AudioSampleEntry with the layout of ISO/IEC 23003-5. Its own number of bits is always 16.
        func sampleEntry(channels: UInt8 = 1, bits: Int? = nil, hasLayout: Bool = true) -> [UInt8] {
            let layout = MovieFile.box("pcmC", [0, 0, 0, 0, isLittleEndian ? 1 : 0, UInt8(bits ?? self.bits)])
            return MovieFile.box(
                entry,
                [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, channels, 0, 16, 0, 0, 0, 0, 0x1F, 0x40, 0, 0]
                    + (hasLayout ? layout : []))
        }

        var data: [UInt8] {
            if entry == "ipcm" { return PCMLayoutTests.packed(bits / 8, validBits: bits, isBigEndian: !isLittleEndian) }
            return PCMLayoutTests.values.flatMap { value in
                let pattern = bits == 32 ? UInt64(Float(value).bitPattern) : value.bitPattern
                let little = AudioFiles.little(pattern, bits / 8)
                return isLittleEndian ? little : little.reversed()
            }
        }
    }

    static let movies = [("ipcm", [8, 16, 24, 32]), ("fpcm", [32, 64])].flatMap { entry, sizes in
        sizes.flatMap { bits in [true, false].map { Movie(entry: entry, bits: bits, isLittleEndian: $0) } }
    }

    @Test(arguments: movies) func layoutsOfMovies(_ movie: Movie) throws {
        let file = MovieFile(
            sampleEntry: movie.sampleEntry(), sampleBytes: movie.bits / 8, rate: 8000, data: movie.data)
        try expectValues(file.bytes, name: "a.mp4", isFileOnly: true)
    }

    @Test func contradictionsOfMoviesAreRefused() throws {
        let movie = Movie(entry: "ipcm", bits: 24, isLittleEndian: true)
        let wrong: [(entry: [UInt8], reason: String)] = [
            (movie.sampleEntry(hasLayout: false), "the layout of its PCM samples is missing (pcmC)"),
            (movie.sampleEntry(bits: 17), "its PCM samples are said to have 17 bits"),
            (
                movie.sampleEntry(channels: 2),
                "its PCM is said to have 2 channels of 24 bits, but 3 bytes for all of them"
            ),
        ]
        for (entry, reason) in wrong {
            try Fixture.withFolder { folder in
                let file = MovieFile(sampleEntry: entry, sampleBytes: 3, rate: 8000, data: movie.data)
                try AudioFiles.write(file.bytes, to: "\(folder)/a.mp4")
                let error = #expect(throws: MediaError.self) { try DecodedAudio("\(folder)/a.mp4") }
                #expect(error?.kind == .decoding && error?.reason == reason)
            }
        }
    }

    // MARK: Other containers

    /// RIFX is WAV in big-endian order.
    @Test(arguments: [(1, 2, 16), (1, 3, 24), (1, 4, 32), (1, 4, 24), (3, 4, 32)])
    func bigEndianWave(format: Int, bytes: Int, validBits: Int) throws {
        let data =
            format == 1
            ? Self.packed(bytes, validBits: validBits, isBigEndian: true)
            : Self.values.flatMap { (value: Double) -> [UInt8] in
                AudioFiles.little(UInt64(Float(value).bitPattern), 4).reversed()
            }
        let swapped = { (number: Int, count: Int) -> [UInt8] in AudioFiles.little(UInt64(number), count).reversed() }
        let parts: [[UInt8]] = [
            Array("WAVEfmt ".utf8), swapped(16, 4), swapped(format, 2), swapped(1, 2), swapped(8000, 4),
            swapped(8000 * bytes, 4), swapped(bytes, 2), swapped(validBits, 2), Array("data".utf8),
            swapped(data.count, 4), data,
        ]
        let body = [UInt8](parts.joined())
        let start = [UInt8]("RIFX".utf8) + swapped(body.count, 4)
        try expectValues(start + body, name: "a.wav")
    }

    /// Floating-point numbers with fewer valid bits, as a header of WAVE_FORMAT_EXTENSIBLE may say.
    @Test func floatsWithValidBits() throws {
        let data = Self.values.flatMap { AudioFiles.little(UInt64(Float($0).bitPattern), 4) }
        var file = AudioFiles.extensible(channels: 1, rate: 8000, bits: 32, validBits: 24, data: data)
        file[44] = 3
        try expectValues(file, name: "a.wav")
        // Without it, 24 bits in four bytes of floating-point numbers contradict each other.
        var plain = AudioFiles.riff(format: 3, channels: 1, rate: 8000, bits: 32, data: data)
        plain[34] = 24
        try expectContradiction(plain, name: "a.wav")
    }

    private static func coreAudio(_ bytes: Int, bits: Int, isBigEndian: Bool, channels: Int = 1) -> [UInt8] {
        let data = packed(bytes, validBits: min(bits, 8 * bytes), isBigEndian: isBigEndian)
        let big = MovieFile.big
        let rate = [UInt8](AudioFiles.little(8000.0.bitPattern, 8).reversed())
        let packetBytes = bytes * (channels == 1 ? 1 : 2)
        let parts: [[UInt8]] = [
            Array("caff".utf8), [0, 1, 0, 0], Array("desc".utf8), big(0), big(32), rate, Array("lpcm".utf8),
            big(isBigEndian ? 0 : 2), big(packetBytes), big(1), big(channels), big(bits), Array("data".utf8), big(0),
            big(4 + data.count), big(0), data,
        ]
        return Array(parts.joined())
    }

    @Test(arguments: [(2, 16), (3, 20), (3, 24), (4, 20), (4, 24), (4, 32)], [true, false])
    func coreAudioFormat(size: (bytes: Int, bits: Int), isBigEndian: Bool) throws {
        try expectValues(Self.coreAudio(size.bytes, bits: size.bits, isBigEndian: isBigEndian), name: "a.caf")
    }

    /// Three channels in a packet of two samples.
    @Test func contradictionsOfCoreAudioAreRefused() throws {
        try expectContradiction(Self.coreAudio(2, bits: 16, isBigEndian: true, channels: 3), name: "a.caf")
    }

    /// Little-endian AIFF-C, by the name of QuickTime and by those that libsndfile writes.
    @Test(arguments: [("sowt", 2, 16), ("sowt", 3, 24), ("sowt", 4, 32), ("42n1", 3, 24), ("23ni", 4, 32)])
    func littleEndianAIFF(type: String, bytes: Int, bits: UInt8) throws {
        let data = Self.packed(bytes, validBits: Int(bits))
        let big = MovieFile.big
        let chunk = { (name: String, parts: [[UInt8]]) -> [UInt8] in
            let content = [UInt8](parts.joined())
            let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
            return Array(name.utf8) + big(content.count) + content + padding
        }
        // The rate of 8000 Hz is an 80-bit floating-point number.
        let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        let common: [[UInt8]] = [[0, 1], big(Self.values.count), [0, bits], rate, Array(type.utf8), [0, 0]]
        let body = [UInt8]("AIFC".utf8) + chunk("COMM", common) + chunk("SSND", [big(0), big(0), data])
        try expectValues([UInt8]("FORM".utf8) + big(body.count) + body, name: "a.aifc")
    }

    /// A version 2 sound description of QuickTime. The flags: 2 big-endian, 4 signed, 8 packed, 16 upper bits.
    private static func quickTime(_ bytes: Int, bits: Int, flags: Int) -> [UInt8] {
        let big = MovieFile.big
        let fixed: [UInt8] = [0, 3, 0, 16, 0xFF, 0xFE, 0, 0, 0, 1, 0, 0]
        let rate = [UInt8](AudioFiles.little(8000.0.bitPattern, 8).reversed())
        let parts: [[UInt8]] = [
            [0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0], fixed, big(72), rate, big(1), big(0x7F00_0000), big(bits),
            big(flags), big(bytes), big(1),
        ]
        let entry = MovieFile.box("lpcm", Array(parts.joined()))
        let data = packed(bytes, validBits: bits, isBigEndian: flags & 2 != 0)
        return MovieFile(sampleEntry: entry, sampleBytes: bytes, rate: 8000, data: data).bytes
    }

    @Test(arguments: [(2, 16, 12), (3, 24, 12), (4, 24, 20), (4, 24, 22), (4, 20, 20), (3, 20, 22), (2, 12, 20)])
    func quickTimeSamples(bytes: Int, bits: Int, flags: Int) throws {
        try expectValues(Self.quickTime(bytes, bits: bits, flags: flags), name: "a.mov", isFileOnly: true)
    }

    /// Lower bits would be too quiet; packed samples have no room; two bytes do not hold 24 bits.
    @Test(arguments: [(4, 24, 4), (4, 24, 12), (2, 24, 12)])
    func otherQuickTimeSamplesAreRefused(bytes: Int, bits: Int, flags: Int) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(Self.quickTime(bytes, bits: min(bits, 8 * bytes), flags: flags), to: "\(folder)/a.mov")
            var file = try Fixture.bytes("\(folder)/a.mov")
            let entry = try #require((0..<file.count - 4).first { file[$0..<$0 + 4].elementsEqual("lpcm".utf8) })
            file[entry + 4 + 51] = UInt8(bits)
            try AudioFiles.write(file, to: "\(folder)/a.mov")
            let error = #expect(throws: MediaError.self) { try DecodedAudio("\(folder)/a.mov") }
            #expect(error?.reason.contains("\(bits) bits") == true, "\(error?.reason ?? "")")
        }
    }

    /// Expects `values` from a file and, if FFmpeg reads the format from one, from a pipe.
    private func expectValues(_ file: [UInt8], name: String, isFileOnly: Bool = false) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(file, to: "\(folder)/\(name)")
            let pipe = try NamedPipe(feeding: file)
            for path in ["\(folder)/\(name)"] + (isFileOnly ? [] : [pipe.path]) {
                let audio = try withExtendedLifetime(pipe) { try DecodedAudio(path) }
                #expect(audio.channels == [Self.values.map(Float.init)], "\(audio.channels)")
                #expect(audio.warnings.isEmpty)
            }
        }
    }

    private func expectContradiction(_ file: [UInt8], name: String) throws {
        try Fixture.withFolder { folder in
            try AudioFiles.write(file, to: "\(folder)/\(name)")
            let error = #expect(throws: MediaError.self) { try DecodedAudio("\(folder)/\(name)") }
            #expect(error?.kind == .decoding && error?.reason.hasPrefix("its header contradicts itself") == true)
        }
    }
}
