internal import Wayreel
internal import WayreelCore

/// The speed of ways in a lattice of 100,000 junctions, and the memory of its graph.
enum RoadsCost {
    private static let side = 316
    private static let wayCount = 400
    /// Metres between two junctions, and in a degree at 50° N on WGS 84.
    private static let (step, north, east) = (100.0, 111_229.0, 71_696.0)
    private static let classes = ["primary", "secondary", "tertiary", "residential"]

    /// Writes the lattice into a folder.
    static func report(folder: String) throws -> String {
        let path = "\(folder)/lattice.osm"
        var random = SeededGenerator(seed: 1)
        try OutputFile.write(Array(lattice(&random).utf8), to: path)
        let start = Clock.wall
        let roads = try RoadGraph.read(path: path)
        let reading = Clock.wall - start
        let length = Double(side - 1) * step
        func place() -> GeoPoint { point(random.share * length, random.share * length) }
        let times = try (0..<wayCount).map { _ in
            let ends = [place(), place()]
            return try seconds { _ = try roads.way(through: ends, by: .car) }
        }
        let across = try (0..<11).map { _ in
            try seconds { _ = try roads.way(through: [point(10, 10), point(length - 10, length - 10)], by: .car) }
        }
        let milliseconds = { (seconds: Double) in "\((seconds * 1000).formatted(1)) ms" }
        return """
            ### Ways: a lattice of \(roads.vertexCount.grouped) junctions and \(roads.edgeCount.grouped) streets of four classes

            \(table([
                ["", "takes"], ["a way between random places, median", milliseconds(percentile(50, of: times))],
                ["99 %", milliseconds(percentile(99, of: times))],
                ["from corner to corner, median", milliseconds(median(across))],
                ["reading the extract, as XML", milliseconds(reading)],
                ["memory of the graph", "\((Double(roads.bytes) / 1e6).formatted(1)) MB"],
            ]))

            Ways by car with their turns, \(wayCount) of them. Times are of one thread's processor time, that of reading of wall time.

            """
    }

    private static func point(_ x: Double, _ y: Double) -> GeoPoint {
        GeoPoint(latitude: 50 + y / north, longitude: 11 + x / east)
    }

    private static func lattice(_ random: inout SeededGenerator) -> String {
        var text = "<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n"
        for index in 0..<side * side {
            let place = point(Double(index % side) * step, Double(index / side) * step)
            text +=
                "<node id=\"\(index + 1)\" version=\"1\" lat=\"\(place.latitude.formatted(7))\" lon=\"\(place.longitude.formatted(7))\"/>\n"
        }
        var way = 0
        for index in 0..<side * side {
            let (right, up) = (index % side + 1 < side, index / side + 1 < side)
            for other in (right ? [index + 1] : []) + (up ? [index + side] : []) {
                way += 1
                let highway = classes[Int(random.next() % 4)]
                text +=
                    "<way id=\"\(way)\" version=\"1\"><nd ref=\"\(index + 1)\"/><nd ref=\"\(other + 1)\"/><tag k=\"highway\" v=\"\(highway)\"/></way>\n"
            }
        }
        return text + "</osm>\n"
    }
}

extension SeededGenerator {
    /// A number from 0 to 1.
    fileprivate var share: Double {
        mutating get { Double(next() >> 11) / Double(1 << 53) }
    }
}
