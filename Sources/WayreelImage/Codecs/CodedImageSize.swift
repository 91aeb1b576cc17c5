internal import WayreelCore

/// Sizes declared inside coded images. Decoders allocate memory for these, whatever the container declares.
enum CodedImageSize {
    /// Returns the sizes of all sequence headers among the OBUs of AV1 data (AV1 Bitstream Specification, sections 5.3
    /// to 5.5).
    static func av1(_ data: [UInt8]) -> [PixelSize] {
        var sizes: [PixelSize] = []
        var rest = data[...]
        while let header = rest.popFirst() {
            if header & 0x04 != 0 { rest = rest.dropFirst() }  // the extension byte
            let hasSize = header & 0x02 != 0
            guard let count = hasSize ? leb128(&rest) : rest.count, count <= rest.count else { break }
            if header >> 3 & 0x0F == 1, let size = sequenceHeader(rest.prefix(count)) { sizes.append(size) }
            rest = rest.dropFirst(count)
        }
        return sizes
    }

    private static func leb128(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private static func sequenceHeader(_ bytes: ArraySlice<UInt8>) -> PixelSize? {
        var bits = BitReader(bytes)
        bits.skip(4)  // profile, still image
        if bits.flag() {
            bits.skip(5)  // reduced header: only a level
        } else {
            skipOperatingPoints(&bits)
        }
        let (widthBits, heightBits) = (bits.read(4) + 1, bits.read(4) + 1)
        let size = PixelSize(width: bits.read(widthBits) + 1, height: bits.read(heightBits) + 1)
        return bits.isPastEnd ? nil : size
    }

    private static func skipOperatingPoints(_ bits: inout BitReader) {
        var delayBits: Int?
        if bits.flag() {  // timing info
            bits.skip(64)
            if bits.flag() { _ = bits.expGolomb() }
            if bits.flag() {  // decoder model
                delayBits = bits.read(5) + 1
                bits.skip(42)
            }
        }
        let hasDisplayDelay = bits.flag()
        for _ in 0...bits.read(5) {
            bits.skip(12)
            if bits.read(5) > 7 { bits.skip(1) }
            if let delayBits, bits.flag() { bits.skip(2 * delayBits + 1) }
            if hasDisplayDelay, bits.flag() { bits.skip(4) }
        }
    }

    /// Size in a sequence parameter set, a NAL unit of H.265 (sections 7.3.2.2 and 7.3.3); nil for other units.
    static func hevc(_ unit: ArraySlice<UInt8>) -> PixelSize? {
        guard unit.count > 2, unit[unit.startIndex] >> 1 & 0x3F == 33 else { return nil }
        var bits = BitReader(unescaped(unit.dropFirst(2))[...])
        bits.skip(4)
        let lowerLayers = bits.read(3)
        bits.skip(1 + 96)  // nesting, general profile, tier and level
        let present = (0..<lowerLayers).map { _ in (profile: bits.flag(), level: bits.flag()) }
        if lowerLayers > 0 { bits.skip(2 * (8 - lowerLayers)) }
        for layer in present { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
        _ = bits.expGolomb()
        if bits.expGolomb() == 3 { bits.skip(1) }
        let size = PixelSize(width: bits.expGolomb(), height: bits.expGolomb())
        return bits.isPastEnd ? nil : size
    }

    /// Returns the start of a NAL unit without emulation prevention bytes.
    private static func unescaped(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var zeros = 0
        return unit.prefix(256).filter { byte in
            let isEscape = zeros >= 2 && byte == 3
            zeros = byte == 0 ? zeros + 1 : 0
            return !isEscape
        }
    }
}
