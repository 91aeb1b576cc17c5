internal import WayreelCore

/// The sections of a Photoshop document before its merged image ("Adobe Photoshop File Formats Specification").
struct PSDFile {
    enum Mode: Int {
        case bitmap = 0
        case grey = 1
        case indexed = 2
        case rgb = 3
        case cmyk = 4
        case duotone = 8
    }

    let size: PixelSize
    let channels: Int
    /// 1, 8, 16 or 32; 32-bit samples are linear floats.
    let depth: Int
    let mode: Mode
    /// Offset of the 256 red, 256 green and 256 blue values of an indexed image.
    let palette: Int?
    /// Whether the first extra channel is read as alpha: it is the merged image's transparency.
    private(set) var hasAlpha: Bool
    /// Whether the merged image's transparency is left out: that of CMYK.
    private(set) var ignoresAlpha: Bool
    /// Whether transparent colours are composited on white.
    private(set) var isMatted = false
    private(set) var profile: [UInt8]?
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?
    private(set) var iptc: IPTCBlock?
    /// Whether rows are compressed with PackBits.
    let isPacked: Bool
    /// Offset of the merged image, after its compression field.
    let image: Int
    /// Whether the file is a PSB, which has wider length fields.
    let isLarge: Bool

    init(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(MediaError) {
        guard bytes.count >= 34 else { throw Self.fault("the file ends within its header") }
        isLarge = bytes.bigEndian16(at: 4) == 2
        channels = Int(bytes.bigEndian16(at: 12))
        size = PixelSize(width: Int(bytes.bigEndian32(at: 18)), height: Int(bytes.bigEndian32(at: 14)))
        // The format's limit, which bounds the row tables.
        guard size.height <= 300_000 else { throw Self.fault("an image of \(size) pixels does not exist") }
        try limits.check(size: size)
        depth = Int(bytes.bigEndian16(at: 22))
        let code = Int(bytes.bigEndian16(at: 24))
        guard let mode = Mode(rawValue: code) else {
            let names = [7: "multichannel", 9: "Lab"]
            throw Self.unsupported("colours of mode \(names[code] ?? "\(code)")", "convert it to RGB first")
        }
        self.mode = mode
        let depths = mode == .bitmap ? [1] : mode == .indexed ? [8] : mode == .cmyk ? [8, 16] : [8, 16, 32]
        guard depths.contains(depth), channels >= Self.colors(mode), channels <= 56 else {
            throw Self.fault("\(channels) channels of \(depth) bits do not exist in this colour mode")
        }

        let colorData = try Self.section(bytes, at: 26)
        palette = mode == .indexed && colorData.count >= 768 ? colorData.lowerBound : nil
        guard mode != .indexed || palette != nil else { throw Self.fault("its palette is missing") }
        let resources = try Self.section(bytes, at: colorData.upperBound)
        let layers = try Self.section(bytes, at: resources.upperBound, lengthBytes: isLarge ? 8 : 4)
        let end = layers.upperBound
        guard end + 2 <= bytes.count else { throw Self.fault("the file ends before its image") }
        image = end + 2
        switch bytes.bigEndian16(at: end) {
        case 0: isPacked = false
        case 1: isPacked = true
        default:
            throw Self.unsupported("a merged image compressed with ZIP", "save it with 'Maximize Compatibility' first")
        }
        // A negative layer count means that the merged image has transparency. Without layers, a further channel is
        // read as alpha, as in other programs.
        let count = Self.layerCount(bytes, in: layers, isLarge: isLarge)
        let hasExtra = channels > Self.colors(mode)
        hasAlpha = hasExtra && mode != .cmyk && (count ?? -1) < 0
        ignoresAlpha = hasExtra && mode == .cmyk && (count ?? 0) < 0
        isMatted = hasAlpha && count != nil
        readResources(UnsafeRawBufferPointer(rebasing: bytes[resources]))
    }

    private static func colors(_ mode: Mode) -> Int { mode == .rgb ? 3 : mode == .cmyk ? 4 : 1 }

    /// Channels per pixel in row order: colours, then alpha.
    var usedChannels: Int { Self.colors(mode) + (hasAlpha ? 1 : 0) }

    /// The blocks with the layers of documents of 16 and 32 bits.
    private static let layerBlocks: Set = ["Lr16", "Lr32"]
    /// The blocks whose length has 8 bytes in a PSB.
    private static let longBlocks: Set = [
        "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid", "FXid", "PxSD",
    ]

    /// Returns the number of layers, negative if the merged image has transparency; nil without layers. `range` is
    /// that of the layer and mask information: layers, global mask, then blocks of further information.
    private static func layerCount(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>, isLarge: Bool) -> Int? {
        let section = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard let layers = try? self.section(section, at: 0, lengthBytes: isLarge ? 8 : 4) else { return nil }
        if let count = layerCount(section, in: layers) { return count }
        guard var end = (try? self.section(section, at: layers.upperBound))?.upperBound else { return nil }
        while end + 8 <= section.count, section.matches("8BIM".utf8, at: end) || section.matches("8B64".utf8, at: end) {
            let key = String(decoding: section[end + 4..<end + 8], as: UTF8.self)
            let lengthBytes = isLarge && longBlocks.contains(key) ? 8 : 4
            guard let block = try? self.section(section, at: end + 8, lengthBytes: lengthBytes) else { return nil }
            if layerBlocks.contains(key) { return layerCount(section, in: block) }
            // Blocks are padded to four bytes.
            end = block.lowerBound + (block.count + 3) / 4 * 4
        }
        return nil
    }

    private static func layerCount(_ bytes: UnsafeRawBufferPointer, in layers: Range<Int>) -> Int? {
        guard layers.count >= 2 else { return nil }
        let count = Int(Int16(bitPattern: bytes.bigEndian16(at: layers.lowerBound)))
        return count == 0 ? nil : count
    }

    private mutating func readResources(_ bytes: UnsafeRawBufferPointer) {
        let resources = PhotoshopResources(bytes)
        for resource in resources {
            switch resource.number {
            case PhotoshopResources.profile: profile = Array(resource.data)
            case PhotoshopResources.exif: exif = Array(resource.data)
            case PhotoshopResources.xmp: xmp = Array(resource.data)
            default: break
            }
        }
        iptc = IPTCBlock(resources)
    }

    /// Returns the range of the data after their length at `offset`.
    private static func section(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, lengthBytes: Int = 4
    ) throws(MediaError) -> Range<Int> {
        let start = offset + lengthBytes
        guard start <= bytes.count else { throw fault("the file ends before its image") }
        let length = bytes.bigEndian(at: offset, count: lengthBytes)
        guard length <= UInt64(bytes.count - start) else { throw fault("the file ends before its image") }
        return start..<start + Int(length)
    }

    static let fault = ErrorSite(step: .decode, format: .psd)

    private static func unsupported(_ what: String, _ advice: MediaError.Advice) -> MediaError {
        fault(.unsupported, "\(what) cannot be read", advice)
    }
}
