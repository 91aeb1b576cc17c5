internal import WayreelAV
internal import WayreelCore

/// A coded image of a HEIF file as tiles of one size: those of a `grid` item, their alpha images, or a single coded item.
struct HEIFTiles {
    let codec: CodedImageDecoder.Codec
    /// The `hvcC` or `av1C` payload of the tiles.
    let configuration: [UInt8]
    let columns: Int
    let rows: Int
    let tileSize: PixelSize
    /// Size of the whole image; the last tiles of rows and columns may exceed it.
    let size: PixelSize
    /// Items of the tiles, in rows. Those that are missing have no data.
    let items: [Int]
    /// Properties of a tile, used if the grid lacks them.
    let tileProperties: [HEIFItem.Property]

    /// The transforms of the whole image.
    private let transforms: [HEIFItem.Transform]

    /// An item that no file has: IDs have 32 bits.
    private static let missing = -1

    /// For a frame of an image sequence, the samples needed to decode it, itself last.
    private let samples: [UnsafeRawBufferPointer]?
    /// The file, which properties and samples point into.
    private let file: MediaBytes

    /// Creates frame `index` (from 0) of an image sequence.
    init(frame index: Int, of track: HEIFTrack) {
        (codec, configuration, file) = (track.codec, Array(track.configuration), track.file)
        (columns, rows, tileSize, size, items) = (1, 1, track.size, track.size, [])
        tileProperties = track.properties
        transforms = []
        samples = track.samples(of: index)
    }

    /// Returns the source of the tile at `index`.
    func source(of index: Int, in file: HEIFFile) -> TileDecoding.Source {
        samples.map { .frame($0) } ?? .image(file.data(of: items[index]))
    }

    /// Returns nil if `item` is something else or its tiles differ in kind.
    init?(item: Int, in file: HEIFFile) {
        guard let found = file.items[item] else { return nil }
        if found.type == "grid" {
            guard let grid = GridDescription(file.data(of: item)) else { return nil }
            let named = file.targets("dimg", of: item)
            let missing = Array(repeating: Self.missing, count: max(0, grid.columns * grid.rows - named.count))
            self.init(
                named + missing, columns: grid.columns, rows: grid.rows, size: grid.size, in: file,
                transforms: found.transforms)
        } else {
            guard let size = found.size else { return nil }
            self.init([item], columns: 1, rows: 1, size: size, in: file, arePlain: false)
        }
    }

    /// Creates the alpha of `image` from the alpha images of its tiles; nil if none has one. A tile without one counts
    /// as missing.
    init?(alphaOfTilesOf image: HEIFTiles, in file: HEIFFile) {
        let alphas = image.items.map { file.alphaItem(of: $0) ?? Self.missing }
        guard alphas.contains(where: { $0 != Self.missing }) else { return nil }
        self.init(
            alphas, columns: image.columns, rows: image.rows, size: image.size, in: file,
            transforms: image.transforms)
    }

    /// `arePlain`: whether the items are of one kind, and none has a transform, as required of tiles. libavif 0.11 and
    /// earlier repeat the `transforms` of the grid for its tiles, which its own decoder ignores.
    private init?(
        _ items: [Int], columns: Int, rows: Int, size: PixelSize, in file: HEIFFile, arePlain: Bool = true,
        transforms: [HEIFItem.Transform] = []
    ) {
        (self.items, self.columns, self.rows, self.size, samples) = (items, columns, rows, size, nil)
        self.file = file.bytes
        guard items.count == columns * rows, let first = items.lazy.compactMap({ file.items[$0] }).first,
            let codec = first.codec, let configuration = first.configuration, let tileSize = first.size
        else { return nil }
        (self.codec, self.configuration, self.tileSize) = (codec, Array(configuration), tileSize)
        tileProperties = first.properties
        self.transforms = transforms
        // The tiles cover the image, and none is outside it (ISO/IEC 23008-12, section 6.6.2.3.1).
        guard tileSize.width > 0, tileSize.height > 0, size.width > 0, size.height > 0,
            columns == (size.width + tileSize.width - 1) / tileSize.width,
            rows == (size.height + tileSize.height - 1) / tileSize.height
        else { return nil }
        let isUniform = Set(items).allSatisfy { id in
            guard let tile = file.items[id] else { return true }
            let isPlain = tile.isPlain || codec == .av1 && !transforms.isEmpty && tile.isPlain(besides: transforms)
            return tile.type == first.type && tile.size == tileSize && isPlain
                && tile.configuration.map { $0.isSame(as: configuration) } == true
        }
        // Chroma shared by two columns or rows must belong to one tile.
        let isEven = columns == 1 && rows == 1 || tileSize.width % 2 == 0 && tileSize.height % 2 == 0
        guard isUniform || !arePlain, isEven else { return nil }
    }

    /// Bits per sample in the configuration.
    var depth: Int { chroma.depth }
    var isMonochrome: Bool { chroma.subsampling == nil && chroma.isMonochrome }
    /// Chroma subsampling, as in `4:2:0`.
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
    /// nil for an image whose codec is not decoded tile by tile.
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

    /// A crop or a rotation.
    enum Transform: Equatable {
        case crop([Double])
        case orientation(Orientation)
    }

    fileprivate var transforms: [Transform] {
        properties.compactMap { property in
            switch property.value {
            case .cleanAperture(let aperture):
                .crop([aperture.width, aperture.height, aperture.offsetX, aperture.offsetY])
            case .orientation(let orientation): .orientation(orientation)
            default: nil
            }
        }
    }

    /// Whether it has no transforms, as required of a tile.
    fileprivate var isPlain: Bool { isPlain(besides: []) }

    /// Whether it has no transforms but `known`.
    fileprivate func isPlain(besides known: [Transform]) -> Bool {
        guard known.isEmpty || transforms == known else { return false }
        return properties.allSatisfy { property in
            switch property.value {
            case .cleanAperture: !known.isEmpty
            case .orientation(let orientation): !known.isEmpty || orientation == .upright
            case .other(let type): !property.isEssential && !HEIFProperty.layers.contains(type)
            default: true
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the bytes are equal; long ones only count as equal at the same address, which bounds the cost.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && (baseAddress == other.baseAddress || count <= 4096 && elementsEqual(other))
    }
}

extension HEIFProperty {
    /// Properties of items with several layers.
    static let layers: Set = ["a1op", "a1lx", "lsel", "lhvC", "oinf", "tols"]
}
