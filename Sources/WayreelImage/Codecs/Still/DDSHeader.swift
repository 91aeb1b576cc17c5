internal import WayreelCore

/// The header of a DirectDraw surface (Microsoft, "DDS_HEADER structure"), which shows whether FFmpeg decodes its
/// colours correctly.
enum DDSHeader {
    /// Throws an `unsupported` error for textures that FFmpeg would decode incorrectly.
    static func check(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(MediaError) {
        guard bytes.count >= 128 else {
            throw MediaError(.decoding, step: "decode", reason: "DDS: the file ends within its header")
        }
        let size = PixelSize(width: Int(bytes.littleEndian32(at: 16)), height: Int(bytes.littleEndian32(at: 12)))
        try limits.check(size: size)
        if let kind = undecodable(bytes) {
            throw MediaError(
                .unsupported, step: "decode", reason: "DDS: textures of type \(kind) cannot be read",
                advice: "convert it to PNG first, with texconv or another texture tool")
        }
    }

    private static let hasCode: UInt32 = 1 << 2
    private static let isNormalMap: UInt32 = 1 << 31
    private static let codes: Set = ["DXT1", "DXT2", "DXT3", "DXT4", "DXT5"]
    /// BC1 to BC3 as DXGI numbers.
    private static let formats = Set((70...78).map(UInt32.init))
    private static let namedFormats: [UInt32: String] = [
        79: "BC4", 80: "BC4", 81: "BC4", 82: "BC5", 83: "BC5", 84: "BC5", 94: "BC6H", 95: "BC6H", 96: "BC6H", 97: "BC7",
        98: "BC7", 99: "BC7",
    ]
    private static let namedCodes = [
        "ATI1": "BC4", "BC4U": "BC4", "BC4S": "BC4", "ATI2": "BC5", "BC5U": "BC5", "BC5S": "BC5",
    ]

    /// Returns the name of a texture type that FFmpeg cannot decode correctly; nil for others.
    private static func undecodable(_ bytes: UnsafeRawBufferPointer) -> String? {
        let flags = bytes.littleEndian32(at: 80)
        if flags & isNormalMap != 0 { return "normal map" }
        guard flags & hasCode != 0 else { return nil }
        let code = String(decoding: bytes[84..<88].map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
        guard code == "DX10" else { return codes.contains(code) ? nil : namedCodes[code] ?? "'\(code)'" }
        guard bytes.count >= 148 else { return "DX10" }
        let format = bytes.littleEndian32(at: 128)
        return formats.contains(format) ? nil : namedFormats[format] ?? "DXGI \(format)"
    }
}
