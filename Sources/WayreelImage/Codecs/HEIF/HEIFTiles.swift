internal import WayreelAV
internal import WayreelCore

/// A coded image of a HEIF file as tiles of one size: a `grid` item's, or a single coded item as its only tile.
struct HEIFTiles {
    let codec: CodedImageDecoder.Codec
    /// The body of the tiles' `hvcC` or `av1C` box.
    let configuration: UnsafeRawBufferPointer
    let columns: Int
    let rows: Int
    let tileSize: PixelSize
    /// Of the whole image; the last tiles of rows and columns may reach beyond it.
    let size: PixelSize
    /// The tiles' items, by rows.
    let items: [Int]
    /// The properties of one tile, which stand in for those that a grid lacks.
    let tileProperties: [HEIFItem.Property]

    /// The frames that the only tile is decoded from, itself the last of them, where it is one of an image sequence.
    let samples: [UnsafeRawBufferPointer]?

    /// Frame `index`, counted from 0, of an image sequence.
    init(frame index: Int, of track: HEIFTrack) {
        (codec, configuration) = (track.codec, track.configuration)
        (columns, rows, tileSize, size, items) = (1, 1, track.size, track.size, [])
        tileProperties = track.properties
        samples = track.samples(of: index)
    }

    /// What the tile at `index` is decoded from.
    func source(of index: Int, in file: HEIFFile) -> TileDecoding.Source {
        samples.map { .frame($0) } ?? .image(file.data(of: items[index]))
    }

    /// nil where `item` is something else, or has tiles of different kinds.
    init?(item: Int, in file: HEIFFile) {
        guard let found = file.items[item] else { return nil }
        samples = nil
        if found.type == "grid" {
            guard let grid = GridDescription(file.data(of: item)) else { return nil }
            items = file.targets("dimg", of: item)
            (columns, rows, size) = (grid.columns, grid.rows, grid.size)
        } else {
            guard let size = found.size else { return nil }
            (items, columns, rows, self.size) = ([item], 1, 1, size)
        }
        guard items.count == columns * rows, let first = items.first.flatMap({ file.items[$0] }),
            let codec = first.codec, let configuration = first.configuration, let tileSize = first.size
        else { return nil }
        (self.codec, self.configuration, self.tileSize) = (codec, configuration, tileSize)
        tileProperties = first.properties
        // The tiles cover the image, and none lies outside of it (ISO/IEC 23008-12, section 6.6.2.3.1).
        guard tileSize.width > 0, tileSize.height > 0, size.width > 0, size.height > 0,
            columns == (size.width + tileSize.width - 1) / tileSize.width,
            rows == (size.height + tileSize.height - 1) / tileSize.height
        else { return nil }
        let isUniform = Set(items).allSatisfy { id in
            guard let tile = file.items[id] else { return false }
            return tile.type == first.type && tile.size == tileSize && tile.isPlain
                && tile.configuration.map { $0.isSame(as: configuration) } == true
        }
        // Chroma of two columns or rows belongs to one tile.
        let isEven = columns == 1 && rows == 1 || tileSize.width % 2 == 0 && tileSize.height % 2 == 0
        guard isUniform || found.type != "grid", isEven else { return nil }
    }

    /// Bits of a sample, as the configuration states them.
    var depth: Int { chroma.depth }
    var isMonochrome: Bool { chroma.subsampling == nil && chroma.isMonochrome }
    /// `4:2:0` and its kin.
    var subsampling: String? { chroma.subsampling }

    private var chroma: (depth: Int, isMonochrome: Bool, subsampling: String?) {
        let names = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"]
        switch codec {
        case .hevc:
            // ISO/IEC 14496-15, section 8.3.3.1.2: chroma_format_idc, then bit_depth_luma_minus8.
            guard configuration.count > 17 else { return (8, false, nil) }
            let format = Int(configuration[16] & 3)
            return (8 + Int(configuration[17] & 7), format == 0, format == 0 ? nil : names[format])
        case .av1:
            // AV1-ISOBMFF, section 2.3.3: high_bitdepth, twelve_bit, monochrome, chroma_subsampling_x and _y.
            guard configuration.count > 2 else { return (8, false, nil) }
            let bits = configuration[2]
            let depth = bits & 0x40 == 0 ? 8 : bits & 0x20 == 0 ? 10 : 12
            if bits & 0x10 != 0 { return (depth, true, nil) }
            return (depth, false, bits & 0x08 == 0 ? names[3] : bits & 0x04 == 0 ? names[2] : names[1])
        }
    }
}

/// The bytes of a `grid` item (ISO/IEC 23008-12, section 6.6.2.3.2).
private struct GridDescription {
    let columns: Int
    let rows: Int
    let size: PixelSize

    init?(_ data: HEIFData) {
        let found = data.withBytes { bytes -> (columns: Int, rows: Int, size: PixelSize)? in
            var cursor = ByteCursor(bytes)
            let (version, flags) = (cursor.read(1), cursor.read(1))
            let (rows, columns) = (cursor.read(1) + 1, cursor.read(1) + 1)
            let sideBytes = flags & 1 == 0 ? 2 : 4
            let size = PixelSize(width: cursor.read(sideBytes), height: cursor.read(sideBytes))
            return version == 0 && !cursor.isPastEnd ? (columns, rows, size) : nil
        }
        guard let found else { return nil }
        (columns, rows, size) = found
    }
}

extension HEIFItem {
    /// nil for what is not an image of a codec that is decoded tile by tile.
    fileprivate var codec: CodedImageDecoder.Codec? {
        switch type {
        case "hvc1": .hevc
        case "av01": .av1
        default: nil
        }
    }

    fileprivate var configuration: UnsafeRawBufferPointer? {
        for property in properties {
            switch (property.value, codec) {
            case (.hevcConfiguration(let body), .hevc), (.av1Configuration(let body), .av1): return body
            default: continue
            }
        }
        return nil
    }

    var size: PixelSize? {
        for case .size(let size) in properties.lazy.map(\.value) { return size }
        return nil
    }

    /// Whether nothing is done to it after decoding, as nothing is to be done to a tile.
    fileprivate var isPlain: Bool {
        properties.allSatisfy { property in
            switch property.value {
            case .cleanAperture: false
            case .orientation(let orientation): orientation == .upright
            case .other(let type): !property.isEssential && !HEIFProperty.layers.contains(type)
            default: true
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes are the same; long ones only where they are at the same place, so that comparing costs little.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && (baseAddress == other.baseAddress || count <= 4096 && elementsEqual(other))
    }
}

extension HEIFProperty {
    /// Properties of items that hold an image in several layers, of which one is to be chosen.
    static let layers: Set = ["a1op", "a1lx", "lsel", "lhvC", "oinf", "tols"]
}
