internal import COSM
internal import Glibc
package import WayreelCore
package import WayreelMapFiles

/// A node or an area of an extract with its tags, as a point on a map.
package struct TaggedObject: Sendable {
    /// `node`, `way` or `relation`.
    package var type: String
    package var id: Int64
    /// Degrees north and east: of an area, a point within it.
    package var latitude: Double
    package var longitude: Double
    /// The tags that were asked for.
    package var tags: [(key: String, value: String)]
}

/// A key of tags, or a tag, that selects objects of an extract.
package struct TagSelection: Sendable {
    package var key: String
    /// Nil for all values that no other selection of the key has.
    package var value: String?

    package init(_ key: String, _ value: String? = nil) { (self.key, self.value) = (key, value) }
}

extension GroundExtract {
    /// Reads the nodes and areas that have one of some tags, in the order of the file: nodes, ways and relations.
    ///
    /// They keep the tags with the selected keys and with those of `keeping`. An area is a closed way or a
    /// multipolygon; of several outer rings the largest counts. An area that only touches the box belongs to it.
    ///
    /// Otherwise like ``read(path:box:languages:threads:cancellation:)``. Returns the warnings, too.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package static func readObjects(
        path: String, box: GroundBox? = nil, with selections: [TagSelection], keeping keys: [String],
        threads: Int = 1, cancellation: Cancellation = Cancellation(),
        _ body: (TaggedObject) throws(MediaError) -> Void
    ) throws(MediaError) -> [MediaWarning] {
        let rules =
            selections.map { GroundSchema.Selection(key: $0.key, value: $0.value, kinds: [.point, .polygon]) }
            + keys.map { GroundSchema.Selection(key: $0, value: nil, kinds: []) }
        let extract = try read(
            path: path, box: box, selections: rules, threads: threads, cancellation: cancellation)
        try extract.forEachObject { (object) throws(MediaError) in
            guard let point = object.labelPoint else { return }
            try body(
                TaggedObject(
                    type: object.isRelation ? "relation" : object.kind == .point ? "node" : "way", id: object.id,
                    latitude: point.latitude, longitude: point.longitude,
                    tags: object.tags.map { (rules[$0.selection].key, String(cString: $0.value)) }))
        }
        return extract.warnings
    }

    /// Returns a point within a polygon, for a label: the middle of its widest part at half of its height. The first ring
    /// is the outer one; rings may end with their first point again. Positions are degrees north and east.
    ///
    /// Returns nil if the polygon has no area, or lies near a pole.
    package static func pointWithin(
        _ rings: [[(latitude: Double, longitude: Double)]]
    ) -> (latitude: Double, longitude: Double)? {
        let isOnTiles = rings.allSatisfy { ring in
            // The condition is false for NaN, too.
            ring.allSatisfy { abs($0.latitude) <= GroundBox.maxLatitude && abs($0.longitude) <= 360 }
        }
        guard isOnTiles else { return nil }
        let polygon = rings.map { ring in
            ring.map { Grid.point(longitude: $0.longitude, latitude: $0.latitude) }
        }
        return polygon.innerPoint.map(Grid.position)
    }
}

extension GroundExtract.Object {
    /// The position of a node, or a point within the largest polygon of an area.
    fileprivate var labelPoint: (latitude: Double, longitude: Double)? {
        if kind == .point {
            guard let point = rings.first?.points.first else { return nil }
            return (Double(point.latitude) / 1e7, Double(point.longitude) / 1e7)
        }
        var polygons: [[[GridPoint]]] = []
        for ring in rings {
            let points = ring.points.map { Grid.point($0) }
            if ring.isInner, !polygons.isEmpty {
                polygons[polygons.count - 1].append(points)
            } else {
                polygons.append([points])
            }
        }
        let sizes = polygons.map { $0.first.map { abs($0.doubleArea) } ?? 0 }
        guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { return nil }
        return polygons[largest].innerPoint.map(Grid.position)
    }
}

extension Grid {
    /// The position of a point of the finest grid, in degrees.
    fileprivate static func position(_ point: GridPoint) -> (latitude: Double, longitude: Double) {
        let side = Double(extent) * Double(1 << finestZoom)
        let latitude = atan(sinh(.pi * (1 - 2 * Double(point.y) / side))) * 180 / .pi
        return (latitude, (Double(point.x) / side - 0.5) * 360)
    }
}
