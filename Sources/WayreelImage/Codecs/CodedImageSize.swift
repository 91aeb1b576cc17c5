internal import WayreelCore

/// Sizes declared inside coded images. Decoders allocate memory for these, whatever the container declares.
enum CodedImageSize {
    /// Passes the sizes in all sequence headers among the OBUs of AV1 data (AV1 Bitstream Specification, sections 5.3
    /// to 5.5) to `body`.
    static func forEach(
        inAV1 data: UnsafeRawBufferPointer, _ body: (PixelSize) throws(MediaError) -> Void
    ) throws(MediaError) {
        var rest = data[...]
        while let header = rest.popFirst() {
            if header & 0x04 != 0 { rest = rest.dropFirst() }  // the extension byte
            let hasSize = header & 0x02 != 0
            guard let count = hasSize ? leb128(&rest) : rest.count, count <= rest.count else { break }
            if header >> 3 & 0x0F == 1, let size = sequenceHeader(rest.prefix(count)) { try body(size) }
            rest = rest.dropFirst(count)
        }
    }

    /// Passes the sizes in all sequence parameter sets among the NAL units of HEVC data, each after its length in four
    /// bytes, to `body`.
    static func forEach(
        inHEVC data: UnsafeRawBufferPointer, _ body: (PixelSize) throws(MediaError) -> Void
    ) throws(MediaError) {
        var rest = data[...]
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            if let size = parameterSet(rest.prefix(length)) { try body(size) }
            rest = rest.dropFirst(length)
        }
    }

    /// Passes the sizes in all sequence parameter sets of an hvcC box (ISO/IEC 14496-15, section 8.3.3.1) to `body`.
    static func forEach(
        inHEVCConfiguration box: UnsafeRawBufferPointer, _ body: (PixelSize) throws(MediaError) -> Void
    ) throws(MediaError) {
        var cursor = ByteCursor(box)
        cursor.skip(22)
        for _ in 0..<cursor.read(1) {
            cursor.skip(1)
            for _ in 0..<cursor.read(2) {
                guard let unit = cursor.take(cursor.read(2)), !cursor.isPastEnd else { return }
                if let size = parameterSet(unit[...]) { try body(size) }
            }
        }
    }

    private typealias Bytes = Slice<UnsafeRawBufferPointer>

    /// The headers are shorter than this.
    private static let maxHeader = 256

    private static func leb128(_ bytes: inout Bytes) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    private static func sequenceHeader(_ bytes: Bytes) -> PixelSize? {
        var bits = BitReader(Array(bytes.prefix(maxHeader))[...])
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

    /// Returns the size in a sequence parameter set, a NAL unit of H.265 (sections 7.3.2.2 and 7.3.3); nil for other
    /// units.
    private static func parameterSet(_ unit: Bytes) -> PixelSize? {
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
    private static func unescaped(_ unit: Bytes) -> [UInt8] {
        var zeros = 0
        return unit.prefix(maxHeader).filter { byte in
            let isEscape = zeros >= 2 && byte == 3
            zeros = byte == 0 ? zeros + 1 : 0
            return !isEscape
        }
    }
}

/// Reads bits, most significant first. Reads past the end return zeros and set ``isPastEnd``.
struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position = 0
    private(set) var isPastEnd = false

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// Reads `count` bits, at most 32.
    mutating func read(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let index = bytes.startIndex + position / 8
            if index >= bytes.endIndex { isPastEnd = true }
            let byte = index < bytes.endIndex ? Int(bytes[index]) : 0
            value = value << 1 | (byte >> (7 - position % 8)) & 1
            position += 1
        }
        return value
    }

    mutating func flag() -> Bool { read(1) == 1 }

    mutating func skip(_ count: Int) { position += count }

    /// Reads an Exp-Golomb code: ue(v) of H.265, uvlc() of AV1.
    mutating func expGolomb() -> Int {
        var zeros = 0
        while !flag(), !isPastEnd, zeros < 32 { zeros += 1 }
        return 1 << zeros - 1 + read(min(zeros, 32))
    }
}
