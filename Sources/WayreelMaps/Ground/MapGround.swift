internal import Glibc
public import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine
public import WayreelMapFiles
internal import WayreelStory

/// The base map below a map's marks: vector tiles of one zoom.
public struct MapGround: Sendable {
    /// A tile by its zoom, column and row, in the numbering of web maps.
    public struct Tile: Sendable {
        public var zoom: Int
        public var column: Int
        public var row: Int
        /// A Mapbox Vector Tile in gzip.
        public var bytes: [UInt8]

        public init(zoom: Int, column: Int, row: Int, bytes: [UInt8]) {
            (self.zoom, self.column, self.row, self.bytes) = (zoom, column, row, bytes)
        }
    }

    public var tiles: [Tile]
    /// What is written on the map: who made the data.
    public var attribution: String
    /// The languages of names, the best first: codes of OpenStreetMap. Others are local names.
    public var languages: [String]

    public init(tiles: [Tile], attribution: String, languages: [String] = []) {
        self.tiles = tiles
        self.attribution = attribution
        self.languages = languages
    }

    /// The most bytes of a tile once it is decompressed.
    private static let maxTileBytes = 32 << 20

    /// Returns the tiles decoded, by their places.
    ///
    /// Throws a `decoding` error for a damaged one.
    func decoded() throws(MediaError) -> [(tile: Tile, content: MapTile)] {
        var found: [(Tile, MapTile)] = []
        for tile in tiles {
            let name = "\(tile.zoom)/\(tile.column)/\(tile.row)"
            let content: MapTile?
            do throws(MediaError) {
                content = try tile.bytes.withBytes { (bytes) throws(MediaError) in
                    try Inflating.bytes(bytes, limit: Self.maxTileBytes, step: .map).withBytes { MapTile($0) }
                }
            } catch { throw error.naming("the tile \(name)") }
            guard let content else {
                throw MediaError(.decoding, step: .map, reason: "the tile \(name) is damaged", advice: "make it again")
            }
            found.append((tile, content))
        }
        return found
    }
}

extension MapScene {
    /// The area that a map of the scene shows, and the zoom of the tiles of a base map below it, of `zooms`; nil if it shows so
    /// large an area that no streets could be seen.
    ///
    /// Throws a `parameter` error for a size out of range, and for an empty map.
    public func groundArea(
        _ image: MapImage, zooms: ClosedRange<Int>
    ) throws(MediaError) -> (box: GroundBox, zoom: Int)? {
        try image.check()
        let frame = try MapFrame(self, image)
        let zoom = frame.zoom(image)
        // Two zooms less make streets of the smallest tiles a quarter as wide.
        guard zoom > Double(zooms.lowerBound) - 2, let box = frame.box else { return nil }
        return (box, min(max(Int(zoom.rounded()), zooms.lowerBound), zooms.upperBound))
    }
}

extension MapFrame {
    /// The metres around the equator, on a sphere of the Earth's mean radius.
    private static let equator = 2 * Double.pi * 6_371_008.8

    /// The zoom, with fractions, at which tiles have 512 pixels of a screen, as web maps count it. A map for print has larger
    /// pixels.
    func zoom(_ image: MapImage) -> Double {
        let pixels = scale / image.groundScale
        return log2(Self.equator * cos(center.latitude * .pi / 180) * pixels / 512)
    }

    /// The box around the map's area; nil if it is not on maps of tiles.
    var box: GroundBox? {
        let metresPerDegree = Self.equator / 360
        // Meridians converge: what is at a corner is farther away in degrees than what is beside the middle.
        let up = area.height / 2 / scale / metresPerDegree * 1.02
        let latitude = min(abs(center.latitude) + up, 89)
        let across = area.width / 2 / scale / metresPerDegree / cos(latitude * .pi / 180) * 1.02
        let limit = GroundBox.maxLatitude
        return try? GroundBox(
            west: max(-180, center.longitude - across), south: max(-limit, center.latitude - up),
            east: min(180, center.longitude + across), north: min(limit, center.latitude + up))
    }

    /// The transformation from a tile's units to pixels. Within a tile, the two projections differ by less than a pixel.
    func transform(zoom: Int, column: Int, row: Int) -> TileTransform {
        let count = Double(1 << zoom)
        func corner(_ column: Int, _ row: Int) -> (x: Double, y: Double) {
            let latitude = atan(sinh(.pi * (1 - 2 * Double(row) / count))) * 180 / .pi
            return pixel(GeoPoint(latitude: latitude, longitude: Double(column) / count * 360 - 180))
        }
        let (origin, east, south) = (corner(column, row), corner(column + 1, row), corner(column, row + 1))
        let extent = MapTile.extent
        return TileTransform(
            x: origin.x, y: origin.y, right: ((east.x - origin.x) / extent, (east.y - origin.y) / extent),
            down: ((south.x - origin.x) / extent, (south.y - origin.y) / extent))
    }
}

/// A plane's transformation: the origin, and what a unit to the right and down adds.
struct TileTransform {
    var x: Double
    var y: Double
    var right: (x: Double, y: Double)
    var down: (x: Double, y: Double)

    func callAsFunction(_ point: MapTile.Point) -> (x: Double, y: Double) {
        (x + point.x * right.x + point.y * down.x, y + point.x * right.y + point.y * down.y)
    }
}

extension MapImage {
    /// How many pixels a pixel of the style's table is: 1 where texts have 13 pixels.
    var groundScale: Double { em / 13 }
}
