internal import WayreelCore

/// The encryption that the sample entries of an MP4 or QuickTime file declare (ISO/IEC 14496-12, section 8.12; ISO/IEC
/// 23001-7).
struct ISOEncryption {
    private let reader: ISOBoxReader

    /// Sample entries whose samples are encrypted: by Common Encryption, iTunes and Audible.
    private static let encryptedEntries: Set<String> = ["encv", "enca", "enct", "encs", "encm", "drms", "drmi", "aavd"]
    /// Max bytes read of a description or header.
    private static let maxBytes = 1 << 16

    init(_ file: InputFile) { reader = ISOBoxReader(file) }

    /// Returns the schemes of encrypted tracks, such as `cenc`, by track ID; the type of the sample entry if it names
    /// no scheme.
    func schemes() throws(MediaError) -> [Int: String] {
        guard let movie = try reader.first(["moov"]) else { return [:] }
        var schemes: [Int: String] = [:]
        for track in try reader.boxes(in: movie.body) where track.type == "trak" {
            guard let description = try reader.first(["mdia", "minf", "stbl", "stsd"], in: track.body),
                let header = try reader.first(["tkhd"], in: track.body), let scheme = try scheme(description)
            else { continue }
            schemes[try trackID(header)] = scheme
        }
        return schemes
    }

    private func trackID(_ header: ISOBoxReader.Box) throws(MediaError) -> Int {
        try reader.content(header, max: Self.maxBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            let isLong = cursor.read(4) >> 24 == 1
            // Skips the times of creation and modification.
            cursor.skip(isLong ? 16 : 8)
            return cursor.read(4)
        }
    }

    /// Returns the scheme of the first encrypted sample entry; nil if none is encrypted.
    private func scheme(_ description: ISOBoxReader.Box) throws(MediaError) -> String? {
        try reader.content(description, max: Self.maxBytes).withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return nil }
            let entry = ISOBoxes(UnsafeRawBufferPointer(rebasing: bytes[8...])).first {
                Self.encryptedEntries.contains($0.type)
            }
            return entry.map { Self.scheme(of: $0.body) ?? $0.type }
        }
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
