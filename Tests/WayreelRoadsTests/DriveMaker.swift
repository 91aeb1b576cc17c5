import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelGround
import WayreelMapFiles
import WayreelRoads
import WayreelStory

/// Motorways, ramps and main roads of an extract, by the positions of their nodes, from which drives are made. It uses
/// nothing of `RoadGraph`.
struct DriveMap {
    struct Node: Hashable {
        var x: Int32
        var y: Int32

        init(_ longitude: Int32, _ latitude: Int32) { (x, y) = (longitude, latitude) }
        init(_ longitude: Double, _ latitude: Double) {
            (x, y) = (Int32((longitude * 1e7).rounded()), Int32((latitude * 1e7).rounded()))
        }

        var point: GeoPoint { GeoPoint(latitude: Double(y) / 1e7, longitude: Double(x) / 1e7) }
    }

    /// From one node to the next on a way.
    struct Piece {
        var from: Node
        var to: Node
        var way: Int64
        var isRamp: Bool
        var length: Double { from.point.geodesic(to: to.point).distance }
    }

    private(set) var pieces: [Node: [Piece]] = [:]
    /// The value of `ref` by way.
    private(set) var refs: [Int64: String] = [:]

    static let bayreuth = try! DriveMap(Fixture.media("maps/bayreuth-north.osm.pbf"))

    private static let classes = [
        "motorway", "motorway_link", "primary", "primary_link", "secondary", "tertiary",
    ]

    init(_ path: String) throws {
        let selections =
            Self.classes.map { GroundSchema.Selection(key: "highway", value: $0, kinds: .line) }
            + ["ref", "oneway", "junction"].map { GroundSchema.Selection(key: $0, value: nil, kinds: []) }
        let box = try GroundBox(west: -180, south: -85, east: 180, north: 85)
        let extract = try GroundExtract.read(path: path, box: box, selections: selections)
        var (pieces, refs) = (self.pieces, self.refs)
        extract.forEachObject { object in
            guard object.kind == .line else { return }
            var tags: [String: String] = [:]
            for (selection, value) in object.tags { tags[selections[selection].key] = String(cString: value) }
            guard let highway = tags["highway"], Self.classes.contains(highway) else { return }
            refs[object.id] = tags["ref"]
            let isOneWay =
                tags["oneway"] == "yes" || tags["junction"] == "roundabout"
                || highway == "motorway" && tags["oneway"] != "no"
            for line in object.spots {
                for (a, b) in zip(line, line.dropFirst()) {
                    let (from, to) = (Node(a.longitude, a.latitude), Node(b.longitude, b.latitude))
                    let isRamp = highway.hasSuffix("_link")
                    pieces[from, default: []].append(Piece(from: from, to: to, way: object.id, isRamp: isRamp))
                    if !isOneWay {
                        pieces[to, default: []].append(Piece(from: to, to: from, way: object.id, isRamp: isRamp))
                    }
                }
            }
        }
        (self.pieces, self.refs) = (pieces, refs)
    }

    /// The shortest path through nodes, by Dijkstra's algorithm. Nobody leaves a motorway to save some metres: ramps count
    /// twice.
    func path(_ nodes: Node...) throws -> [Piece] {
        try zip(nodes, nodes.dropFirst()).flatMap { from, to in
            var (best, last): ([Node: Double], [Node: Piece]) = ([from: 0], [:])
            var open: Set = [from]
            while let node = open.min(by: { best[$0]! < best[$1]! }), node != to {
                open.remove(node)
                for piece in pieces[node] ?? [] {
                    let total = best[node]! + piece.length * (piece.isRamp ? 2 : 1)
                    guard total < best[piece.to] ?? .infinity else { continue }
                    best[piece.to] = total
                    last[piece.to] = piece
                    open.insert(piece.to)
                }
            }
            var (path, node) = ([Piece](), to)
            while node != from {
                let piece = try #require(last[node], "no path")
                path.insert(piece, at: 0)
                node = piece.from
            }
            return path
        }
    }

    // The ends of the motorways in the extract of Bayreuth, as `osmium cat -f opl` shows them.
    static let a9SouthStart = Node(11.605_583_5, 50.027_137_3)
    static let a9SouthEnd = Node(11.605_694_2, 50.014_430_6)
    static let a9NorthStart = Node(11.605_856_5, 50.014_629_6)
    static let a9NorthEnd = Node(11.607_189_1, 50.032_369)
    static let a70EastStart = Node(11.476_288_2, 50.034_527)
    static let a70EastEnd = Node(11.599_927_1, 50.025_133_3)
    static let a70WestStart = Node(11.596_791_4, 50.026_339_3)
    static let a70WestEnd = Node(11.477_113_7, 50.035_210_8)
    /// Where the extract ends on the ramp from the A 70 to the north, and begins on that from the south to the A 70.
    static let northRampEnd = Node(11.605_674_5, 50.025_224_1)
    static let southRampStart = Node(11.605_746_4, 50.015_551_7)
}

/// A drive along pieces of ways, as a receiver records it.
struct MadeDrive {
    struct Sample {
        var fix: Fix
        /// The ways within 25 metres of the true position, before and behind.
        var ways: Set<Int64>
        /// The way of the true position.
        var way: Int64
        /// The metres driven.
        var along: Double
    }

    private(set) var samples: [Sample] = []
    let length: Double

    static let start = Timestamp(milliseconds: 1_780_000_000_000)

    /// Samples a drive each second. Errors are normal with the deviation `noise`, half of it wandering; `rampSpeed` is that
    /// of ramps. The first fix lies: it is three kilometres away.
    init(
        _ path: [DriveMap.Piece], speed: Double = 33, rampSpeed: Double = 18, noise: Double = 6, seed: UInt64,
        lies: Bool = true
    ) {
        var random = SeededRandom(seed: seed)
        func normal() -> Double {
            let (u, v) = (Double.random(in: 1e-9..<1, using: &random), Double.random(in: 0..<1, using: &random))
            return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
        }
        let starts = path.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.length) }
        length = starts[path.count]
        var (along, time, index) = (0.0, 0.0, 0)
        var drift = (east: 0.0, north: 0.0)
        while along < length {
            while index + 1 < path.count, starts[index + 1] <= along { index += 1 }
            let piece = path[index]
            let line = piece.from.point.geodesic(to: piece.to.point)
            let truth = piece.from.point.moved(by: along - starts[index], bearing: line.bearing)
            drift = (drift.east * 0.9 + normal() * noise * 0.3, drift.north * 0.9 + normal() * noise * 0.3)
            let error = (east: drift.east + normal() * noise * 0.7, north: drift.north + normal() * noise * 0.7)
            let measured = truth.moved(by: error.east, bearing: 90).moved(by: error.north, bearing: 0)
            let near = path.indices.filter { starts[$0] < along + 25 && starts[$0 + 1] > along - 25 }
            samples.append(
                Sample(
                    fix: Fix(measured, timestamp: Self.start.advanced(by: time)),
                    ways: Set(near.map { path[$0].way }), way: piece.way, along: along))
            along += piece.isRamp ? rampSpeed : speed
            time += 1
        }
        if lies { samples[0].fix.position = samples[0].fix.position.moved(by: 3000, bearing: 200) }
    }

    var fixes: [Fix] { samples.map(\.fix) }

    var track: Track {
        Track(segments: [samples.map { Track.Point($0.fix.position, timestamp: $0.fix.timestamp) }])
    }

    /// Removes the samples of some seconds.
    mutating func remove(_ seconds: ClosedRange<Int>) {
        samples.removeAll { seconds.contains(Int($0.fix.timestamp.seconds(since: Self.start))) }
    }

    /// The share of fixes after the third whose match is on the way that was driven.
    func rightShare(_ matches: [RoadMatch]) -> Double {
        let pairs = Array(zip(samples, matches)).dropFirst(3)
        let right = pairs.count { sample, match in match.way.map { sample.ways.contains($0) } ?? false }
        return Double(right) / Double(pairs.count)
    }
}
