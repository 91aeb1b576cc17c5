internal import WayreelCore

/// The bytes of an item, in one or more extents.
struct HEIFData {
    var extents: [UnsafeRawBufferPointer] = []
    /// Whether the file ends before the item, or the item's bytes are not in the file.
    var isIncomplete = false

    var count: Int { extents.reduce(0) { $0 + $1.count } }

    /// Passes the bytes as one buffer, copied only if there are several extents.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let only = extents.first, extents.count == 1 { return try body(only) }
        let joined = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { joined.deallocate() }
        var offset = 0
        for extent in extents {
            UnsafeMutableRawBufferPointer(rebasing: joined[offset...]).copyMemory(from: extent)
            offset += extent.count
        }
        return try body(UnsafeRawBufferPointer(joined))
    }

    var bytes: [UInt8] { extents.flatMap { [UInt8]($0) } }

    /// Appends `length` bytes of `source` from `start`; 0 means all of them.
    fileprivate mutating func append(_ source: HEIFData, from start: Int, length: Int) {
        let count = source.count
        isIncomplete = isIncomplete || source.isIncomplete && length == 0 || start > count || length > count - start
        guard start < count else { return }
        var (skipped, left) = (start, length == 0 ? count - start : min(length, count - start))
        for extent in source.extents where left > 0 {
            if skipped >= extent.count {
                skipped -= extent.count
                continue
            }
            let taken = min(left, extent.count - skipped)
            extents.append(UnsafeRawBufferPointer(rebasing: extent[skipped..<skipped + taken]))
            (skipped, left) = (0, left - taken)
        }
    }
}

/// Locations of item data (the `iloc` box: ISO/IEC 14496-12, section 8.11.3).
struct HEIFLocations {
    private struct Extent {
        let index: Int
        let offset: Int
        /// 0 means to the end.
        let length: Int
    }

    private struct Location {
        /// Construction method 0: in the file, 1: in the `idat` box, 2: in other items.
        let method: Int
        let isInThisFile: Bool
        let base: Int
        let extents: [Extent]
    }

    private let locations: [Int: Location]
    private let idat: UnsafeRawBufferPointer
    private let file: UnsafeRawBufferPointer
    private let sources: [Int: [Int]]

    /// `sources` are the items that provide an item's bytes for construction method 2.
    init(
        iloc: UnsafeRawBufferPointer, idat: UnsafeRawBufferPointer, file: UnsafeRawBufferPointer, sources: [Int: [Int]]
    ) {
        locations = Self.locations(iloc)
        self.idat = idat
        self.file = file
        self.sources = sources
    }

    private static func locations(_ box: UnsafeRawBufferPointer) -> [Int: Location] {
        var cursor = ByteCursor(box)
        let version = cursor.read(1)
        cursor.skip(3)
        let sizes = cursor.read(2)
        let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
        let indexBytes = version == 0 ? 0 : sizes & 15
        guard version <= 2, [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy([0, 4, 8].contains) else {
            return [:]
        }
        let extentBytes = offsetBytes + lengthBytes + indexBytes
        var locations: [Int: Location] = [:]
        for _ in 0..<min(cursor.read(version == 2 ? 4 : 2), HEIFItem.maxCount) {
            let item = cursor.read(version == 2 ? 4 : 2)
            let method = version == 0 ? 0 : cursor.read(2) & 15
            let isInThisFile = cursor.read(2) == 0
            let base = cursor.read(baseBytes)
            // Extents described by no bytes are identical.
            let count = extentBytes == 0 ? min(cursor.read(2), 1) : min(cursor.read(2), box.count / extentBytes)
            let extents = (0..<count).map { _ in
                Extent(
                    index: cursor.read(indexBytes), offset: cursor.read(offsetBytes), length: cursor.read(lengthBytes))
            }
            if cursor.isPastEnd { break }
            locations[item] = Location(method: method, isInThisFile: isInThisFile, base: base, extents: extents)
        }
        return locations
    }

    /// Max number of extents that are followed for an item, with those of items that it is taken from. Real items have
    /// one or two.
    private static let maxExtents = 4096

    /// Returns the bytes of an item. Extents may overlap, but no item of items is much larger than the file.
    func data(of item: Int) -> HEIFData {
        var remaining = Self.maxExtents
        return data(of: item, depth: 0, &remaining)
    }

    /// `depth` counts nested items and bounds cycles; `remaining` is the number of extents that may still be followed.
    private func data(of item: Int, depth: Int, _ remaining: inout Int) -> HEIFData {
        guard let location = locations[item], location.isInThisFile, location.method <= 2, depth < 4 else {
            return HEIFData(isIncomplete: true)
        }
        var data = HEIFData()
        for extent in location.extents {
            remaining -= 1
            guard remaining >= 0, data.count <= file.count else { return HEIFData(isIncomplete: true) }
            let source: HEIFData
            switch location.method {
            case 0: source = HEIFData(extents: [file])
            case 1: source = HEIFData(extents: [idat])
            default:
                // Counted from 1; without an index the first one is meant (section 8.11.3.1).
                let items = sources[item] ?? []
                let index = max(extent.index, 1) - 1
                source =
                    index < items.count
                    ? self.data(of: items[index], depth: depth + 1, &remaining) : HEIFData(isIncomplete: true)
            }
            let (start, overflow) = location.base.addingReportingOverflow(extent.offset)
            data.append(source, from: overflow ? .max : start, length: extent.length)
        }
        return data
    }
}
