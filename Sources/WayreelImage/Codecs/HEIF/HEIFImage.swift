internal import WayreelAV
internal import WayreelCore

/// An image of a HEIF file: tiles, geometry, and related items.
struct HEIFImage {
    let tiles: HEIFTiles
    /// The alpha image, with the size of the image: a grid too, or the alpha of the tiles.
    let alpha: HEIFTiles?
    let isPremultiplied: Bool
    /// The visible part of the stored image, before rotation.
    let shown: PixelRectangle
    let orientation: Orientation
    let profile: [UInt8]?
    let codePoints: ColorCodePoints?

    /// Creates frame `index` (from 0) of an image sequence.
    init(frame index: Int, of sequence: HEIFSequence) {
        tiles = HEIFTiles(frame: index, of: sequence.color)
        alpha = sequence.alpha.map { HEIFTiles(frame: index, of: $0) }
        isPremultiplied = sequence.isPremultiplied
        let geometry = Geometry(sequence.color.properties, of: sequence.color.size)
        shown = geometry?.shown ?? PixelRectangle(sequence.color.size)
        orientation = (geometry?.orientation ?? .upright).then(sequence.color.orientation)
        profile = sequence.color.properties.profile
        codePoints = sequence.color.properties.codePoints
    }

    /// Returns nil if the primary item is not a coded image or a grid of them, or has unsupported properties.
    init?(primaryOf file: HEIFFile) {
        guard let item = file.items[file.primary], let tiles = HEIFTiles(item: file.primary, in: file) else {
            return nil
        }
        self.tiles = tiles
        guard let geometry = Geometry(item.properties, of: tiles.size) else { return nil }
        (shown, orientation) = (geometry.shown, geometry.orientation)

        let properties = item.properties + (item.type == "grid" ? tiles.tileProperties : [])
        (profile, codePoints) = (properties.profile, properties.codePoints)

        if let alphaItem = file.alphaItem(of: file.primary) {
            guard let alpha = HEIFTiles(item: alphaItem, in: file), alpha.size == tiles.size,
                let properties = file.items[alphaItem]?.properties,
                Geometry(properties, of: alpha.size).map({ $0.isWhole(of: alpha.size) || $0 == geometry }) == true
            else { return nil }
            self.alpha = alpha
            isPremultiplied = file.targets("prem", of: file.primary).contains(alphaItem)
        } else if item.type == "grid", file.hasAlpha {
            guard let alpha = HEIFTiles(alphaOfTilesOf: tiles, in: file) else { return nil }
            self.alpha = alpha
            isPremultiplied = tiles.items.contains { tile in
                file.alphaItem(of: tile).map(file.targets("prem", of: tile).contains) ?? false
            }
        } else {
            (alpha, isPremultiplied) = (nil, false)
        }
    }

    /// Max pixels of a small tile, which decodes in a few hundredths of a second.
    private static let smallTile = 1 << 20

    /// Returns whether the primary image is decoded tile by tile, by short calls of FFmpeg. False if `head`, a file or
    /// its beginning, does not contain all of its items.
    static func isInterruptible(beginningWith head: MediaBytes) -> Bool {
        guard let meta = ISOBoxes(head.buffer).first(where: { $0.type == "meta" })?.body,
            let (end, headEnd) = meta.baseAddress.map({ ($0 + meta.count, head.buffer.baseAddress! + head.count) }),
            end < headEnd, let file = HEIFFile(head), let image = HEIFImage(primaryOf: file)
        else { return false }
        return image.needsFFmpeg || image.hasSmallTiles && image.canUseFFmpeg
    }

    /// Whether libheif, whose calls cannot be interrupted, must not replace FFmpeg. Nothing waits until FFmpeg is loaded
    /// to find out that it can decode HEVC, which needs no other library.
    var needsFFmpeg: Bool { hasSmallTiles && parts.allSatisfy { $0.codec == .hevc } }

    /// Whether FFmpeg and its decoders are installed. Loads FFmpeg.
    var canUseFFmpeg: Bool { parts.allSatisfy(\.codec.isInstalled) }

    private var hasSmallTiles: Bool {
        parts.allSatisfy { $0.columns * $0.rows > 1 && $0.tileSize.pixels <= Self.smallTile }
    }

    /// Whether a row of tiles, which is held at once, is small: at most 64 megapixels.
    var isStreamed: Bool {
        hasSmallTiles && parts.allSatisfy { $0.columns * $0.tileSize.pixels <= Self.smallTile << 6 }
    }

    private var parts: [HEIFTiles] { [tiles, alpha].compactMap(\.self) }
}

extension [HEIFItem.Property] {
    fileprivate var profile: [UInt8]? {
        for case .profile(let body) in lazy.map(\.value) { return [UInt8](body) }
        return nil
    }

    fileprivate var codePoints: ColorCodePoints? {
        for case .codePoints(let points) in lazy.map(\.value) { return points }
        return nil
    }
}

/// The combined effect of `clap`, `irot` and `imir`, in their order.
private struct Geometry: Equatable {
    private(set) var shown: PixelRectangle
    private(set) var orientation = Orientation.upright

    /// Returns nil for an essential property that is not supported.
    init?(_ properties: [HEIFItem.Property], of size: PixelSize) {
        shown = PixelRectangle(size)
        for property in properties {
            switch property.value {
            case .cleanAperture(let aperture):
                guard let part = aperture.pixels(of: orientation.upright(shown.size)) else { return nil }
                let stored = orientation.stored(
                    PixelRectangle(columns: part.columns, rows: part.rows), in: shown.size)
                shown.columns = stored.columns.shifted(by: shown.columns.lowerBound)
                shown.rows = stored.rows.shifted(by: shown.rows.lowerBound)
            case .orientation(let next): orientation = orientation.then(next)
            case .other(let type):
                if property.isEssential || HEIFProperty.layers.contains(type) { return nil }
            default: continue
            }
        }
    }

    func isWhole(of size: PixelSize) -> Bool { shown == PixelRectangle(size) && orientation == .upright }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
