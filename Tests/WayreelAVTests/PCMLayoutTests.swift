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
        try Fixture.withFolder { folder in
            let file = AudioFiles.extensible(
                channels: 1, rate: 8000, bits: 8 * bytes, validBits: validBits,
                data: Self.packed(bytes, validBits: validBits))
            try AudioFiles.write(file, to: "\(folder)/a.wav")
            let pipe = try NamedPipe(feeding: file)
            for path in ["\(folder)/a.wav", pipe.path] {
                let audio = try withExtendedLifetime(pipe) { try DecodedAudio(path) }
                #expect(audio.channels == [Self.values.map(Float.init)])
                #expect(audio.warnings.isEmpty)
            }
        }
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
        try Fixture.withFolder { folder in
            let file = AudioFiles.extensible(
                channels: channels, rate: 8000, bits: bits, validBits: bits, blockBytes: blockBytes,
                data: [UInt8](repeating: 1, count: 420))
            try AudioFiles.write(file, to: "\(folder)/a.wav")
            // 16 bits in three bytes are valid: the container is larger.
            guard !(channels == 1 && bits == 16 && blockBytes == 3) else {
                #expect(try DecodedAudio("\(folder)/a.wav").count == 140)
                return
            }
            let error = #expect(throws: MediaError.self) { try DecodedAudio("\(folder)/a.wav") }
            #expect(error?.kind == .decoding && error?.reason.hasPrefix("its header contradicts itself") == true)
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
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.mp4"
            let file = MovieFile(
                sampleEntry: movie.sampleEntry(), sampleBytes: movie.bits / 8, rate: 8000, data: movie.data)
            try AudioFiles.write(file.bytes, to: path)
            let audio = try DecodedAudio(path)
            #expect(audio.channels == [Self.values.map(Float.init)])
            #expect(audio.warnings.isEmpty)
        }
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
}
