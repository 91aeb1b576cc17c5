internal import Glibc
internal import WayreelCore
internal import WayreelGround
package import WayreelMapFiles
package import WayreelStory
internal import WayreelStoryMedia

/// The base maps of a story and of its chapters: vector tiles of the surroundings of their events.
extension Planner {
    /// Plans the base map of a chapter; nil for that of the story.
    mutating func planMap(_ file: SourceFile, of chapter: String?) throws(MediaError) {
        guard let use = story.baseMapUses.first(where: { $0.chapter == chapter }) else { return }
        let known: MapFile
        do throws(MediaError) { known = try MapFile(path: file.path) } catch {
            throw error.forgetting(file.path).naming(file.source)
        }
        if let fault = use.map.licenseFault(known) {
            throw MediaError(
                .parameter, step: .ground, subject: file.source, reason: fault.reason, advice: fault.advice)
        }
        let zooms = try GroundTiles.zooms(of: known)
        // Tiles that others made have the names that they have.
        let languages = known.kind == .extract ? mapLanguages : []
        let areas = try Surroundings.boxes(of: use, margin: options.mapMargin, zoom: zooms.lowerBound)
        for box in areas {
            let options = GroundOptions(
                box: box, zooms: zooms, languages: languages, seconds: options.audioLimits.seconds)
            let area = box.squareKilometres
            try add(
                .map, .map(GroundTask(input: file.path, output: "", options: options)),
                [PlannedTask.Output(role: .tile, name: "tiles", type: Self.tileType)],
                PlannedTask.Use(source: file.source, chapter: chapter), file,
                CostModel.Work(name: "map", units: area, outputUnits: area))
        }
        let entry = BundleManifest.Ground.Map(
            source: file.source, minZoom: zooms.lowerBound, maxZoom: zooms.upperBound, bounds: try areas.union,
            attribution: use.map.shownAttribution(known), license: use.map.license ?? OpenStreetMap.license, tiles: [:])
        var ground = ground ?? BundleManifest.Ground()
        if let chapter { ground.chapters[chapter] = entry } else { ground.story = entry }
        self.ground = ground
        mapCredits[file.source] = use.map.credit(known)
    }

    /// The IANA media type of tiles.
    static let tileType = "application/vnd.mapbox-vector-tile"

    /// The languages of the bundle as OpenStreetMap names them.
    private var mapLanguages: [String] {
        var seen: Set<String> = []
        return stories.flatMap(\.mapLanguages).filter { seen.insert($0).inserted }
    }
}

extension Story {
    /// Its language as OpenStreetMap names it: `de` also for `de-AT`.
    package var mapLanguages: [String] {
        guard language != Self.pseudoLanguage else { return [] }
        let primary = String(language.prefix { $0 != "-" })
        return ([language] + (primary == language ? [] : [primary])).filter(GroundTiles.isLanguage)
    }
}

/// What OpenStreetMap asks for wherever its data are shown.
enum OpenStreetMap {
    static let author = "OpenStreetMap contributors"
    static let license = "ODbL 1.0"
}

extension BaseMap {
    /// The line below a map.
    package func shownAttribution(_ file: MapFile) -> String {
        guard let author = author ?? file.attribution else { return license ?? GroundExtract.attribution }
        return license.map { "\(author), \($0)" } ?? author
    }

    /// Who made it, for credits.
    func credit(_ file: MapFile) -> MediaAttribution? {
        let isOpenStreetMap = author == nil && license == nil
        return MediaAttribution(
            author: author ?? file.attribution ?? (isOpenStreetMap ? OpenStreetMap.author : nil),
            license: license ?? (isOpenStreetMap ? OpenStreetMap.license : nil),
            origin: origin ?? (isOpenStreetMap ? GroundExtract.attributionURL : nil))
    }
}

/// The areas that base maps show.
enum Surroundings {
    /// Returns the boxes of a story's places, each with a margin in metres. Chapters that lie apart have boxes of their own,
    /// of which no two have a part of the same tile of `zoom`.
    static func boxes(of use: BaseMapUse, margin: Double, zoom: Int) throws(MediaError) -> [GroundBox] {
        var boxes = try use.chapters.map { (chapter) throws(MediaError) in try box(of: chapter, margin: margin) }
        var first = 0
        while first < boxes.count {
            let other = boxes.indices.dropFirst(first + 1).first { boxes[first].sharesTile(with: boxes[$0], at: zoom) }
            guard let other else {
                first += 1
                continue
            }
            boxes[first] = try boxes[first].union(boxes.remove(at: other))
            // It may share one with an earlier box by now.
            first = 0
        }
        return boxes
    }

    /// The box of a chapter's circles and its start.
    private static func box(of chapter: Chapter, margin: Double) throws(MediaError) -> GroundBox {
        var circles = chapter.events.map { (position: $0.position, radius: $0.activation.radius) }
        if let start = chapter.location { circles.append((start, 0)) }
        var boxes: [GroundBox] = []
        for circle in circles { boxes.append(try box(around: circle.position, radius: circle.radius + margin)) }
        return try boxes.union
    }

    private static func box(around position: GeoPoint, radius: Double) throws(MediaError) -> GroundBox {
        let metresPerDegree = 111_195.0
        let limit = GroundBox.maxLatitude
        guard abs(position.latitude) < limit else {
            throw MediaError(
                .parameter, step: .ground, reason: "there are no maps of places so near to a pole",
                advice: "leave the map out")
        }
        // A map of a point has a side, too.
        let up = max(radius, 1) / metresPerDegree
        let across = up / cos(position.latitude * .pi / 180)
        return try GroundBox(
            west: max(-180, position.longitude - across), south: max(-limit, position.latitude - up),
            east: min(180, position.longitude + across), north: min(limit, position.latitude + up))
    }
}

extension [GroundBox] {
    /// The smallest box around all. There is at least one.
    var union: GroundBox {
        get throws(MediaError) {
            var union = self[0]
            for box in dropFirst() { union = try union.union(box) }
            return union
        }
    }
}

extension GroundBox {
    fileprivate func union(_ other: GroundBox) throws(MediaError) -> GroundBox {
        try GroundBox(
            west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
            north: max(north, other.north))
    }

    fileprivate var squareKilometres: Double {
        let kilometresPerDegree = 111.195
        let height = (north - south) * kilometresPerDegree
        return height * (east - west) * kilometresPerDegree * cos((south + north) / 2 * .pi / 180)
    }
}
