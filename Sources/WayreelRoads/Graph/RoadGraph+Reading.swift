public import WayreelCore
internal import WayreelEngine
internal import WayreelGround
public import WayreelMapFiles
internal import WayreelStory

/// The arrays of a graph while it is made.
struct RoadParts {
    var vertices: [RoadGraph.Spot] = []
    var edges: [RoadGraph.Edge] = []
    var points: [RoadGraph.Spot] = []
    var roads: [RoadGraph.Road] = []
    var texts = [""]
    var paces: [RoadGraph.Paces] = []
    var junctions: [UInt32: RoadGraph.Junction] = [:]
    var barriers: Set<UInt32> = []
    var services: [RoadService] = []
}

extension RoadGraph {
    /// Reads the roads and the services of an extract: .osm.pbf, .osm or .osm.gz. Ways are whole, also beyond the box.
    ///
    /// A nil `box` means all of the file, also what lies outside of the box that its header names.
    ///
    /// Throws the errors of `GroundExtract.read`, and a `parameter` error if there are no roads.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public static func read(
        path: String, box: GroundBox? = nil, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> RoadGraph {
        let whole = try GroundBox(
            west: -180, south: -GroundBox.maxLatitude, east: 180, north: GroundBox.maxLatitude)
        let extract = try GroundExtract.read(
            path: path, box: box ?? whole, selections: RoadReading.selections, cancellation: cancellation)
        var reading = RoadReading()
        try extract.forEachObject { (object) throws(MediaError) in
            if cancellation.isCancelled { throw .cancelled(step: .route).naming(path) }
            reading.add(object)
        }
        let parts = reading.parts()
        guard !parts.edges.isEmpty else {
            throw ErrorSite(.parameter, step: .route)(
                of: path, "it has no roads\(box == nil ? "" : " in the box")", "give an extract with highway=* ways")
        }
        do throws(MediaError) { return try RoadGraph(parts, warnings: extract.warnings) } catch {
            throw error.naming(path)
        }
    }
}

/// Collects roads, junctions, barriers and services, and then cuts the roads where they meet.
private struct RoadReading {
    private static let lineValues = RoadClass.allCases.map(\.rawValue) + RoadClass.linked.map { "\($0.rawValue)_link" }
    private static let keptKeys = [
        "name", "ref", "oneway", "oneway:bicycle", "cycleway", "junction", "maxspeed", "access", "vehicle",
        "motor_vehicle", "motorcar", "bicycle", "foot", "motorroad", "destination", "destination:ref", "exit_to",
        "brand",
        "operator", "opening_hours", "phone", "contact:phone",
    ]

    static let selections: [GroundSchema.Selection] =
        lineValues.map { GroundSchema.Selection(key: "highway", value: $0, kinds: .line) }
        + [
            GroundSchema.Selection(key: "highway", value: "motorway_junction", kinds: .point),
            GroundSchema.Selection(key: "barrier", value: nil, kinds: .point),
        ]
        + RoadServiceKind.tags.map {
            GroundSchema.Selection(key: $0.key, value: $0.value, kinds: [.point, .polygon])
        } + keptKeys.map { GroundSchema.Selection(key: $0, value: nil, kinds: []) }

    private var made = RoadParts()
    private var textIndices: [String: UInt32] = [:]
    /// The stretches of each road that the file has, as ranges of `spots`.
    private var stretches: [(road: UInt32, spots: Range<Int>)] = []
    private var spots: [RoadGraph.Spot] = []
    private var junctions: [(spot: RoadGraph.Spot, junction: RoadGraph.Junction)] = []
    private var barriers: [RoadGraph.Spot] = []

    mutating func add(_ object: GroundExtract.Object) {
        var values: [String: String] = [:]
        for (selection, value) in object.tags {
            // Names of 10,000 characters are no names.
            values[Self.selections[selection].key] = String(cString: value).asName(ofAtMost: 255)
        }
        let tags = RoadTags(values)
        if object.kind == .line {
            if let (roadClass, isLink) = tags.roadClass { add(object, tags, roadClass, isLink: isLink) }
            return
        }
        guard let first = object.spots.first?.first else { return }
        if object.kind == .point {
            let spot = RoadGraph.Spot(x: first.longitude, y: first.latitude)
            if tags["highway"] == "motorway_junction" {
                junctions.append(
                    (
                        spot,
                        RoadGraph.Junction(number: tags["ref"], name: tags["name"], exitTo: tags["exit_to"])
                    ))
            } else if let barrier = tags["barrier"], Self.stopsCars(barrier, tags) {
                barriers.append(spot)
            }
        }
        if let service = RoadService(object, tags) { made.services.append(service) }
    }

    private static func stopsCars(_ barrier: String, _ tags: RoadTags) -> Bool {
        let said = tags["motorcar"] ?? tags["motor_vehicle"] ?? tags["vehicle"] ?? tags["access"]
        if let said { return ["no", "private", "agricultural", "forestry"].contains(said) }
        return ["bollard", "block", "cycle_barrier", "motorcycle_barrier", "jersey_barrier", "log", "stile"]
            .contains(barrier)
    }

    private mutating func add(
        _ object: GroundExtract.Object, _ tags: RoadTags, _ roadClass: RoadClass, isLink: Bool
    ) {
        let road = UInt32(self.made.roads.count)
        let made = RoadGraph.Road(
            id: object.id, roadClass: roadClass, isLink: isLink, isRoundabout: tags.isRoundabout,
            access: tags.access(roadClass, isLink: isLink), maxSpeed: tags.maxSpeed, name: text(tags["name"]),
            ref: text(tags["ref"]), destination: text(tags["destination"]),
            destinationRef: text(tags["destination:ref"]))
        self.made.roads.append(made)
        for line in object.spots {
            let start = spots.count
            for point in line {
                let spot = RoadGraph.Spot(x: point.longitude, y: point.latitude)
                if spots.count == start || spots[spots.count - 1] != spot { spots.append(spot) }
            }
            if spots.count - start >= 2 {
                stretches.append((road, start..<spots.count))
            } else {
                spots.removeSubrange(start...)
            }
        }
    }

    private mutating func text(_ value: String?) -> UInt32 {
        guard let value, !value.isEmpty else { return 0 }
        if let known = textIndices[value] { return known }
        let index = UInt32(made.texts.count)
        made.texts.append(value)
        textIndices[value] = index
        return index
    }

    /// Makes vertices of the ends of stretches, of positions that several have, and of nodes with tags of their own.
    func parts() -> RoadParts {
        var made = made
        let special = Set(junctions.map(\.spot)).union(barriers)
        let keys = vertexKeys(special)
        made.vertices = keys.map(Self.spot)
        func vertex(_ spot: RoadGraph.Spot) -> UInt32? {
            let key = Self.key(spot)
            var (low, high) = (0, keys.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[middle] < key { low = middle + 1 } else { high = middle }
            }
            return low < keys.count && keys[low] == key ? UInt32(low) : nil
        }
        // Few combinations of classes and speed limits occur: thousands at most.
        var paceIndices: [RoadGraph.Paces: UInt16] = [:]
        for (road, range) in stretches {
            let (access, ofRoad) = (made.roads[Int(road)].access, made.roads[Int(road)].paces)
            let paces = paceIndices[ofRoad] ?? UInt16(made.paces.count)
            if paceIndices.updateValue(paces, forKey: ofRoad) == nil { made.paces.append(ofRoad) }
            guard var from = vertex(spots[range.lowerBound]) else { continue }
            var first = made.points.count
            var length = 0.0
            made.points.append(spots[range.lowerBound])
            for index in range.dropFirst() {
                let spot = spots[index]
                length += Plane(spots[index - 1]).distance(spots[index - 1], spot)
                made.points.append(spot)
                guard let to = vertex(spot) else { continue }
                made.edges.append(
                    RoadGraph.Edge(
                        from: from, to: to, road: road, firstPoint: UInt32(first), length: Float(length),
                        access: access, paces: paces))
                (from, first, length) = (to, made.points.count, 0)
                // The next edge begins with the same point.
                if index + 1 < range.upperBound { made.points.append(spot) }
            }
        }
        for (spot, junction) in junctions {
            if let vertex = vertex(spot) { made.junctions[vertex] = junction }
        }
        made.barriers = Set(barriers.compactMap(vertex))
        return made
    }

    private func vertexKeys(_ special: Set<RoadGraph.Spot>) -> [UInt64] {
        var keys = spots.map(Self.key)
        // Ends count twice.
        for (_, range) in stretches {
            keys.append(Self.key(spots[range.lowerBound]))
            keys.append(Self.key(spots[range.upperBound - 1]))
        }
        for spot in spots where !special.isEmpty && special.contains(spot) { keys.append(Self.key(spot)) }
        keys.sort()
        var result: [UInt64] = []
        for index in keys.indices.dropFirst() where keys[index] == keys[index - 1] && result.last != keys[index] {
            result.append(keys[index])
        }
        return result
    }

    private static func key(_ spot: RoadGraph.Spot) -> UInt64 {
        UInt64(UInt32(bitPattern: spot.x)) << 32 | UInt64(UInt32(bitPattern: spot.y))
    }

    private static func spot(_ key: UInt64) -> RoadGraph.Spot {
        RoadGraph.Spot(
            x: Int32(bitPattern: UInt32(truncatingIfNeeded: key >> 32)),
            y: Int32(bitPattern: UInt32(truncatingIfNeeded: key)))
    }
}
