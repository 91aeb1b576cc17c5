internal import Glibc
internal import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine
internal import WayreelStory

/// Draws a map: ground, circles, route, walk, markers, names, scale bar, title and legend.
struct MapPainter {
    private let scene: MapScene
    private let image: MapImage
    private let frame: MapFrame
    private let canvas: PathCanvas
    private let marks: MapMarks
    /// The walk in pixels, one line per segment, without points that are less than a third of a pixel from the
    /// previous one.
    private let walk: [[Step]]
    /// The marker position of each place in pixels: at the place, or beside it if another marker is already there.
    private let markers: [(x: Double, y: Double)]

    private struct Step {
        var x: Double
        var y: Double
        /// The share of the walk's time: 0 at its start, 1 at its end.
        var share: Double
    }

    private var em: Double { image.em }
    private var theme: ChartTheme { image.colors }
    private var markerRadius: Double { em * 0.85 }

    init(_ scene: MapScene, _ image: MapImage, _ frame: MapFrame, _ canvas: PathCanvas) {
        self.scene = scene
        self.image = image
        self.frame = frame
        self.canvas = canvas
        marks = MapMarks(image, canvas)
        walk = scene.walk.map { Self.steps(of: $0, frame) } ?? []
        markers = Self.separated(
            scene.places.map { frame.pixel($0.mark) }, distance: 2.3 * 0.85 * image.em,
            within: frame.area.grown(by: -1.5 * image.em))
    }

    /// Moves each point that is nearer than `distance` to a previous one to the nearest free position around it in the
    /// map's area.
    private static func separated(
        _ points: [(x: Double, y: Double)], distance: Double, within area: Rectangle
    ) -> [(x: Double, y: Double)] {
        var placed: [(x: Double, y: Double)] = []
        var grid = MapGrid(cell: distance)
        for point in points {
            let isFree = { (p: (x: Double, y: Double)) in !grid.isNear(x: p.x, y: p.y, distance: distance * 0.999) }
            let about = (1...6).lazy.flatMap { ring in
                (0..<16).map { step in
                    let angle = Double(step) * .pi / 8
                    let radius = distance * Double(ring) * 0.75
                    return (x: point.x + radius * cos(angle), y: point.y + radius * sin(angle))
                }
            }
            let place = isFree(point) ? point : about.first { area.contains(x: $0.x, y: $0.y) && isFree($0) } ?? point
            grid.insert(x: place.x, y: place.y)
            placed.append(place)
        }
        return placed
    }

    func paint() throws(MediaError) {
        let base = try scene.ground.map { (ground) throws(MediaError) in
            try GroundPainter(ground, image, frame, canvas)
        }
        if let base { base.paint(background: theme.background) } else { drawGround() }
        try drawPlans()
        for place in scene.places { drawCircle(place) }
        for route in routes { marks.route(route) }
        drawWalk()
        drawFoundMarks()
        drawMarkers()
        drawStarts()
        drawWalkEnds()
        try drawBadges()
        var obstacles = try drawScaleAndNorth()
        if let base { obstacles.append(try base.attribution().box) }
        var labels = MapLabels(in: frame.area, em: em, avoiding: obstacles + markAreas, lines: linePoints)
        let omitted = try drawNames(&labels)
        try base?.drawNames(&labels)
        try base?.drawAttribution()
        try drawHead(omitted: omitted)
        try MapLegend(scene, image).draw(on: canvas, top: frame.area.maxY + em * 0.45)
    }

    // MARK: Ground

    private func drawGround() {
        canvas.rectangle(Rectangle(x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height)))
        canvas.fill(theme.background)
        canvas.rectangle(frame.area, radius: em * 0.5)
        canvas.fill(image.ground)
        // A grid of crosses at the distance of the scale bar's length, as a reference for distances anywhere on the
        // map.
        let step = bar(.metres).pixels / frame.scale
        let (across, down) = (
            Int(frame.area.width / 2 / frame.scale / step), Int(frame.area.height / 2 / frame.scale / step)
        )
        guard (0...200).contains(across), (0...200).contains(down) else { return }
        let arm = em * 0.22
        for column in -across...across {
            for row in -down...down {
                let (x, y) = frame.pixel(east: Double(column) * step, north: Double(row) * step)
                guard frame.area.grown(by: -arm).contains(x: x, y: y) else { continue }
                canvas.move(toX: x - arm, y: y)
                canvas.line(toX: x + arm, y: y)
                canvas.move(toX: x, y: y - arm)
                canvas.line(toX: x, y: y + arm)
            }
        }
        canvas.stroke(theme.grid.mixed(with: theme.axis, share: 0.35), width: 1)
    }

    /// Draws floor plans on white paper, as they are drawn by their authors.
    private func drawPlans() throws(MediaError) {
        for plan in scene.plans {
            let corners = plan.corners.map { frame.pixel($0) }
            let (corner, right, down) = (corners[0], corners[1], corners[2])
            canvas.move(toX: corner.x, y: corner.y)
            for end in [right, corners[3], down] { canvas.line(toX: end.x, y: end.y) }
            canvas.closePath()
            canvas.fill(.white)
            try canvas.draw(
                png: plan.picture, corner: corner, right: (right.x - corner.x, right.y - corner.y),
                down: (down.x - corner.x, down.y - corner.y))
        }
    }

    private func bar(_ unit: ScaleBar.Unit) -> ScaleBar {
        ScaleBar(unit, scale: frame.scale, width: min(frame.area.width * 0.22, em * 11))
    }

    // MARK: Marks

    private func drawCircle(_ place: MapScene.Place) {
        let (x, y) = frame.pixel(place.position)
        let color = MapSymbol(rawValue: place.kind)?.color(theme) ?? theme.muted
        canvas.circle(centerX: x, centerY: y, radius: place.radius * frame.scale)
        canvas.fill(color.withAlpha(image.theme == .dark ? 0.16 : 0.12), keepingPath: true)
        canvas.stroke(color.withAlpha(0.6), width: max(1, em * 0.08))
    }

    /// The lines through the events of each tour, from the start of its chapter.
    private var routes: [[(x: Double, y: Double)]] {
        scene.sections.filter { $0.places.contains { $0.number != nil } }.map { section in
            ([section.start].compactMap(\.self) + section.places.map(\.mark)).map(frame.pixel)
        }
    }

    private func drawWalk() {
        for position in scene.unused {
            let point = frame.pixel(position)
            if frame.area.contains(x: point.x, y: point.y) { marks.unused(x: point.x, y: point.y) }
        }
        for (segment, next) in zip(walk, walk.dropFirst()) {
            if let end = segment.last, let start = next.first {
                marks.gap(from: (end.x, end.y), to: (start.x, start.y))
            }
        }
        for segment in walk where segment.count > 1 {
            marks.walk(segment.map { ($0.x, $0.y) }, shares: segment.map(\.share))
        }
    }

    /// Draws the ends of the walk at the first and the last point that no marker covers.
    private func drawWalkEnds() {
        let isFree = { (step: Step) in
            !markers.contains { hypot($0.x - step.x, $0.y - step.y) < markerRadius + em * 0.35 }
        }
        let steps = walk.joined()
        if let end = steps.last(where: isFree) { marks.walkEnd(x: end.x, y: end.y) }
        if let start = steps.first(where: isFree) { marks.walkStart(x: start.x, y: start.y) }
    }

    private func drawMarkers() {
        for (place, marker) in zip(scene.places, markers) {
            let point = frame.pixel(place.position)
            if hypot(point.x - marker.x, point.y - marker.y) > 1 {
                canvas.move(toX: point.x, y: point.y)
                canvas.line(toX: marker.x, y: marker.y)
                canvas.stroke(MapSymbol(rawValue: place.kind)?.color(theme) ?? theme.muted, width: max(1, em * 0.1))
            }
        }
        for (place, marker) in zip(scene.places, markers) {
            let isFound = scene.found.map { $0[place.id] != nil } ?? true
            marks.marker(
                MapSymbol(rawValue: place.kind), x: marker.x, y: marker.y, radius: markerRadius, isFilled: isFound)
        }
    }

    private func drawFoundMarks() {
        for place in scene.places {
            guard let position = scene.found?[place.id]?.position else { continue }
            let (from, to) = (frame.pixel(position), frame.pixel(place.position))
            canvas.move(toX: from.x, y: from.y)
            canvas.line(toX: to.x, y: to.y)
            canvas.stroke(theme.text.withAlpha(0.55), width: max(1, em * 0.08))
            marks.foundAt(x: from.x, y: from.y)
        }
    }

    private func drawStarts() {
        for (x, y) in flags { marks.flag(x: x, y: y, height: em * 1.7) }
    }

    /// The positions of the chapters' flags: at the upper edge of a marker if there is one.
    private var flags: [(x: Double, y: Double)] {
        scene.sections.compactMap(\.start).map { start in
            let (x, y) = frame.pixel(start)
            let marker = markers.first { hypot($0.x - x, $0.y - y) < markerRadius }
            return marker.map { ($0.x + markerRadius * 0.35, $0.y - markerRadius * 0.7) } ?? (x, y)
        }
    }

    private func drawBadges() throws(MediaError) {
        for (place, (x, y)) in zip(scene.places, markers) {
            guard let number = place.number else { continue }
            marks.badge(
                try MapText(String(number), size: em * 0.68, isBold: true), x: x - markerRadius,
                y: y - markerRadius * 0.85)
        }
    }

    // MARK: Texts

    /// Draws the scale bar and the north arrow, and returns the areas that they cover.
    private func drawScaleAndNorth() throws(MediaError) -> [Rectangle] {
        let area = frame.area
        let letter = try MapText("N", size: em * 0.8, isBold: true)
        marks.north(letter, x: area.maxX - em * 0.7, y: area.y + em * 0.6)
        var covered = [Rectangle(x: area.maxX - em * 2, y: area.y, width: em * 2, height: em * 3.4)]
        var y = area.maxY - em * 0.95
        for unit in image.showsFeet ? [ScaleBar.Unit.feet, .metres] : [.metres] {
            let bar = bar(unit)
            let label = try MapText(bar.label, size: em * 0.8)
            marks.scaleBar(bar, label, x: area.x + em * 0.8, y: y)
            covered.append(
                Rectangle(
                    x: area.x, y: y - em * 1.2, width: max(bar.pixels, label.width) + em * 1.2, height: em * 2.2))
            y -= em * 1.75
        }
        return covered
    }

    /// The areas of marks that names must not cover.
    private var markAreas: [Rectangle] {
        let boxes = zip(scene.places, markers).map { place, marker in
            let (x, y) = marker
            let extent = markerRadius + (place.number == nil ? 0 : em * 0.6)
            return Rectangle(x: x - extent, y: y - extent, width: extent + markerRadius, height: extent + markerRadius)
        }
        let flags = flags.map { x, y in Rectangle(x: x - em * 0.2, y: y - em * 1.7, width: em * 1.3, height: em * 1.8) }
        let diamonds = scene.places.compactMap { scene.found?[$0.id]?.position }.map { position in
            let (x, y) = frame.pixel(position)
            return Rectangle(x: x, y: y, width: 0, height: 0).grown(by: em * 0.35)
        }
        let stems = zip(scene.places, markers).flatMap { place, marker in
            Rectangle.along(from: frame.pixel(place.position), to: marker, step: em * 0.4)
        }
        return boxes + flags + diamonds + stems
    }

    /// Draws the names, and returns the number of names that found no position.
    private func drawNames(_ labels: inout MapLabels) throws(MediaError) -> Int {
        var omitted = 0
        // From top to bottom, so that the names of one region are placed together.
        let ordered = zip(scene.places, markers).sorted { $0.1.y < $1.1.y }
        for (place, (x, y)) in ordered {
            let measured = try MapText(balanced: place.name, size: em * 0.88, isBold: true, width: em * 13)
            let time = try scene.found?[place.id].map { (finding) throws(MediaError) in
                try MapText("found \(scene.time(finding.timestamp))", size: em * 0.8)
            }
            let size = (width: max(measured.width, time?.width ?? 0), height: measured.height + (time?.height ?? 0))
            guard
                let position = labels.place(
                    width: size.width, height: size.height, x: x, y: y,
                    radius: markerRadius + (place.number == nil ? 0 : em * 0.3))
            else {
                omitted += 1
                continue
            }
            if position.isRemote { drawLeader(to: position.box, x: x, y: y) }
            try drawName(place.name, time, in: position.box, towards: x)
        }
        return omitted
    }

    /// Draws a name, and the time below it, aligned to the side of `box` that is nearest to a marker at `x`.
    private func drawName(
        _ text: String, _ time: MapText?, in box: Rectangle, towards x: Double
    ) throws(MediaError) {
        let share = abs(box.midX - x) < em ? 0.5 : box.midX < x ? 1 : 0
        let indent = { (text: MapText) in box.x + (box.width - text.width) * share }
        let name = try MapText(
            balanced: text, size: em * 0.88, isBold: true, width: em * 13,
            alignment: share == 0.5 ? .center : share == 1 ? .right : .left)
        name.draw(on: canvas, x: indent(name), y: box.y, color: theme.text, halo: image.ground)
        time?.draw(
            on: canvas, x: time.map(indent) ?? 0, y: box.y + name.height, color: theme.axisText, halo: image.ground)
    }

    private func drawLeader(to box: Rectangle, x: Double, y: Double) {
        let end = (x: min(max(x, box.x), box.maxX), y: min(max(y, box.y), box.maxY))
        let length = hypot(end.x - x, end.y - y)
        guard length > markerRadius else { return }
        canvas.move(toX: x + (end.x - x) * markerRadius / length, y: y + (end.y - y) * markerRadius / length)
        canvas.line(toX: end.x, y: end.y)
        canvas.stroke(theme.axis, width: max(1, em * 0.08))
    }

    /// Points along the walk and the routes, spaced about as far apart as letters are wide.
    private var linePoints: [(x: Double, y: Double)] {
        var points: [(x: Double, y: Double)] = []
        func add(_ line: [(x: Double, y: Double)]) {
            for (a, b) in zip(line, line.dropFirst()) where points.count < 20_000 {
                let count = min(200, max(1, Int(hypot(b.x - a.x, b.y - a.y) / (em * 0.5))))
                for step in 0..<count {
                    let share = Double(step) / Double(count)
                    points.append((a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share))
                }
            }
        }
        for segment in walk { add(segment.map { ($0.x, $0.y) }) }
        for route in routes { add(route) }
        return points
    }

    private func drawHead(omitted: Int) throws(MediaError) {
        let isOne = scene.sections.count == 1
        let title = isOne ? scene.sections[0].name : scene.title
        let width = Double(image.size.width) - 2 * em
        let head = try MapText(title, size: em * 1.5, isBold: true, within: width)
        head.draw(on: canvas, x: em, y: em * 0.75, color: theme.text)
        var line = try MapText(" ", size: em * 0.9)
        for facts in scene.facts(omitted: omitted) {
            let text = facts.joined(separator: " · ")
            line = try MapText(text, size: em * 0.9)
            if line.width <= width, text.count <= MapText.maxCharacters { break }
        }
        line.draw(on: canvas, x: em, y: em * 2.75, color: theme.axisText)
    }

    // MARK: Walk

    private static func steps(of track: Track, _ frame: MapFrame) -> [[Step]] {
        let times = track.points.compactMap { $0.timestamp?.milliseconds }
        let (first, last) = (times.min() ?? 0, times.max() ?? 0)
        let total = Double(track.points.count)
        var index = 0.0
        var share = 0.0
        return track.segments.map { segment in
            var steps: [Step] = []
            for (position, point) in segment.enumerated() {
                if last > first, let time = point.timestamp?.milliseconds {
                    share = Double(time - first) / Double(last - first)
                } else if last <= first {
                    share = index / max(1, total - 1)
                }
                index += 1
                let (x, y) = frame.pixel(point.position)
                let isLast = position == segment.count - 1
                if let previous = steps.last, !isLast, hypot(previous.x - x, previous.y - y) < 1.0 / 3 { continue }
                steps.append(Step(x: x, y: y, share: share))
            }
            return steps
        }
    }
}

extension MapScene {
    /// What the map shows below the title, from the longest version to the shortest, the last of which fits any map.
    fileprivate func facts(omitted: Int) -> [[String]] {
        let count = places.count
        var other: [String] = []
        if sections.count > 1 { other = ["\(sections.count) chapters"] }
        if sections.count == 1, !title.isEmpty, title != sections[0].name { other = [title] }
        let events = [count.counted("event")]
        let finds = found.map { found in ["\(places.count { found[$0.id] != nil }) found"] } ?? []
        let (long, short) =
            omitted > 0 ? (["\(omitted) without room for their names"], ["\(omitted) unnamed"]) : ([], [])
        return [
            other + events + finds + long, events + finds + long, events + finds + short, events + short,
            omitted > 0 ? short : events,
        ]
    }
}
