internal import WayreelCore

/// The boxes of a HEIF file (ISO/IEC 14496-12), walked to find the coded pictures in it.
///
/// libheif 1.15 checks sizes in the file's own properties only; a decoder behind it takes memory for the size in the
/// coded data, which a hostile file may state as it likes.
struct HEIFBoxes {
    private let bytes: UnsafeRawBufferPointer
    private let meta: UnsafeRawBufferPointer

    /// nil where there is no meta box.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let meta = Self.boxes(in: bytes).first(where: { $0.type == "meta" }), meta.data.count >= 4 else {
            return nil
        }
        self.bytes = bytes
        self.meta = UnsafeRawBufferPointer(rebasing: meta.data.dropFirst(4))
    }

    /// Codecs pad their pictures to whole blocks of up to this side.
    private static let block = 64

    /// Throws a `limit` error where a coded picture, its padding apart, claims to be larger than `limits` allow.
    func checkCodedSizes(_ limits: Limits) throws(MediaError) {
        for size in codedSizes() {
            let unpadded = PixelSize(width: max(1, size.width - Self.block), height: max(1, size.height - Self.block))
            if unpadded.pixels > limits.pixels { try limits.check(size: size) }
        }
    }

    private func codedSizes() -> [PixelSize] {
        let properties = Self.boxes(in: child("iprp")).first { $0.type == "ipco" }
        var sizes = Self.boxes(in: properties?.data ?? Self.none).flatMap { box -> [PixelSize] in
            switch box.type {
            case "av1C": CodedPictureSize.av1(Array(box.data.dropFirst(4)))
            case "hvcC": Self.parameterSets(box.data).compactMap { CodedPictureSize.hevc($0[...]) }
            default: []
            }
        }
        let types = itemTypes()
        for (item, data) in itemData() {
            switch types[item] {
            case "av01": sizes += CodedPictureSize.av1(data)
            case "hvc1": sizes += Self.units(data).compactMap(CodedPictureSize.hevc)
            default: break
            }
        }
        return sizes
    }

    private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private struct Box {
        let type: String
        let data: UnsafeRawBufferPointer
    }

    /// The boxes side by side in `bytes`, up to the first that is broken.
    private static func boxes(in bytes: UnsafeRawBufferPointer) -> [Box] {
        var boxes: [Box] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            var (size, header) = (Int(bytes.bigEndian32(at: offset)), 8)
            if size == 1, offset + 16 <= bytes.count {
                (size, header) = (Int(clamping: bytes.bigEndian(at: offset + 8, count: 8)), 16)
            }
            if size == 0 { size = bytes.count - offset }
            guard size >= header else { break }
            // A box that is cut short is walked as far as it goes.
            let end = min(size, bytes.count - offset) + offset
            let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
            boxes.append(Box(type: type, data: UnsafeRawBufferPointer(rebasing: bytes[offset + header..<end])))
            offset = end
        }
        return boxes
    }

    private func child(_ type: String) -> UnsafeRawBufferPointer {
        Self.boxes(in: meta).first { $0.type == type }?.data ?? Self.none
    }

    /// What each item is: `av01`, `hvc1`, `grid`, … (section 8.11.6).
    private func itemTypes() -> [Int: String] {
        let list = child("iinf")
        guard list.count >= 6 else { return [:] }
        let entries = Self.boxes(in: UnsafeRawBufferPointer(rebasing: list.dropFirst(list[0] == 0 ? 6 : 8)))
        var types: [Int: String] = [:]
        for entry in entries where entry.type == "infe" && entry.data.count > 4 && entry.data[0] >= 2 {
            let idBytes = entry.data[0] == 2 ? 2 : 4
            guard entry.data.count >= 10 + idBytes else { continue }
            let item = Int(entry.data.bigEndian(at: 4, count: idBytes))
            types[item] = String(decoding: entry.data[6 + idBytes..<10 + idBytes], as: UTF8.self)
        }
        return types
    }

    /// The bytes of each item, its extents joined (section 8.11.3).
    private func itemData() -> [(item: Int, data: [UInt8])] {
        var location = Cursor(child("iloc"))
        let version = location.read(1)
        location.skip(3)
        let sizes = location.read(2)
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        let inside = child("idat")
        var items: [(item: Int, data: [UInt8])] = []
        var room = bytes.count
        for _ in 0..<location.read(version == 2 ? 4 : 2) {
            if location.isPastEnd { break }
            let item = location.read(version == 2 ? 4 : 2)
            let method = version == 0 ? 0 : location.read(2) & 15
            location.skip(2)
            let base = location.read(baseBytes)
            let source = method == 1 ? inside : bytes
            var data: [UInt8] = []
            for _ in 0..<location.read(2) {
                if location.isPastEnd { break }
                location.skip(indexBytes)
                let (start, overflow) = base.addingReportingOverflow(location.read(offsetBytes))
                let length = location.read(lengthBytes)
                guard !overflow, start < source.count else { continue }
                let count = min(length == 0 ? source.count : length, source.count - start)
                // All items together are no larger than the file, unless they overlap to make this slow.
                guard count <= room else { return items }
                room -= count
                data += source[start..<start + count]
            }
            if !data.isEmpty { items.append((item, data)) }
        }
        return items
    }

    /// The NAL units of an hvcC box (ISO/IEC 14496-15, section 8.3.3.1).
    private static func parameterSets(_ box: UnsafeRawBufferPointer) -> [[UInt8]] {
        var cursor = Cursor(box)
        cursor.skip(22)
        var units: [[UInt8]] = []
        for _ in 0..<cursor.read(1) {
            cursor.skip(1)
            for _ in 0..<cursor.read(2) where !cursor.isPastEnd { units.append(cursor.take(cursor.read(2))) }
        }
        return units
    }

    /// The NAL units of an item, each behind its length in four bytes.
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

/// Big-endian numbers one after the other. Past the end it yields zeros and says so.
private struct Cursor {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private(set) var isPastEnd = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A number of `count` bytes, 0 to 8.
    mutating func read(_ count: Int) -> Int {
        guard count <= min(8, bytes.count - offset) else {
            isPastEnd = true
            return 0
        }
        defer { offset += count }
        return Int(clamping: bytes.bigEndian(at: offset, count: count))
    }

    mutating func take(_ count: Int) -> [UInt8] {
        guard count <= bytes.count - offset else {
            isPastEnd = true
            return []
        }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func skip(_ count: Int) { _ = take(count) }
}
