internal import WayreelCore

/// The encryption that the sample entries of an MP4 or QuickTime file declare (ISO/IEC 14496-12, section 8.12; ISO/IEC
/// 23001-7).
struct ISOEncryption {
    private let file: InputFile

    /// Sample entries whose samples are encrypted: by Common Encryption, iTunes and Audible.
    private static let encryptedEntries: Set<String> = ["encv", "enca", "enct", "encs", "encm", "drms", "drmi", "aavd"]

    init(_ file: InputFile) { self.file = file }

    /// Returns the schemes of encrypted tracks, such as `cenc`, by track ID; the type of the sample entry if it names
    /// no scheme.
    func schemes() throws(MediaError) -> [Int: String] {
        try ISOTracks(file).descriptions().compactMapValues { $0.withUnsafeBytes(Self.scheme(ofDescription:)) }
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
