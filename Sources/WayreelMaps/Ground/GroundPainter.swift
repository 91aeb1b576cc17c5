internal import Glibc
internal import WayreelCore
internal import WayreelDrawing
internal import WayreelMapFiles

/// Draws a base map below the marks of a map, as the web player does (Player/ground/ground-painter.js).
struct GroundPainter {
    private let image: MapImage
    private let frame: MapFrame
    private let canvas: PathCanvas
    private let style = GroundStyle.shared
    private let palette: [String: RGBColor]
    private let ground: MapGround
    private let tiles: [PlacedTile]
    /// The zoom of the table's widths, and the pixels of one of its pixels.
    private let zoom: Double
    private let pixel: Double

    /// From this width on a street has edges; below, it is a line.
    private static let edgedWidth = 3.0

    /// Where something is in relation to the ground: below it, on it, on a bridge.
    private enum Level: Int, CaseIterable {
        case tunnel, ground, bridge

        init(_ feature: MapTile.Feature) {
            self =
                switch feature.texts["brunnel"] {
                case "tunnel": .tunnel
                case "bridge": .bridge
                default: .ground
                }
        }
    }

    private struct PlacedTile {
        var transform: TileTransform
        var content: MapTile
        /// What each layer of the table draws, by its index and level.
        var shapes: [Key: [[MapTile.Point]]]
    }

    private struct Key: Hashable {
        var layer: Int
        var level: Level
    }

    init(_ ground: MapGround, _ image: MapImage, _ frame: MapFrame, _ canvas: PathCanvas) throws(MediaError) {
        (self.ground, self.image, self.frame, self.canvas) = (ground, image, frame, canvas)
        palette = style.palette(image.theme)
        (zoom, pixel) = (frame.zoom(image), image.groundScale)
        var tiles: [PlacedTile] = []
        for (tile, content) in try ground.decoded() {
            let transform = frame.transform(zoom: tile.zoom, column: tile.column, row: tile.row)
            tiles.append(PlacedTile(transform: transform, content: content, shapes: Self.shapes(of: content, style)))
        }
        self.tiles = tiles
    }

    private static func shapes(of tile: MapTile, _ style: GroundStyle) -> [Key: [[MapTile.Point]]] {
        var shapes: [Key: [[MapTile.Point]]] = [:]
        for layer in tile.layers {
            for feature in layer.features {
                guard let index = style.layer(of: feature, in: layer.name) else { continue }
                let wanted: MapTile.Kind? =
                    switch style.layers[index].kind {
                    case .fill: .polygon
                    case .line: .line
                    case .none: nil
                    }
                guard feature.kind == wanted else { continue }
                shapes[Key(layer: index, level: Level(feature)), default: []] += feature.parts
            }
        }
        return shapes
    }

    // MARK: Ground

    /// Fills the map's area, and draws what is on the ground. What is beyond the area is covered by `background`.
    func paint(background: RGBColor) {
        canvas.rectangle(frame.area)
        canvas.fill(color("ground"))
        for group in style.groups {
            let shown = group.filter { style.layers[$0].kind != .none && style.layers[$0].selection.isShown(at: zoom) }
            for level in Level.allCases {
                for layer in shown { drawEdges(Key(layer: layer, level: level)) }
                for layer in shown { drawInside(Key(layer: layer, level: level)) }
            }
        }
        coverOutside(background)
    }

    private func color(_ name: String?) -> RGBColor { name.flatMap { palette[$0] } ?? image.ground }

    /// Adds the shapes of a layer to the path; false if there are none.
    private func add(_ key: Key, isRing: Bool) -> Bool {
        var hasAny = false
        for tile in tiles {
            for part in tile.shapes[key] ?? [] {
                let points = part.map { tile.transform($0) }
                guard isVisible(points) else { continue }
                canvas.addLine(points)
                if isRing { canvas.closePath() }
                hasAny = true
            }
        }
        return hasAny
    }

    private func isVisible(_ points: [(x: Double, y: Double)]) -> Bool {
        let area = frame.area
        let (xs, ys) = (points.lazy.map(\.x), points.lazy.map(\.y))
        return (xs.max() ?? 0) > area.x && (xs.min() ?? 0) < area.maxX && (ys.max() ?? 0) > area.y
            && (ys.min() ?? 0) < area.maxY
    }

    private func drawEdges(_ key: Key) {
        let layer = style.layers[key.layer]
        guard let edge = layer.edge else { return }
        if layer.kind == .fill {
            if add(key, isRing: true) { canvas.strokeFlat(color(edge), width: 1.6 * pixel) }
            return
        }
        guard let width = layer.width?.value(at: zoom), width >= Self.edgedWidth, add(key, isRing: false) else {
            return
        }
        // What is below the ground has broken edges.
        canvas.strokeFlat(
            color(edge), width: (width + 2 * min(1.5, max(1, width / 9))) * pixel,
            dash: key.level == .tunnel ? [4 * pixel, 3 * pixel] : [])
    }

    private func drawInside(_ key: Key) {
        let layer = style.layers[key.layer]
        if layer.kind == .fill {
            if add(key, isRing: true) { canvas.fill(color(layer.color)) }
            return
        }
        guard let width = layer.width?.value(at: zoom), add(key, isRing: false) else { return }
        let isLine = layer.edge != nil && width < Self.edgedWidth
        var dash: [Double] = []
        if let parts = layer.dash, zoom >= layer.dashFrom ?? 0 {
            dash = parts.map { $0 * width * pixel }
        } else if isLine, key.level == .tunnel {
            dash = [3 * pixel, 2 * pixel]
        }
        canvas.strokeFlat(
            color(isLine ? layer.line : layer.color), width: max(width, isLine ? 0.8 : 0) * pixel, dash: dash)
        guard let ties = layer.ties, zoom >= ties.firstZoom, add(key, isRing: false) else { return }
        canvas.strokeFlat(
            color(layer.color), width: ties.value(at: zoom) * pixel,
            dash: [max(1, width * 0.8) * pixel, 3.5 * width * pixel])
    }

    /// Fills all but the map's area, whose corners are round.
    private func coverOutside(_ background: RGBColor) {
        let (area, radius) = (frame.area, image.em * 0.5)
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height)))
        // The other way round than the rectangle around it, so that it is a hole. A quarter of a circle is nearly this
        // curve.
        let curve = radius * 0.447_7
        canvas.move(toX: area.x + radius, y: area.y)
        canvas.curve(
            control1X: area.x + curve, control1Y: area.y, control2X: area.x, control2Y: area.y + curve,
            toX: area.x, y: area.y + radius)
        canvas.line(toX: area.x, y: area.maxY - radius)
        canvas.curve(
            control1X: area.x, control1Y: area.maxY - curve, control2X: area.x + curve, control2Y: area.maxY,
            toX: area.x + radius, y: area.maxY)
        canvas.line(toX: area.maxX - radius, y: area.maxY)
        canvas.curve(
            control1X: area.maxX - curve, control1Y: area.maxY, control2X: area.maxX, control2Y: area.maxY - curve,
            toX: area.maxX, y: area.maxY - radius)
        canvas.line(toX: area.maxX, y: area.y + radius)
        canvas.curve(
            control1X: area.maxX, control1Y: area.y + curve, control2X: area.maxX - curve, control2Y: area.y,
            toX: area.maxX - radius, y: area.y)
        canvas.closePath()
        canvas.fill(background)
    }

    // MARK: Texts

    /// The text of the attribution, and where it stands: in the lower right corner.
    func attribution() throws(MediaError) -> (text: MapText, box: Rectangle) {
        let (area, em) = (frame.area, image.em)
        let text = try MapText(ground.attribution, size: em * 0.7, within: area.width * 0.6)
        let box = Rectangle(
            x: area.maxX - text.width - em * 0.5, y: area.maxY - text.height - em * 0.35, width: text.width,
            height: text.height)
        return (text, box)
    }

    func drawAttribution() throws(MediaError) {
        let (text, box) = try attribution()
        text.draw(on: canvas, x: box.x, y: box.y, color: color("label"), halo: color("halo"))
    }

    /// A name that may be drawn.
    private struct Candidate {
        var text: String
        var label: Int
        var rank: Int
        /// The middle, and the angle clockwise from the right.
        var x: Double
        var y: Double
        var angle: Double
        /// The length along which it may stand; infinite at a point.
        var room: Double
    }

    /// Draws the names of streets and places where there is room for them beside the marks and their names.
    func drawNames(_ labels: inout MapLabels) throws(MediaError) {
        var shown: [String: [(x: Double, y: Double)]] = [:]
        for candidate in candidates {
            let label = style.labels[candidate.label]
            let size = label.size.value(at: zoom) * pixel
            // The same name stands again only where the first one is out of sight.
            let distance = 22 * size
            if shown[candidate.text]?.contains(where: { hypot($0.x - candidate.x, $0.y - candidate.y) < distance })
                ?? false
            {
                continue
            }
            // Few letters are narrower.
            guard Double(candidate.text.count) * size * 0.3 <= candidate.room else { continue }
            let name = label.isInCapitals ? candidate.text.uppercased() : candidate.text
            let text = try MapText(name, size: size, isBold: label.weight >= 650)
            guard text.width <= candidate.room else { continue }
            let (across, down) = (cos(candidate.angle) * text.width / 2, sin(candidate.angle) * text.width / 2)
            let boxes = Rectangle.along(
                from: (candidate.x - across, candidate.y - down), to: (candidate.x + across, candidate.y + down),
                step: size * 0.8
            ).map { $0.grown(by: size * 0.45) }
            guard labels.take(boxes) else { continue }
            shown[candidate.text, default: []].append((candidate.x, candidate.y))
            canvas.withState {
                canvas.translate(x: candidate.x, y: candidate.y)
                canvas.rotate(by: candidate.angle)
                text.draw(
                    on: canvas, x: -text.width / 2, y: -text.height / 2, color: color(label.color),
                    halo: color("halo"))
            }
        }
    }

    /// All names within the map, the most important ones first.
    private var candidates: [Candidate] {
        var found: [Candidate] = []
        for tile in tiles {
            for layer in tile.content.layers {
                for feature in layer.features {
                    guard let index = style.label(of: feature, in: layer.name) else { continue }
                    let label = style.labels[index]
                    guard label.selection.isShown(at: zoom), let name = name(of: feature, label) else { continue }
                    for part in feature.parts {
                        let place = label.isAlong && feature.kind == .line ? longestRun(part, tile) : point(part, tile)
                        guard let place, feature.kind != .polygon else { continue }
                        found.append(
                            Candidate(
                                text: name, label: index, rank: feature.rank, x: place.x, y: place.y,
                                angle: place.angle, room: place.room))
                    }
                }
            }
        }
        let area = frame.area.grown(by: -image.em)
        return found.filter { area.contains(x: $0.x, y: $0.y) }.sorted {
            ($0.label, $0.rank, -$0.room, $0.y, $0.x, $0.text) < ($1.label, $1.rank, -$1.room, $1.y, $1.x, $1.text)
        }
    }

    /// The name of a feature, in one of the wanted languages unless it stands along a way, where signs have the local one.
    private func name(of feature: MapTile.Feature, _ label: GroundStyle.Label) -> String? {
        let tags = (label.isAlong ? [] : ground.languages.map { "name:\($0)" }) + (label.text ?? ["name"])
        let name = tags.lazy.compactMap { feature.texts[$0] }.first { !$0.isEmpty }
        // OpenStreetMap separates several names by semicolons.
        return name.flatMap { $0.split(separator: ";").first.map { $0.trimmed() } }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private typealias Standing = (x: Double, y: Double, angle: Double, room: Double)

    private func point(_ part: [MapTile.Point], _ tile: PlacedTile) -> Standing? {
        // What is beyond a tile's side belongs to the next one.
        guard let first = part.first, (0..<MapTile.extent).contains(first.x), (0..<MapTile.extent).contains(first.y)
        else { return nil }
        let place = tile.transform(first)
        return (place.x, place.y, 0, .infinity)
    }

    /// The longest stretch of a line that is nearly straight: it turns by at most 20 degrees between its ends.
    private func longestRun(_ part: [MapTile.Point], _ tile: PlacedTile) -> Standing? {
        let points = part.map { tile.transform($0) }
        var best: Standing?
        var start = 0
        func length(_ from: Int, _ to: Int) -> Double {
            hypot(points[to].x - points[from].x, points[to].y - points[from].y)
        }
        func direction(_ from: Int, _ to: Int) -> Double {
            atan2(points[to].y - points[from].y, points[to].x - points[from].x)
        }
        for end in points.indices.dropFirst() {
            while start < end - 1,
                abs(remainder(direction(end - 1, end) - direction(start, start + 1), 2 * .pi)) > .pi / 9
            {
                start += 1
            }
            let room = length(start, end)
            guard room > best?.room ?? 0 else { continue }
            var angle = direction(start, end)
            // Names are read from the left.
            if abs(angle) > .pi / 2 { angle -= angle > 0 ? .pi : -.pi }
            best = (
                (points[start].x + points[end].x) / 2, (points[start].y + points[end].y) / 2, angle, room
            )
        }
        return best
    }
}
