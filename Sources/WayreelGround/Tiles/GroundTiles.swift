public import WayreelCore
@_exported public import WayreelMapFiles

/// A base map: vector tiles of an OpenStreetMap extract.
///
///     let tiles = try GroundTiles.cut(extract: "krems.osm.pbf", languages: ["de", "en"])
///     try tiles.write(to: "tiles")
///
/// The tiles are Mapbox Vector Tiles 2.1 with the layers of OpenMapTiles' schema, for web maps such as MapLibre, and
/// QGIS. Their data are © OpenStreetMap contributors, under the Open Database License: whoever shows them shows
/// ``GroundExtract/attribution``.
public struct GroundTiles: Sendable {
    /// A tile in the numbering of web maps: x from the antimeridian to the east, y from the north.
    public struct Tile: Sendable {
        public let z: Int
        public let x: Int
        public let y: Int
        /// The tile, gzipped (RFC 1952).
        public let bytes: [UInt8]
        /// The SHA-256 of ``bytes`` in hexadecimal digits.
        public let sha256: String

        /// `12/2219/1409`
        public var path: String { "\(z)/\(x)/\(y)" }
    }

    /// The zooms for which there are rules of what is shown.
    public static let zooms = 12...17
    /// How many tiles one call makes at most.
    public static let maxTiles = 100_000

    /// By zoom, x and y. Those without any feature are left out.
    public let tiles: [Tile]
    /// What the tiles show. Nothing lies outside of it.
    public let box: GroundBox
    public let zooms: ClosedRange<Int>
    public let languages: [String]
    /// What could not be shown.
    public let warnings: [MediaWarning]

    /// The size of all tiles in bytes.
    public var bytes: Int { tiles.reduce(0) { $0 + $1.bytes.count } }

    /// Cuts an extract into tiles. See ``GroundExtract/read(path:box:languages:threads:cancellation:)`` for the
    /// extract; the same file, box, zooms and languages give the same tiles.
    ///
    /// A nil `box` means all that the extract covers. `zooms` are within 12 to 17. Features have their `name`, and
    /// `name:xx` in those of `languages` (codes of OpenStreetMap, such as `de` or `zh-Hant`) in which it is another one.
    /// Up to `threads` threads work.
    ///
    /// Throws what reading the extract throws, a `parameter` error for other zooms and languages, and a `limit` error
    /// for more than ``maxTiles`` tiles.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public static func cut(
        extract path: String, box: GroundBox? = nil, zooms: ClosedRange<Int> = GroundTiles.zooms,
        languages: [String] = [], threads: Int = WorkPool.availableCores, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> GroundTiles {
        try cut(
            extract: path, box: box, boxName: nil, zooms: zooms, languages: languages,
            task: TaskContext(threads: threads, cancellation: cancellation), cancellation: cancellation)
    }

    /// `boxName` is what errors call the box.
    static func cut(
        extract path: String, box: GroundBox?, boxName: String?, zooms: ClosedRange<Int>, languages: [String],
        task: TaskContext, cancellation: Cancellation
    ) throws(MediaError) -> GroundTiles {
        let fault = ErrorSite(.parameter, step: .ground)
        guard zooms.lowerBound >= Self.zooms.lowerBound, zooms.upperBound <= Self.zooms.upperBound else {
            throw fault(
                "zooms \(zooms.lowerBound)-\(zooms.upperBound) are not within 12-17", "give zooms such as 12-17")
        }
        if let other = languages.first(where: { !isLanguage($0) }) {
            throw fault(of: other, "is no code of a language", "give one such as de, fi or zh-Hant")
        }
        if let box { try checkCount(box, zooms) }
        let extract = try GroundExtract.read(
            path: path, box: box, boxName: boxName, selections: GroundSchema.selections(languages: languages),
            threads: task.threads, cancellation: cancellation)
        do throws(MediaError) { try checkCount(extract.box, zooms) } catch { throw error.naming(path) }
        var features = GroundFeatures(extract, languages: languages)
        let coastline = Coastline(features.coastlines, in: Grid.box(extract.box))
        features.add(coastline)
        var tiles: [Tile] = []
        for zoom in zooms {
            tiles += try TileCutter(features, extract.box, zoom: zoom, task).tiles(task)
        }
        var warnings = extract.warnings
        if coastline.looseEnds > 0 {
            let ends = coastline.looseEnds.counted("end", "ends")
            warnings.append(
                MediaWarning(
                    step: .ground, "the extract lacks the continuation of the coast at \(ends)",
                    advice: "take a smaller box or a larger extract if water is where land should be"))
        }
        return GroundTiles(
            tiles: tiles, box: extract.box, zooms: zooms, languages: languages, warnings: warnings)
    }

    /// Whether a text has the form of OpenStreetMap's codes of languages.
    package static func isLanguage(_ code: String) -> Bool {
        code.wholeMatch(of: /[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}/) != nil
    }

    static func checkCount(_ box: GroundBox, _ zooms: ClosedRange<Int>) throws(MediaError) {
        let count = zooms.reduce(0) { sum, zoom in
            let (columns, rows) = Grid.tiles(of: box, at: zoom)
            return sum + columns.count * rows.count
        }
        guard count <= maxTiles else {
            throw MediaError(
                .limit, step: .ground,
                reason:
                    "the box \(box) has \(count) tiles at zooms \(zooms.lowerBound)-\(zooms.upperBound); the limit is \(maxTiles)",
                advice: "take a smaller box, or fewer zooms")
        }
    }
}

/// The tiles of one zoom: features put on its grid and generalised, and then clipped to columns, and these to tiles.
struct TileCutter: Sendable {
    private let zoom: Int
    private let columns: Range<Int>
    private let rows: Range<Int>
    private let attributes: [TileAttributes]
    private let box: GridBox
    /// In the order in which they are drawn, so that those with equal attributes follow each other.
    private let shapes: [Shape]

    /// A point, a line, or an outer ring and those within it, on the grid of the zoom.
    private struct Shape: Sendable {
        var group: VectorTile.Group
        var parts: [[GridPoint]]
        var box: GridBox
    }

    /// How far tiles reach beyond their borders, so that lines have no ends there, in units.
    private static let buffer: Int32 = 64
    /// The smallest polygon that is shown, in square units.
    private static let minArea = 4.0

    /// How far points may lie beside a simplified line, in units: a screen shows a tile with 256 to 512 pixels, or
    /// larger if it is of the last zoom.
    private static func tolerance(_ zoom: Int) -> Double {
        zoom == GroundTiles.zooms.upperBound ? 1 : 4
    }

    init(_ features: GroundFeatures, _ box: GroundBox, zoom: Int, _ task: TaskContext) throws(MediaError) {
        self.zoom = zoom
        (columns, rows) = Grid.tiles(of: box, at: zoom)
        attributes = features.attributes
        let clip = Grid.box(Grid.box(box), at: zoom)
        self.box = clip
        let works = Self.works(features, zoom)
        let shapes = try task.map(works.count) { (index, _) throws(MediaError) in Self.shapes(works[index], zoom, clip)
        }
        self.shapes = shapes.flatMap(\.self)
    }

    /// Features of a group that are generalised together.
    private struct Work: Sendable {
        var group: VectorTile.Group
        var geometries: [GroundFeature.Geometry]
    }

    private static func works(_ features: GroundFeatures, _ zoom: Int) -> [Work] {
        let visible = features.features.filter { $0.zoom <= zoom }
        // The place in the file decides last, so that the same file gives the same tiles.
        let keys = visible.enumerated().map { index, feature in
            (feature.layer.rawValue, feature.order, feature.attributes, feature.geometry.kind.rawValue, index)
        }
        let order = keys.sorted(by: <).map(\.4)
        var works: [Work] = []
        for feature in order.map({ visible[$0] }) {
            let group = VectorTile.Group(
                layer: feature.layer, attributes: feature.attributes, kind: feature.geometry.kind)
            if works.last?.group != group { works.append(Work(group: group, geometries: [])) }
            works[works.count - 1].geometries.append(feature.geometry)
        }
        return works
    }

    private static func shapes(_ work: Work, _ zoom: Int, _ clip: GridBox) -> [Shape] {
        let tolerance = tolerance(zoom)
        func placed(_ points: [GridPoint]) -> [GridPoint] { points.map { Grid.point($0, at: zoom) } }
        var shapes: [Shape] = []
        func add(_ parts: [[GridPoint]]) {
            if let box = parts.first.flatMap({ GridBox(around: $0) }) {
                shapes.append(Shape(group: work.group, parts: parts, box: box))
            }
        }
        var lines: (directed: [[GridPoint]], others: [[GridPoint]]) = ([], [])
        for geometry in work.geometries {
            switch geometry {
            case .point(let point):
                let place = Grid.point(point, at: zoom)
                if clip.contains(place) { add([[place]]) }
            case .line(let points, isDirected: true): lines.directed.append(placed(points))
            case .line(let points, isDirected: false): lines.others.append(placed(points))
            case .polygon(let rings):
                let whole = rings.map { Clipping.ring(placed($0), to: clip) }
                let simple = whole.map { Generalization.ring($0, tolerance: tolerance) }
                let kept = simple.filter { abs($0.doubleArea) >= 2 * minArea }
                // Without its outer ring, nothing is left.
                if let outer = simple.first, kept.first == outer { add(kept) }
            }
        }
        for (lines, isDirected) in [(lines.directed, true), (lines.others, false)] {
            for line in Generalization.joined(lines, directed: isDirected) {
                for part in Clipping.line(line, to: clip) { add([Generalization.line(part, tolerance: tolerance)]) }
            }
        }
        return shapes
    }

    // MARK: Tiles

    /// Returns the tiles that are not empty, by x and y.
    func tiles(_ task: TaskContext) throws(MediaError) -> [GroundTiles.Tile] {
        try task.map(columns.count) { (index, task) throws(MediaError) in
            let column = columns.lowerBound + index
            var tiles: [GroundTiles.Tile] = []
            for (row, tile) in zip(rows, self.column(column)) where !tile.isEmpty {
                try task.check()
                tiles.append(try Self.packed(tile, zoom, column, row))
            }
            return tiles
        }.flatMap(\.self)
    }

    private static func packed(
        _ tile: VectorTile, _ zoom: Int, _ column: Int, _ row: Int
    ) throws(MediaError) -> GroundTiles.Tile {
        GroundTiles.Tile(zoom, column, row, try GroundTiles.gzip(tile.bytes))
    }

    /// Returns the tiles of a column, from north to south.
    private func column(_ column: Int) -> [VectorTile] {
        var tiles = [VectorTile](repeating: VectorTile(), count: rows.count)
        let west = Int32(column) * Grid.extent
        let (low, high) = (max(west - Self.buffer, box.minX), min(west + Grid.extent + Self.buffer, box.maxX))
        for shape in shapes where shape.box.minX <= high && shape.box.maxX >= low {
            let first = max(Int(shape.box.minY - Self.buffer) >> 12, rows.lowerBound)
            let last = min(Int(shape.box.maxY + Self.buffer) >> 12, rows.upperBound - 1)
            guard first <= last else { continue }
            let part: [[GridPoint]] =
                switch shape.group.kind {
                case .point: shape.parts.filter { $0[0].x >= west && $0[0].x < west + Grid.extent }
                case .line: shape.parts.flatMap { Clipping.line($0, .x, from: low, to: high) }
                case .polygon: shape.parts.map { Clipping.ring($0, .x, from: low, to: high) }
                }
            for row in first...last {
                let north = Int32(row) * Grid.extent
                add(part, of: shape, GridPoint(x: west, y: north), to: &tiles[row - rows.lowerBound])
            }
        }
        return tiles
    }

    /// Adds the part of a shape that lies in the rows of a tile, whose north-west is `origin`.
    private func add(_ parts: [[GridPoint]], of shape: Shape, _ origin: GridPoint, to tile: inout VectorTile) {
        let (low, high) = (origin.y - Self.buffer, origin.y + Grid.extent + Self.buffer)
        func add(_ points: [GridPoint]) {
            let placed = points.map { GridPoint(x: $0.x - origin.x, y: $0.y - origin.y) }
            tile.add(placed, to: shape.group, attributes[shape.group.attributes])
        }
        switch shape.group.kind {
        case .point:
            for point in parts where point[0].y >= origin.y && point[0].y < origin.y + Grid.extent { add(point) }
        case .line: for line in parts.flatMap({ Clipping.line($0, .y, from: low, to: high) }) { add(line) }
        case .polygon:
            let rings = parts.map { Clipping.ring($0, .y, from: low, to: high).cleanRing }
            let areas = rings.map(\.doubleArea)
            // An outer ring that is not there has no rings within it, and one that these fill shows nothing.
            guard let outer = areas.first, outer > 0, areas.reduce(0, +) > 0 else { return }
            for (ring, area) in zip(rings, areas) where area != 0 { add(ring) }
        }
    }
}

extension GroundFeature.Geometry {
    fileprivate var kind: VectorTile.Kind {
        switch self {
        case .point: .point
        case .line: .line
        case .polygon: .polygon
        }
    }
}
