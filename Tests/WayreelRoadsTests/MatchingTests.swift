import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelRoads
import WayreelStory

/// Drives along both motorways and through their junction, matched and compared with the ways that they were made from.
@Suite struct MatchingTests {
    private static let roads = try! RoadGraph.read(path: Fixture.media("maps/bayreuth-north.osm.pbf"))
    private static let map = DriveMap.bayreuth

    /// The drives by their names.
    private static let drives: [(name: String, from: DriveMap.Node, to: DriveMap.Node)] = [
        ("A 9 to the south", DriveMap.a9SouthStart, DriveMap.a9SouthEnd),
        ("A 9 to the north", DriveMap.a9NorthStart, DriveMap.a9NorthEnd),
        ("A 70 to the east", DriveMap.a70EastStart, DriveMap.a70EastEnd),
        ("A 70 to the west", DriveMap.a70WestStart, DriveMap.a70WestEnd),
        ("from the A 70 to the south", DriveMap.a70EastStart, DriveMap.a9SouthEnd),
        ("from the A 70 to the north", DriveMap.a70EastStart, DriveMap.northRampEnd),
        ("from the south to the A 70", DriveMap.southRampStart, DriveMap.a70WestEnd),
        ("from the north to the A 70", DriveMap.a9SouthStart, DriveMap.a70WestEnd),
    ]

    @Test(arguments: drives.indices) func fixesAreOnTheRoadThatWasDriven(index: Int) throws {
        let drive = Self.drives[index]
        let path = try Self.map.path(drive.from, drive.to)
        var (right, total) = (0.0, 0.0)
        for (noise, seed) in [(4.0, UInt64(1)), (6, 2), (8, 3), (10, 4)] {
            let made = MadeDrive(path, noise: noise, seed: seed)
            let matches = try RoadMatcher.matches(of: made.track, on: Self.roads)
            #expect(matches.count == made.samples.count)
            #expect(matches[0].unused == .first)
            right += made.rightShare(matches) * Double(made.samples.count - 3)
            total += Double(made.samples.count - 3)
        }
        #expect(right / total >= 0.99, "\(drive.name): \(right) of \(total)")
    }

    @Test(arguments: drives.indices) func atADriveItIsTheSame(index: Int) throws {
        let drive = Self.drives[index]
        let made = MadeDrive(try Self.map.path(drive.from, drive.to), seed: 7)
        var live = RoadLive(Self.roads)
        var settled: [RoadMatch] = []
        var firstAnswer: Double?
        for fix in made.fixes {
            let update = live.add(fix)
            settled += update.settled
            if firstAnswer == nil, let now = update.now, update.ahead != nil {
                firstAnswer = now.timestamp.seconds(since: MadeDrive.start)
            }
        }
        settled += live.finish().settled
        #expect(settled.map(\.timestamp) == made.fixes.map(\.timestamp))
        #expect(made.rightShare(settled) >= 0.97, "\(drive.name): \(made.rightShare(settled))")
        // The first fix lies, and the second and the third tell the direction.
        let answer = try #require(firstAnswer)
        #expect(answer >= 2 && answer <= 15, "\(answer) s")
    }

    @Test func aGapAsInATunnelIsBridged() throws {
        var made = MadeDrive(try Self.map.path(DriveMap.a70EastStart, DriveMap.a9SouthEnd), seed: 11)
        made.remove(80...139)
        let matches = try RoadMatcher.matches(of: made.track, on: Self.roads)
        #expect(made.rightShare(matches) >= 0.99, "\(made.rightShare(matches))")
        // Nothing after the gap is a jump.
        #expect(matches.dropFirst().allSatisfy { $0.unused == nil })
    }

    /// Somebody leaves the A 70 at exit 24 and comes back to it over the main road.
    @Test func aDetourIsFollowed() throws {
        let path = try Self.map.path(DriveMap.a70EastStart, Self.mainRoad, DriveMap.a70EastEnd)
        #expect(path.contains { $0.isRamp })
        let made = MadeDrive(path, seed: 12)
        let matches = try RoadMatcher.matches(of: made.track, on: Self.roads)
        #expect(made.rightShare(matches) >= 0.99, "\(made.rightShare(matches))")
    }

    /// The node 21437855, at which a ramp of exit 24 meets the B 85.
    private static let mainRoad = DriveMap.Node(11.490_758_1, 50.038_171_9)

    @Test func aTurnOnTheRoadIsSeen() throws {
        let there = try Self.map.path(
            DriveMap.Node(11.497_109_5, 50.025_430_2), DriveMap.Node(11.489_591_8, 50.012_772_6))
        let back = there.reversed().map {
            DriveMap.Piece(from: $0.to, to: $0.from, way: $0.way, isRamp: $0.isRamp)
        }
        let made = MadeDrive(there + back, speed: 14, seed: 13)
        let matches = try RoadMatcher.matches(of: made.track, on: Self.roads)
        #expect(made.rightShare(matches) >= 0.99, "\(made.rightShare(matches))")
        // The directions are opposite before and after.
        let length = made.length / 2
        let turned = zip(made.samples, matches).filter { abs($0.0.along - length) > 60 }.dropFirst(5)
        let wrong = turned.count { sample, match in
            guard let bearing = match.bearing else { return true }
            let place = made.samples.firstIndex { $0.fix == sample.fix }!
            let next = min(place + 3, made.samples.count - 1)
            guard next - place == 3 else { return false }
            let course = made.samples[place].fix.position.geodesic(to: made.samples[next].fix.position).bearing
            return abs((bearing - course).asTurn) > 90
        }
        #expect(wrong == 0)
    }

    @Test func jumpsAndWrongTimesAreNotUsed() throws {
        let made = MadeDrive(try Self.map.path(DriveMap.a70EastStart, DriveMap.a70EastEnd), seed: 14)
        var fixes = made.fixes
        fixes[30].position = fixes[30].position.moved(by: 900, bearing: 0)
        fixes[40].timestamp = fixes[39].timestamp
        fixes[50].position = GeoPoint(latitude: .nan, longitude: 11)
        var matcher = RoadMatcher(Self.roads)
        let matches = fixes.flatMap { matcher.add($0) } + matcher.finish()
        #expect(matches.count == fixes.count)
        #expect(matches[30].road == nil && matches[40].unused == .invalid && matches[50].unused == .invalid)
        for index in [29, 31, 39, 41, 49, 51] { #expect(matches[index].road?.ref == "A 70") }
    }

    @Test func aTrackWithoutTimesIsRefused() throws {
        let track = Track(segments: [[Track.Point(DriveMap.a70EastStart.point)]])
        #expect { try RoadMatcher.matches(of: track, on: Self.roads) } throws: { error in
            "\(error)".contains("without a time")
        }
    }

    @Test func aDriveElsewhereIsRefused() throws {
        let point = GeoPoint(latitude: 35, longitude: -120)
        let track = Track(
            segments: [
                (0..<5).map {
                    Track.Point(
                        point.moved(by: Double($0) * 10, bearing: 0),
                        timestamp: MadeDrive.start.advanced(by: Double($0)))
                }
            ])
        #expect { try RoadDrive(track, on: Self.roads) } throws: { error in
            "\(error)".contains("no road of the extract is near")
        }
    }
}
