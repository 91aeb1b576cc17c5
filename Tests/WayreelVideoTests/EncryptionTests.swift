internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// Files that cannot be decoded without a key are detected by their containers' declarations, and refused.
@Suite struct EncryptionTests {
    private static let key = [
        "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid",
        "a7e61c373e219033c21091fa607bf3b8",
    ]

    /// Makes two seconds of H.264 and AAC.
    private static func clear(_ folder: String, _ arguments: [String] = []) throws -> String {
        let path = "\(folder)/clear.mp4"
        try SampleVideo.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-f", "lavfi", "-i", "sine=d=2", "-c:v", "libx264",
                "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + arguments + [path])
        return path
    }

    private static func encryption(_ path: String) throws -> [String?] {
        try MediaProbe.probe(path: path).media.streams.map(\.encryption)
    }

    /// Expects that every way of reading the file is refused.
    private static func expectRefused(_ path: String, naming scheme: String, hasVideo: Bool = true) {
        var errors = [
            #expect(throws: MediaError.self) { _ = try AudioReader(.path(path), task: TaskContext()) }
        ]
        if hasVideo {
            errors.append(
                #expect(throws: MediaError.self) {
                    try TranscodeTests.transcode(path, to: "\(path).mp4", TranscodeOptions())
                })
            errors.append(
                #expect(throws: MediaError.self) {
                    try PosterPipeline(PosterOptions()).make(.path(path), task: TaskContext())
                })
        }
        for error in errors {
            #expect(error?.kind == .unsupported)
            #expect(error?.reason.contains("is encrypted (\(scheme))") == true, "\(String(describing: error))")
        }
    }

    /// In one piece and in fragments, with all schemes of ISO/IEC 23001-7, which the type in `schm` names.
    @Test(arguments: [[], ["-movflags", "frag_keyframe+empty_moov"]], ["cenc", "cbcs", "cens", "cbc1"])
    func commonEncryptionIsRefused(_ layout: [String], _ scheme: String) throws {
        try Fixture.withFolder { folder in
            let (made, source) = ("\(folder)/made.mp4", "\(folder)/source.mp4")
            try SampleVideo.make(["-i", try Self.clear(folder), "-c", "copy"] + Self.key + layout + [made])
            let schm = { (scheme: String) in Array("schm\0\0\0\0\(scheme)".utf8) }
            try OutputFile.write(try Fixture.bytes(made).replacing(schm("cenc"), with: schm(scheme)), to: source)
            #expect(try Self.encryption(source) == [scheme, scheme])
            #expect(try MediaProbe.probe(path: source).description.contains("encrypted: \(scheme)"))
            Self.expectRefused(source, naming: scheme)
        }
    }

    /// Without a description of the scheme, and with the sample entries of iTunes.
    @Test func sampleEntriesTellOfEncryption() throws {
        try Fixture.withFolder { folder in
            let (made, source) = ("\(folder)/made.mp4", "\(folder)/source.mp4")
            let clear = try Self.clear(folder)
            try SampleVideo.make(["-i", clear, "-c", "copy"] + Self.key + [made])
            try OutputFile.write(try Fixture.bytes(made).replacing("sinf".utf8, with: "free".utf8), to: source)
            #expect(try Self.encryption(source) == ["encv", "enca"])
            try OutputFile.write(try Fixture.bytes(clear).replacing("mp4a".utf8, with: "drms".utf8), to: source)
            #expect(try Self.encryption(source) == [nil, "drms"])
            Self.expectRefused(source, naming: "drms", hasVideo: false)
        }
    }

    /// Video is processed without its encrypted audio, and planned as if there were none.
    @Test func videoIsTakenWithoutEncryptedAudio() throws {
        try Fixture.withFolder { folder in
            let (clear, source, output) = (try Self.clear(folder), "\(folder)/source.mp4", "\(folder)/out.mp4")
            try OutputFile.write(try Fixture.bytes(clear).replacing("mp4a".utf8, with: "enca".utf8), to: source)
            Self.expectRefused(source, naming: "enca", hasVideo: false)
            let options = TranscodeOptions(audio: AudioSettings(isDropped: true))
            let plan = try TranscodeTests.transcode(source, to: output, options).video.plan
            #expect(plan.video == (try TranscodePlan.plan(path: clear, options).video))
        }
    }

    /// A file with clear samples may contain the data of a key system (`pssh`).
    @Test func aKeySystemAloneIsNoEncryption() throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/source.mp4"
            let clear = try Self.clear(folder)
            let header: [UInt8] = [0, 0, 0, 32] + Array("pssh".utf8) + [UInt8](repeating: 0, count: 24)
            try OutputFile.write(try Fixture.bytes(clear) + header, to: source)
            #expect(try Self.encryption(source) == [nil, nil])
            #expect(
                try TranscodeTests.transcode(source, to: "\(folder)/out.mp4", TranscodeOptions()).video.seconds > 1.9)
        }
    }

    /// Boxes that declare more than the file contains, and invalid boxes.
    @Test(arguments: ["moov", "trak", "stsd", "encv"]) func brokenBoxesAreNoTrap(_ type: String) throws {
        try Fixture.withFolder { folder in
            let (made, source) = ("\(folder)/made.mp4", "\(folder)/source.mp4")
            try SampleVideo.make(["-i", try Self.clear(folder), "-c", "copy"] + Self.key + [made])
            let bytes = try Fixture.bytes(made)
            let offset = try #require(
                (4..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(type.utf8) })
            for size: [UInt8] in [
                [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 9], [0x7f, 255, 255, 255], [255, 255, 255, 255],
            ] {
                var changed = bytes
                changed.replaceSubrange(offset - 4..<offset, with: size)
                try OutputFile.write(changed, to: source)
                // Either result is accepted.
                _ = try? Self.encryption(source)
                try OutputFile.write(Array(changed.prefix(offset + 6)), to: source)
                _ = try? Self.encryption(source)
            }
        }
    }

    // MARK: Matroska

    /// Returns an EBML element with its size in eight bytes.
    private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        id + [1] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
    }

    /// Returns a second of raw samples, with these `encodings` of the track.
    private static func matroska(_ encodings: [UInt8]) -> [UInt8] {
        let header = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
        let audio = element([0xB5], [0x45, 0xFA, 0, 0]) + element([0x9F], [1]) + element([0x62, 0x64], [16])
        let track = element(
            [0xAE],
            element([0xD7], [1]) + element([0x73, 0xC5], [1]) + element([0x83], [2])
                + element([0x86], Array("A_PCM/INT/LIT".utf8)) + element([0xE1], audio) + encodings)
        let samples = (0..<8000).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 % 50)] }
        let cluster = element([0xE7], [0]) + element([0xA3], [0x81, 0, 0, 0x80] + samples)
        let info = element([0x2A, 0xD7, 0xB1], [0x0F, 0x42, 0x40])
        return header
            + element(
                [0x18, 0x53, 0x80, 0x67],
                element([0x15, 0x49, 0xA9, 0x66], info) + element([0x16, 0x54, 0xAE, 0x6B], track)
                    + element([0x1F, 0x43, 0xB6, 0x75], cluster))
    }

    /// RFC 9559, section 5.1.4.1.31: returns one encoding, of the type encryption, by `algorithm` in `mode`.
    private static func encryption(_ algorithm: UInt8, mode: UInt8) -> [UInt8] {
        let content =
            element([0x47, 0xE1], [algorithm]) + element([0x47, 0xE2], [UInt8](repeating: 7, count: 16))
            + element([0x47, 0xE7], element([0x47, 0xE8], [mode]))
        return element(
            [0x6D, 0x80], element([0x62, 0x40], element([0x50, 0x33], [1]) + element([0x50, 0x35], content)))
    }

    @Test(arguments: [(5, 1, "AES-CTR"), (5, 2, "AES-CBC"), (3, 9, "Twofish"), (9, 1, "ContentEncAlgo 9-CTR")])
    func encryptedMatroskaIsRefused(_ algorithm: UInt8, _ mode: UInt8, _ scheme: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/source.mkv"
            try OutputFile.write(Self.matroska(Self.encryption(algorithm, mode: mode)), to: path)
            // FFmpeg also finds the name of the key there.
            let tags = try Played.lines("stream_tags=enc_key_id", of: path)
            #expect(tags.contains { $0.contains("BwcHBwcHBwcHBwcHBwcHBw==") })
            #expect(try Self.encryption(path) == [scheme])
            Self.expectRefused(path, naming: scheme, hasVideo: false)
        }
    }

    /// No encoding at all, and one that only signs.
    @Test func clearMatroskaIsRead() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/source.mkv"
            for encodings in [[], Self.encryption(0, mode: 1)] {
                try OutputFile.write(Self.matroska(encodings), to: path)
                #expect(try Self.encryption(path) == [nil])
            }
            try OutputFile.write(Self.matroska([]), to: path)
            let reader = try AudioReader(.path(path), task: TaskContext())
            while try reader.next() != nil {}
            #expect(reader.outcome.sampleCount == 8000)
        }
    }

    // MARK: Transport streams

    /// The scrambling bits are set in the packets of one stream, with and without timestamps between the packets
    /// (M2TS).
    @Test(arguments: [188, 192]) func scrambledTransportStreamsAreRefused(_ distance: Int) throws {
        try Fixture.withFolder { folder in
            let (clear, source) = ("\(folder)/clear.\(distance == 192 ? "m2ts" : "ts")", "\(folder)/source.ts")
            try SampleVideo.make([
                "-i", try Self.clear(folder), "-c", "copy", "-mpegts_m2ts_mode", distance == 192 ? "1" : "0",
                "-streamid", "0:4113", "-streamid", "1:4352", clear,
            ])
            var bytes = try Fixture.bytes(clear)
            #expect(try Self.encryption(clear) == [nil, nil])
            var count = 0
            for packet in stride(from: distance - 188, to: bytes.count, by: distance) {
                guard Int(bytes[packet + 1] & 0x1f) << 8 | Int(bytes[packet + 2]) == 4352 else { continue }
                bytes[packet + 3] |= 0x80
                count += 1
            }
            #expect(count > 0)
            try OutputFile.write(bytes, to: source)
            let probe = try MediaProbe.probe(path: source).media
            #expect(probe.audio?.encryption == "MPEG-TS scrambling" && probe.video?.encryption == nil)
            Self.expectRefused(source, naming: "MPEG-TS scrambling", hasVideo: false)
        }
    }

    /// Returns the CRC of ISO/IEC 13818-1, annex A: 0 over a section that includes its own.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }

    /// The stream types of Apple's sample encryption, in each program map: 0xdb for H.264, 0xcf for AAC.
    @Test func encryptedSamplesInTransportStreamsAreRefused() throws {
        try Fixture.withFolder { folder in
            let (clear, source) = ("\(folder)/clear.ts", "\(folder)/source.ts")
            try SampleVideo.make(["-i", try Self.clear(folder), "-c", "copy", clear])
            var bytes = try Fixture.bytes(clear)
            let types: [UInt8: UInt8] = [0x1b: 0xdb, 0x0f: 0xcf]
            for packet in stride(from: 0, to: bytes.count, by: 188) {
                guard Int(bytes[packet + 1] & 0x1f) << 8 | Int(bytes[packet + 2]) == 0x1000 else { continue }
                let section = packet + 5
                let end = section + 3 + Int(bytes[section + 1] & 15) << 8 + Int(bytes[section + 2])
                #expect(Self.checksum(bytes[section..<end]) == 0)
                var stream = section + 12
                while stream < end - 4 {
                    bytes[stream] = try #require(types[bytes[stream]])
                    // Its descriptors follow.
                    stream += 5 + Int(bytes[stream + 4])
                }
                let sum = Self.checksum(bytes[section..<end - 4])
                for offset in 0..<4 { bytes[end - 4 + offset] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * offset)) }
            }
            try OutputFile.write(bytes, to: source)
            #expect(try Self.encryption(source) == ["SAMPLE-AES", "SAMPLE-AES"])
            Self.expectRefused(source, naming: "SAMPLE-AES")
        }
    }
}
