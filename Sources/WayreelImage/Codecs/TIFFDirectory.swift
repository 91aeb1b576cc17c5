internal import WayreelCore

/// The first directory of a TIFF file (TIFF 6.0, section 2), for what FFmpeg does not hand on.
struct TIFFDirectory {
    private var values: [Int: Int] = [:]
    /// Where the low byte of the photometric interpretation stands in the file.
    private var photometricByte: Int?

    private enum Tag {
        static let newSubfileType = 254
        static let compression = 259
        static let photometric = 262
        static let orientation = 274
        static let samplesPerPixel = 277
        static let tileWidth = 322
        static let inkSet = 332
        static let extraSamples = 338
        static let subdirectories = 330
        static let dngVersion = 50706
    }

    /// nil where `bytes` are not a TIFF file. Entries outside the file are passed over.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        let isLittle = bytes.matches([0x49, 0x49, 42, 0], at: 0)
        guard isLittle || bytes.matches([0x4D, 0x4D, 0, 42], at: 0) else { return nil }
        let short = { Int(isLittle ? bytes.littleEndian16(at: $0) : bytes.bigEndian16(at: $0)) }
        let long = { Int(isLittle ? bytes.littleEndian32(at: $0) : bytes.bigEndian32(at: $0)) }
        let start = long(4)
        guard start >= 8, start <= bytes.count - 2 else { return }
        let room = (bytes.count - start - 2) / 12
        for index in 0..<min(short(start), room) {
            let entry = start + 2 + index * 12
            // Type 3 is SHORT; the other values wanted here are LONG, or only have to be there.
            let isShort = short(entry + 2) == 3
            values[short(entry)] = isShort ? short(entry + 8) : long(entry + 8)
            if short(entry) == Tag.photometric, isShort { photometricByte = entry + (isLittle ? 8 : 9) }
        }
    }

    var orientation: Orientation { values[Tag.orientation].flatMap(Orientation.init) ?? .upright }

    /// For a picture of cyan, magenta, yellow and black (section 16) the place of the byte that says so; nil for others.
    var inks: Int? {
        let isSeparated = values[Tag.photometric] == 5 && values[Tag.inkSet, default: 1] == 1
        return isSeparated && values[Tag.samplesPerPixel] == 4 ? photometricByte : nil
    }

    /// Whether colours were multiplied by alpha: "associated alpha data" (section 18).
    var isPremultiplied: Bool { values[Tag.extraSamples] == 1 }

    /// Throws an `unsupported` error for what FFmpeg makes a black picture of, without a word.
    func refuseUndecodable() throws(MediaError) {
        let isJPEG = [6, 7].contains(values[Tag.compression])
        guard isJPEG || values[Tag.tileWidth] != nil else { return }
        throw MediaError(
            .unsupported, step: "decode",
            reason: "it is a TIFF file \(isJPEG ? "compressed as JPEG" : "made of tiles")",
            advice: "save it as TIFF in strips (LZW or Deflate), PNG or JPEG first")
    }

    /// Throws an `unsupported` error for the raw files of cameras: what TIFF readers find in them is a thumbnail or a
    /// mosaic.
    func refuseCameraRaw() throws(MediaError) {
        let isThumbnail = values[Tag.newSubfileType] == 1 && values[Tag.subdirectories] != nil
        guard isThumbnail || values[Tag.dngVersion] != nil else { return }
        throw MediaError(
            .unsupported, step: "decode", reason: "it is a camera raw file",
            advice: "export it as JPEG, HEIC or TIFF first")
    }
}
