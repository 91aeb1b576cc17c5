internal import WayreelCore

/// The encryption that the tracks of a Matroska or WebM file declare (RFC 9559, section 5.1.4.1.31).
struct MatroskaEncryption {
    private let file: InputFile
    private let size: Int

    enum ID {
        static let segment = 0x1853_8067
        static let tracks = 0x1654_AE6B
        static let track = 0xAE
        static let trackType = 0x83
        static let encodings = 0x6D80
        static let encoding = 0x6240
        static let encryption = 0x5035
        static let algorithm = 0x47E1
        static let settings = 0x47E7
        static let cipherMode = 0x47E8
    }

    /// Track types that become FFmpeg streams: video, audio, subtitles, metadata.
    private static let types: Set<Int> = [0x01, 0x02, 0x11, 0x21]
    /// ContentEncAlgo. 0 means a signature without encryption.
    private static let algorithms = [1: "DES", 2: "3DES", 3: "Twofish", 4: "Blowfish", 5: "AES"]
    /// AESSettingsCipherMode.
    private static let modes = [1: "-CTR", 2: "-CBC"]
    /// Max number of sibling elements that are searched.
    private static let maxElements = 4096
    /// Max bytes read of the Tracks element.
    private static let maxBytes = 1 << 22

    init(_ file: InputFile) {
        self.file = file
        size = file.size ?? 0
    }

    /// Returns the scheme of each track in file order, such as `AES-CTR`; nil for clear tracks.
    func schemes() throws(MediaError) -> [String?] {
        guard let segment = try find(ID.segment, in: 0..<size), let tracks = try find(ID.tracks, in: segment) else {
            return []
        }
        let bytes = try file.bytes(at: tracks.lowerBound, count: min(tracks.count, Self.maxBytes))
        return bytes.withUnsafeBytes { bytes in
            EBMLElements.all(ID.track, in: bytes).filter { track in
                EBMLElements.number(ID.trackType, in: track).map(Self.types.contains) ?? false
            }.map(Self.scheme)
        }
    }

    /// Returns the offsets of the content of the first element of `id`.
    private func find(_ id: Int, in range: Range<Int>) throws(MediaError) -> Range<Int>? {
        var offset = range.lowerBound
        for _ in 0..<Self.maxElements where offset < range.upperBound {
            let room = range.upperBound - offset
            let bytes = try file.bytes(at: offset, count: min(EBMLHeader.maxCount, room))
            guard let header = bytes.withUnsafeBytes({ EBMLHeader($0, room: room) }) else { return nil }
            let body = offset + header.count..<offset + header.count + header.bodyCount
            if header.id == id { return body }
            offset = body.upperBound
        }
        return nil
    }

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
