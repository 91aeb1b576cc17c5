internal import WayreelCore

extension HEIFFile {
    /// Codecs pad images to blocks of up to this side.
    private static let block = 64

    /// Throws a `limit` error if a coded image without its padding declares a size over `limits`.
    ///
    /// libheif 1.15 only checks the container's sizes, but decoders allocate memory for the size in the coded data,
    /// which an attacker controls.
    func checkCodedSizes(_ limits: Limits) throws(MediaError) {
        for size in codedSizes() {
            let unpadded = PixelSize(width: max(1, size.width - Self.block), height: max(1, size.height - Self.block))
            if unpadded.pixels > limits.pixels { try limits.check(size: size) }
        }
    }

    private func codedSizes() -> [PixelSize] {
        var sizes: [PixelSize] = []
        // Items may share configuration and bytes; each location is checked once.
        var seen: Set<UnsafeRawPointer?> = []
        for (id, item) in items.sorted(by: { $0.key < $1.key }) {
            for property in item.properties {
                switch property.value {
                case .av1Configuration(let body) where seen.insert(body.baseAddress).inserted:
                    sizes += CodedImageSize.av1(Array(body.dropFirst(4)))
                case .hevcConfiguration(let body) where seen.insert(body.baseAddress).inserted:
                    sizes += Self.parameterSets(body).compactMap { CodedImageSize.hevc($0[...]) }
                default: continue
                }
            }
            guard item.type == "av01" || item.type == "hvc1" else { continue }
            let data = data(of: id)
            guard seen.insert(data.extents.first?.baseAddress).inserted else { continue }
            sizes +=
                item.type == "av01"
                ? CodedImageSize.av1(data.bytes) : Self.units(data.bytes).compactMap(CodedImageSize.hevc)
        }
        return sizes
    }

    /// Returns the NAL units of an hvcC box (ISO/IEC 14496-15, section 8.3.3.1).
    private static func parameterSets(_ box: UnsafeRawBufferPointer) -> [[UInt8]] {
        var cursor = ByteCursor(box)
        cursor.skip(22)
        var units: [[UInt8]] = []
        for _ in 0..<cursor.read(1) {
            cursor.skip(1)
            for _ in 0..<cursor.read(2) {
                guard let unit = cursor.take(cursor.read(2)), !cursor.isPastEnd else { return units }
                units.append(Array(unit))
            }
        }
        return units
    }

    /// Returns the length-prefixed NAL units of an item.
    private static func units(_ data: [UInt8]) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var rest = data[...]
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            units.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return units
    }
}
