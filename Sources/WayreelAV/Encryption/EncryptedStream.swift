internal import CFFmpeg
package import WayreelCore

/// Detects encrypted streams by the declarations of their container. FFmpeg hides most of these and returns packets
/// that no decoder reads.
enum EncryptedStream {
    /// Returns the schemes of the encrypted streams of an open file, such as `cenc` or `cbcs`, by index.
    ///
    /// Throws an `io` error if the file cannot be read, and the errors of its task.
    static func schemes(in context: FormatContext) throws(MediaError) -> [Int: String] {
        let file = context.file
        // A pipe cannot be read twice.
        guard file.size != nil else { return [:] }
        let streams = context.streams
        let found: [String?]
        switch ContainerTraits(demuxer: context.container).encryption {
        case .sampleEntries:
            let byTrack = try ISOEncryption.schemes(of: file)
            found = streams.map { byTrack[Int($0.pointee.id)] }
        case .contentEncryption:
            found = try MatroskaEncryption.schemes(of: file)
        case .transportScrambling:
            let scrambled = try TransportScrambling.streams(of: file)
            found = streams.map {
                scrambled.contains(Int($0.pointee.id)) ? "MPEG-TS scrambling" : sampleEncryption(of: $0)
            }
        case nil: return [:]
        }
        return zip(streams.indices, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// Throws an `unsupported` error if a file that FFmpeg cannot open is MP4 with encrypted tracks.
    static func refuseUnopened(_ file: InputFile) throws(MediaError) {
        guard file.size != nil else { return }
        if let scheme = try ISOEncryption.schemes(of: file).values.min() {
            throw MediaError.encrypted(scheme, step: .read)
        }
    }

    /// Returns `SAMPLE-AES` if the stream type of a transport stream declares it (Apple, "MPEG-2 Stream Encryption
    /// Format for HTTP Live Streaming").
    private static func sampleEncryption(of stream: UnsafeMutablePointer<AVStream>) -> String? {
        let parameters = stream.pointee.codecpar.pointee
        return encryptedTypes[parameters.codec_tag] == parameters.codec_id ? "SAMPLE-AES" : nil
    }

    private static let encryptedTypes: [UInt32: AVCodecID] = [
        0xdb: AV_CODEC_ID_H264, 0xcf: AV_CODEC_ID_AAC, 0xc1: AV_CODEC_ID_AC3, 0xc2: AV_CODEC_ID_EAC3,
    ]
}

extension MediaError {
    /// The error of a stream that is encrypted by `scheme`.
    package static func encrypted(_ scheme: String, step: MediaError.Step) -> MediaError {
        MediaError(
            .unsupported, step: step, reason: "is encrypted (\(scheme)), so it cannot be decoded",
            advice: "use the file as it was before encryption")
    }
}

extension MediaStream {
    /// Throws an `unsupported` error if the stream's packets are encrypted.
    package func checkIsClear(step: MediaError.Step) throws(MediaError) {
        if let encryption { throw MediaError.encrypted(encryption, step: step) }
    }
}

/// The encryption that the sample entries of an MP4 or QuickTime file declare (ISO/IEC 14496-12, section 8.12; ISO/IEC
/// 23001-7).
enum ISOEncryption {
    /// Sample entries whose samples are encrypted: by Common Encryption, iTunes and Audible.
    private static let encryptedEntries: Set<String> = ["encv", "enca", "enct", "encs", "encm", "drms", "drmi", "aavd"]

    /// Returns the schemes of encrypted tracks, such as `cenc`, by track ID; the type of the sample entry if it names
    /// no scheme.
    static func schemes(of file: InputFile) throws(MediaError) -> [Int: String] {
        try ISOTracks(file).descriptions().compactMapValues { $0.withUnsafeBytes(scheme(ofDescription:)) }
    }

    /// Returns the scheme of the first encrypted sample entry; nil if none is encrypted.
    private static func scheme(ofDescription bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count >= 8 else { return nil }
        let entry = ISOBoxes(UnsafeRawBufferPointer(rebasing: bytes[8...])).first {
            encryptedEntries.contains($0.type)
        }
        return entry.map { scheme(of: $0.body) ?? $0.type }
    }

    /// Returns the scheme in the protection scheme information of a sample entry, whose offset depends on the kind of
    /// entry.
    private static func scheme(of entry: UnsafeRawBufferPointer) -> String? {
        guard let type = (4..<max(4, entry.count)).first(where: { entry.matches("sinf".utf8, at: $0) }) else {
            return nil
        }
        let information = ISOBox.first("sinf", in: UnsafeRawBufferPointer(rebasing: entry[(type - 4)...]))
        let scheme = ISOBox.first("schm", in: information).dropFirst(4).prefix(4)
        guard scheme.count == 4, scheme.allSatisfy({ (0x21..<0x7f).contains($0) }) else { return nil }
        return String(decoding: scheme, as: UTF8.self)
    }
}

/// The encryption that the tracks of a Matroska or WebM file declare (RFC 9559, section 5.1.4.1.31).
enum MatroskaEncryption {
    private enum ID {
        static let encodings = 0x6D80
        static let encoding = 0x6240
        static let encryption = 0x5035
        static let algorithm = 0x47E1
        static let settings = 0x47E7
        static let cipherMode = 0x47E8
    }

    /// ContentEncAlgo. 0 means a signature without encryption.
    private static let algorithms = [1: "DES", 2: "3DES", 3: "Twofish", 4: "Blowfish", 5: "AES"]
    /// AESSettingsCipherMode.
    private static let modes = [1: "-CTR", 2: "-CBC"]

    /// Returns the scheme of each track in file order, such as `AES-CTR`; nil for clear tracks.
    static func schemes(of file: InputFile) throws(MediaError) -> [String?] { try MatroskaTracks(file).map(scheme) }

    private static func scheme(of track: UnsafeRawBufferPointer) -> String? {
        let encodings = EBMLElements.all(ID.encodings, in: track).flatMap { EBMLElements.all(ID.encoding, in: $0) }
        for encryption in encodings.flatMap({ EBMLElements.all(ID.encryption, in: $0) }) {
            let algorithm = EBMLElements.number(ID.algorithm, in: encryption) ?? 0
            guard algorithm != 0 else { continue }
            let settings = EBMLElements.all(ID.settings, in: encryption).first
            let mode = settings.flatMap { EBMLElements.number(ID.cipherMode, in: $0) }.flatMap { modes[$0] }
            return (algorithms[algorithm] ?? "ContentEncAlgo \(algorithm)") + (mode ?? "")
        }
        return nil
    }
}

/// Detects the scrambled streams of an MPEG transport stream (ISO/IEC 13818-1, section 2.4.3.3).
enum TransportScrambling {
    /// Distances between packets in bytes: plain, with a leading timestamp (Blu-ray), with trailing error correction.
    private static let packetSizes = [188, 192, 204]
    private static let sync: UInt8 = 0x47
    /// Consecutive sync bytes that identify the packet size.
    private static let packetsToSync = 8
    /// Max bytes that are read.
    private static let maxBytes = 1 << 21

    /// Returns the PIDs of streams with a scrambled packet in the first bytes of the file.
    static func streams(of file: InputFile) throws(MediaError) -> Set<Int> {
        let bytes = try file.bytes(at: 0, count: min(file.size ?? 0, maxBytes))
        guard let (first, distance) = packets(in: bytes) else { return [] }
        var scrambled: Set<Int> = []
        for packet in stride(from: first, through: bytes.count - 4, by: distance) where bytes[packet] == sync {
            let (hasPayload, control) = (bytes[packet + 3] & 0x10 != 0, bytes[packet + 3] >> 6)
            // 1 is reserved.
            guard hasPayload, control > 1 else { continue }
            scrambled.insert(Int(bytes[packet + 1] & 0x1f) << 8 | Int(bytes[packet + 2]))
        }
        return scrambled
    }

    private static func packets(in bytes: [UInt8]) -> (first: Int, distance: Int)? {
        for distance in packetSizes {
            for first in 0..<distance {
                let last = first + (packetsToSync - 1) * distance
                guard last < bytes.count else { break }
                if stride(from: first, through: last, by: distance).allSatisfy({ bytes[$0] == sync }) {
                    return (first, distance)
                }
            }
        }
        return nil
    }
}
