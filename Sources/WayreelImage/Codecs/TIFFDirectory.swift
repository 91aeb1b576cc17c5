internal import WayreelCore

/// The first directory of a TIFF file (TIFF 6.0, section 2), for what FFmpeg does not hand on.
struct TIFFDirectory {
    private var values: [Int: Int] = [:]

    private enum Tag {
        static let newSubfileType = 254
        static let orientation = 274
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
            values[short(entry)] = short(entry + 2) == 3 ? short(entry + 8) : long(entry + 8)
        }
    }

    var orientation: Orientation { values[Tag.orientation].flatMap(Orientation.init) ?? .upright }

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
