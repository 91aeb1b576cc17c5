internal import FoundationEssentials
package import WayreelCore

/// A file of tiles: PMTiles, version 3 (github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Tiles are found by
/// directories, of which only those that are asked for are read.
///
/// A file may be hostile: all that it makes this allocate is bounded, and what leads out of it is an error.
package final class TileArchive {
    /// The first bytes of a file.
    static let magic = Array("PMTiles".utf8)

    /// What the tiles cover; nil if the header says nothing that is on maps.
    package let box: GroundBox?
    package let zooms: ClosedRange<Int>
    /// Who made the data, as the metadata say, without markup; nil if they do not.
    package let attribution: String?

    private let file: OpenFile
    private let size: UInt64
    private let fault: ErrorSite
    private let header: Header
    private let root: [Entry]
    private var leaves: [UInt64: [Entry]] = [:]
    private var leafEntries = 0

    private static let headerBytes = 127
    /// The most bytes of a directory before it is decompressed, and of the metadata.
    private static let maxDirectoryBytes = 16 << 20
    /// The most bytes of either after it was decompressed.
    private static let maxPlainBytes = 64 << 20
    private static let maxMetadataBytes = 1 << 20
    /// The most entries of directories that are kept.
    private static let maxEntries = 4 << 20
    /// The most directories on the way to a tile.
    private static let maxDepth = 4
    /// The most bytes of a tile, and the most once it is decompressed.
    package static let maxTileBytes = 8 << 20
    package static let maxPlainTileBytes = 32 << 20

    /// Opens an archive of vector tiles.
    ///
    /// Throws an `io` error if it cannot be read, an `unsupported` error for other versions, tiles and compressions, and a
    /// `decoding` error if it is damaged.
    package init(path: String) throws(MediaError) {
        fault = ErrorSite(.decoding, step: .ground, subject: path)
        do throws(SystemError) { file = try OpenFile(path) } catch { throw fault(.io, systemReason(error.code)) }
        size = UInt64(file.byteCount ?? 0)
        let bytes = try Self.bytes(of: file, 0, UInt64(Self.headerBytes), size, fault)
        header = try bytes.withBytes { [fault] (bytes) throws(MediaError) in try Header(bytes, fault) }
        for section in [header.root, header.metadata, header.leaves, header.tiles]
        where section.offset > size || section.length > size - section.offset {
            throw Self.cutOff(fault)
        }
        zooms = header.zooms
        box = header.box
        let rootBytes = try Self.plain(
            Self.bytes(of: file, header.root.offset, header.root.length, size, fault), header, fault)
        root = try Self.entries(rootBytes, fault)
        let metadata = header.metadata
        attribution =
            try metadata.length == 0
            ? nil
            : Self.attribution(
                Self.plain(
                    Self.bytes(of: file, metadata.offset, metadata.length, size, fault), header, fault,
                    limit: Self.maxMetadataBytes))
    }

    // MARK: Header

    private struct Section {
        var offset: UInt64
        var length: UInt64
    }

    private struct Header {
        var root: Section
        var metadata: Section
        var leaves: Section
        var tiles: Section
        var isCompressed: Bool
        var hasCompressedTiles: Bool
        var zooms: ClosedRange<Int>
        var box: GroundBox?

        /// `bytes` has the length of a header.
        init(_ bytes: UnsafeRawBufferPointer, _ fault: ErrorSite) throws(MediaError) {
            guard bytes.matches(TileArchive.magic, at: 0) else { throw fault("is no archive of tiles") }
            guard bytes[7] == 3 else {
                throw fault(
                    .unsupported, "is PMTiles of version \(bytes[7]); version 3 is read",
                    "convert it: pmtiles convert old.pmtiles new.pmtiles")
            }
            func section(_ offset: Int) -> Section {
                Section(
                    offset: bytes.littleEndian64(at: offset), length: bytes.littleEndian64(at: offset + 8))
            }
            (root, metadata, leaves, tiles) = (section(8), section(24), section(40), section(56))
            guard bytes[99] == 1 else {
                throw fault(.unsupported, "holds no vector tiles", "give an archive of Mapbox Vector Tiles")
            }
            func isGzip(_ compression: UInt8, _ what: String) throws(MediaError) -> Bool {
                switch compression {
                case 1: return false
                case 2: return true
                default:
                    let name = [3: "Brotli", 4: "Zstandard"][compression] ?? "another way"
                    throw fault(
                        .unsupported, "\(what) are compressed by \(name); gzip is read", "make it again with gzip")
                }
            }
            isCompressed = try isGzip(bytes[97], "its directories")
            hasCompressedTiles = try isGzip(bytes[98], "its tiles")
            let (first, last) = (Int(bytes[100]), Int(bytes[101]))
            guard first <= last, last <= TileArchive.maxZoom else {
                throw fault("its zooms are damaged: \(first) to \(last)")
            }
            zooms = first...last
            func degrees(_ offset: Int, _ limit: Double) -> Double {
                let units = Int32(bitPattern: bytes.littleEndian32(at: offset))
                return min(max(Double(units) / 1e7, -limit), limit)
            }
            box = try? GroundBox(
                west: degrees(102, 180), south: degrees(106, GroundBox.maxLatitude), east: degrees(110, 180),
                north: degrees(114, GroundBox.maxLatitude))
        }
    }

    /// The last zoom whose tiles have numbers in 64 bits, by the specification.
    private static let maxZoom = 26

    private static func bytes(
        of file: borrowing OpenFile, _ offset: UInt64, _ length: UInt64, _ size: UInt64, _ fault: ErrorSite
    ) throws(MediaError) -> [UInt8] {
        guard offset <= size, length <= size - offset else {
            throw cutOff(fault)
        }
        guard length <= UInt64(maxDirectoryBytes) else {
            throw fault(.limit, "a directory has more than \(maxDirectoryBytes.asSize)")
        }
        do throws(SystemError) { return try file.bytes(Int(length), at: Int(offset)) } catch {
            throw fault(.io, systemReason(error.code))
        }
    }

    private static func cutOff(_ fault: ErrorSite) -> MediaError {
        fault("is cut off: a part of it lies beyond its end", "copy it again")
    }

    private static func plain(
        _ bytes: [UInt8], _ header: Header, _ fault: ErrorSite, limit: Int = maxPlainBytes
    ) throws(MediaError) -> [UInt8] {
        guard header.isCompressed else {
            guard bytes.count <= limit else { throw fault(.limit, "its metadata have more than \(limit.asSize)") }
            return bytes
        }
        do throws(MediaError) {
            return try bytes.withBytes { (bytes) throws(MediaError) in
                try Inflating.bytes(bytes, limit: limit, step: .ground)
            }
        } catch { throw fault(error.kind, code: error.code, "of a directory, \(error.reason)", error.advice) }
    }

    private static func attribution(_ metadata: [UInt8]) -> String? {
        struct Metadata: Decodable { var attribution: String? }
        guard let text = (try? JSONDecoder().decode(Metadata.self, from: Data(metadata)))?.attribution else {
            return nil
        }
        var plain = ""
        var isTag = false
        for character in text.prefix(4000) {
            if character == "<" {
                isTag = true
            } else if character == ">" {
                isTag = false
            } else if !isTag {
                plain.append(character)
            }
        }
        for (entity, character) in [("&copy;", "©"), ("&#169;", "©"), ("&nbsp;", " "), ("&amp;", "&")] {
            plain = plain.replacing(entity, with: character)
        }
        return MediaAttribution(author: plain)?.author
    }

    // MARK: Directories

    private struct Entry {
        var tile: UInt64
        var offset: UInt64
        var length: UInt64
        /// How many tiles it is, one after the other; 0 for a directory.
        var run: UInt64
    }

    private static func entries(_ bytes: [UInt8], _ fault: ErrorSite) throws(MediaError) -> [Entry] {
        let damaged = fault("a directory is damaged", "make it again")
        return try bytes.withBytes { (bytes) throws(MediaError) in
            var reader = WireReader(bytes)
            // An entry has four numbers of a byte or more.
            guard let count = reader.varint(), count <= UInt64(bytes.count / 4) else { throw damaged }
            guard count <= UInt64(maxEntries / 2) else {
                throw fault(.limit, "a directory has more than \(maxEntries / 2) entries")
            }
            var entries = [Entry](repeating: Entry(tile: 0, offset: 0, length: 0, run: 0), count: Int(count))
            var tile: UInt64 = 0
            for index in entries.indices {
                let (sum, overflows) = tile.addingReportingOverflow(reader.varint() ?? 0)
                if overflows { throw damaged }
                tile = sum
                entries[index].tile = tile
            }
            for index in entries.indices { entries[index].run = reader.varint() ?? 0 }
            for index in entries.indices { entries[index].length = reader.varint() ?? 0 }
            for index in entries.indices {
                let offset = reader.varint() ?? 0
                if offset > 0 {
                    entries[index].offset = offset - 1
                } else {
                    // It follows the entry before.
                    guard index > 0 else { throw damaged }
                    let before = entries[index - 1]
                    let (sum, overflows) = before.offset.addingReportingOverflow(before.length)
                    if overflows { throw damaged }
                    entries[index].offset = sum
                }
            }
            if reader.isDamaged { throw damaged }
            return entries
        }
    }

    /// The last entry that begins at a tile or before it.
    private static func entry(at tile: UInt64, in entries: [Entry]) -> Entry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].tile <= tile { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? entries[low - 1] : nil
    }

    private func leaf(_ entry: Entry) throws(MediaError) -> [Entry] {
        if let known = leaves[entry.offset] { return known }
        let bytes = try part(header.leaves, entry)
        let entries = try Self.entries(Self.plain(bytes, header, fault), fault)
        if leafEntries + entries.count > Self.maxEntries { (leaves, leafEntries) = ([:], 0) }
        leaves[entry.offset] = entries
        leafEntries += entries.count
        return entries
    }

    /// The bytes of an entry within a section.
    private func part(_ section: Section, _ entry: Entry) throws(MediaError) -> [UInt8] {
        guard entry.offset <= section.length, entry.length <= section.length - entry.offset else {
            throw fault("a directory leads out of its section", "make it again")
        }
        let (offset, overflows) = section.offset.addingReportingOverflow(entry.offset)
        if overflows { throw fault("a directory leads out of the file", "make it again") }
        return try Self.bytes(of: file, offset, entry.length, size, fault)
    }

    // MARK: Tiles

    /// Returns the bytes of a tile, and whether they are in gzip; nil if there is none.
    ///
    /// Throws a `decoding` error if the archive or the tile is damaged, and a `limit` error for too large a tile.
    package func tile(zoom: Int, column: Int, row: Int) throws(MediaError) -> (bytes: [UInt8], isGzip: Bool)? {
        guard zooms.contains(zoom) else { return nil }
        let number = Self.number(zoom: zoom, column: column, row: row)
        var entries = root
        for _ in 0..<Self.maxDepth {
            guard let entry = Self.entry(at: number, in: entries) else { return nil }
            guard entry.run == 0 else {
                guard number - entry.tile < entry.run, entry.length > 0 else { return nil }
                return (try tile(entry, "\(zoom)/\(column)/\(row)"), header.hasCompressedTiles)
            }
            entries = try leaf(entry)
        }
        throw fault("its directories lead from one to the next", "make it again")
    }

    /// Reads a tile, and checks that it is one.
    private func tile(_ entry: Entry, _ name: String) throws(MediaError) -> [UInt8] {
        guard entry.length <= UInt64(Self.maxTileBytes) else {
            throw fault(.limit, "the tile \(name) has more than \(Self.maxTileBytes.asSize)")
        }
        let bytes = try part(header.tiles, entry)
        let isSound: Bool
        do throws(MediaError) {
            isSound = try bytes.withBytes { [header] (bytes) throws(MediaError) in
                guard header.hasCompressedTiles else { return MapTile.isSound(bytes) }
                return try Inflating.bytes(bytes, limit: Self.maxPlainTileBytes, step: .ground)
                    .withBytes(MapTile.isSound)
            }
        } catch { throw fault(error.kind, code: error.code, "of the tile \(name), \(error.reason)", error.advice) }
        guard isSound else { throw fault("the tile \(name) is damaged", "make it again") }
        return bytes
    }

    /// The number of a tile: those of smaller zooms come first, and each zoom is numbered along a Hilbert curve.
    package static func number(zoom: Int, column: Int, row: Int) -> UInt64 {
        var number: UInt64 = 0
        var (x, y) = (column, row)
        var side = (1 << zoom) / 2
        while side > 0 {
            let (right, down) = (x & side > 0 ? 1 : 0, y & side > 0 ? 1 : 0)
            number += UInt64(side) * UInt64(side) * UInt64((3 * right) ^ down)
            if down == 0 {
                if right == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
                (x, y) = (y, x)
            }
            side >>= 1
        }
        // 4⁰ + 4¹ + … of all smaller zooms.
        return number + ((1 << UInt64(2 * zoom)) - 1) / 3
    }
}
