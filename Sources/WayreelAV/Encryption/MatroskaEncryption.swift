internal import WayreelCore

/// The encryption that the tracks of a Matroska or WebM file declare (RFC 9559, section 5.1.4.1.31).
struct MatroskaEncryption {
    private let file: InputFile

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

    init(_ file: InputFile) { self.file = file }

    /// Returns the scheme of each track in file order, such as `AES-CTR`; nil for clear tracks.
    func schemes() throws(MediaError) -> [String?] { try MatroskaTracks(file).map(Self.scheme) }

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
