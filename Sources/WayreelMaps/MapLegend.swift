internal import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine

/// The legend of a map: the meaning of its symbols and lines, in rows below it.
struct MapLegend {
    private enum Key {
        case kind(MapSymbol)
        case notFound
        case start
        case route
        case walk
        case unused
        case foundAt
    }

    private struct Entry {
        var key: Key
        var text: MapText
        var width: Double
    }

    private let image: MapImage
    private let rows: [[Entry]]

    init(_ scene: MapScene, _ image: MapImage) throws(MediaError) {
        self.image = image
        let em = image.em
        var rows: [[Entry]] = [[]]
        var used = 0.0
        for (key, name) in Self.keys(scene) {
            let text = try MapText(name, size: em * 0.85)
            let width = Self.symbolWidth(key) * em + em * 0.45 + text.width + em * 1.5
            if used + width > Double(image.size.width) - 2 * em + em * 1.5, !(rows.last ?? []).isEmpty {
                rows.append([])
                used = 0
            }
            rows[rows.count - 1].append(Entry(key: key, text: text, width: width))
            used += width
        }
        self.rows = rows
    }

    static func rowCount(_ scene: MapScene, _ image: MapImage) -> Int {
        (try? MapLegend(scene, image).rows.count) ?? 1
    }

    private static func keys(_ scene: MapScene) -> [(Key, String)] {
        let kinds = Set(scene.places.map(\.kind))
        var keys: [(Key, String)] = MapSymbol.allCases.filter { kinds.contains($0.rawValue) }
            .map { (.kind($0), $0.rawValue) }
        if let found = scene.found, scene.places.contains(where: { found[$0.id] == nil }) {
            keys.append((.notFound, "not found"))
        }
        if scene.sections.contains(where: { $0.start != nil }) { keys.append((.start, "start of the chapter")) }
        if scene.places.contains(where: { $0.number ?? 0 > 1 }) { keys.append((.route, "order of the tour")) }
        if scene.walk != nil { keys.append((.walk, scene.walkLegend)) }
        if !scene.unused.isEmpty { keys.append((.unused, "position not used")) }
        if let found = scene.found, found.values.contains(where: { $0.position != nil }) {
            keys.append((.foundAt, "found from here"))
        }
        return keys
    }

    /// Returns the width of a symbol in font sizes.
    private static func symbolWidth(_ key: Key) -> Double {
        switch key {
        case .kind, .notFound: 1.3
        case .start: 1
        case .route: 2.6
        case .walk: 3.4
        case .foundAt, .unused: 0.7
        }
    }

    /// Draws the rows, beginning at `top`.
    func draw(on canvas: PathCanvas, top: Double) {
        let (em, theme) = (image.em, image.colors)
        for (index, row) in rows.enumerated() {
            let y = top + (Double(index) + 0.5) * em * 1.75
            var x = em
            for entry in row {
                let width = Self.symbolWidth(entry.key) * em
                draw(entry.key, on: canvas, x: x, width: width, y: y)
                entry.text.draw(
                    on: canvas, x: x + width + em * 0.45, y: y - entry.text.height / 2, color: theme.axisText)
                x += entry.width
            }
        }
    }

    private func draw(_ key: Key, on canvas: PathCanvas, x: Double, width: Double, y: Double) {
        let (em, theme) = (image.em, image.colors)
        let marks = MapMarks(image, canvas)
        switch key {
        case .kind(let symbol):
            marks.marker(symbol, x: x + width / 2, y: y, radius: em * 0.65, isFilled: true)
        case .notFound:
            marks.ring(x: x + width / 2, y: y, radius: em * 0.6, color: theme.axisText)
        case .start: marks.flag(x: x + em * 0.25, y: y + em * 0.55, height: em * 1.2)
        case .route: marks.route([(x, y), (x + width, y)])
        case .walk:
            let steps = 12
            let points = (0...steps).map { (x: x + width * Double($0) / Double(steps), y: y) }
            marks.walk(points, shares: (0...steps).map { Double($0) / Double(steps) })
        case .foundAt: marks.foundAt(x: x + width / 2, y: y)
        case .unused: marks.unused(x: x + width / 2, y: y)
        }
    }
}

extension MapScene {
    /// The legend text of the walk, with its start and end if they are known.
    fileprivate var walkLegend: String {
        let times = (walk?.points ?? []).compactMap(\.timestamp)
        guard let first = times.first, let last = times.last else { return "walk" }
        return "walk, \(time(first)) to \(time(last)), \(zoneName)"
    }

    /// Returns the local time on the map's clock: `17:05`.
    func time(_ timestamp: Timestamp) -> String {
        String((clock ?? LocalClock("UTC"))?.time(timestamp).prefix(5) ?? "")
    }

    /// The name of the time zone: `UTC`, `Los Angeles time`.
    fileprivate var zoneName: String {
        guard let zone = clock?.zone, let city = zone.split(separator: "/").last, zone.contains("/") else {
            return clock?.zone ?? "UTC"
        }
        return "\(city.replacing("_", with: " ")) time"
    }
}
