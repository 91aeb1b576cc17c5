import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

/// Every rule of the fences, on tracks designed to violate it. Fixes are placed by GeographicLib at known distances
/// from the event.
@Suite struct FenceTests {
    @Test func aWalkThroughACircle() throws {
        var walk = try PlayedWalk(radius: 20)
        walk.walk(from: -150, to: 150)
        #expect(walk.story() == ["near", "entered", "found", "show", "left"])
        #expect(walk.outcomes.map(\.name).suffix(3) == ["chapter-done", "story-done", "left"])
        let entered = try #require(walk.first("found")?.place)
        // The second fix inside, at most two steps of 1.4 m from the circle.
        let distance = entered.geodesic(to: walk.origin).distance
        #expect((17.1...20).contains(distance))
    }

    @Test func theFirstFixIsNotTrusted() throws {
        var rules = FenceRules()
        rules.confirmations = 1
        var walk = try PlayedWalk(rules: rules)
        walk.fix(0)
        #expect(walk.story().isEmpty)
        #expect(walk.explanation.decisions.last?.verdict == .distrusted)
        walk.fix(0)
        #expect(walk.found == ["here"])
        rules.distrustedFixes = 0
        var trusting = try PlayedWalk(rules: rules)
        trusting.fix(0)
        #expect(trusting.found == ["here"])
    }

    @Test(arguments: [(100.0, true), (100.5, false)])
    func poorFixesAreNotUsed(accuracy: Double, isUsed: Bool) throws {
        var walk = try PlayedWalk()
        walk.fix(0)
        for _ in 0..<5 { walk.fix(0, accuracy: accuracy) }
        #expect(walk.found.isEmpty == !isUsed)
        #expect(walk.explanation.decisions.last?.verdict.isUsed == isUsed)
    }

    @Test(arguments: [
        ([false, true, false, false], false), ([false, true, true, false], true), ([true, false, true, false], true),
        ([true, false, false, true], false),
    ])
    func twoOfThreeFixesConfirm(isInside: [Bool], isFound: Bool) throws {
        var walk = try PlayedWalk()
        for _ in 0..<3 { walk.fix(-34) }
        // Moving 20 m back and forth every second does not count as a way between the fixes.
        for inside in isInside { walk.fix(inside ? -14 : -34) }
        #expect(walk.found.isEmpty == !isFound)
    }

    @Test func aFixFarAwayThatClaimsToBeGoodIsAJump() throws {
        var walk = try PlayedWalk()
        for _ in 0..<5 { walk.fix(-200, accuracy: 5) }
        for _ in 0..<3 {
            walk.fix(0, accuracy: 1.9)
            let verdict = try #require(walk.explanation.decisions.last?.verdict)
            // 200 m minus the accuracies, in a second.
            guard case .jump(let speed) = verdict else {
                Issue.record("\(verdict)")
                return
            }
            #expect(abs(speed - 193.1) < 0.5)
            walk.fix(-200, accuracy: 5)
        }
        #expect(walk.story().isEmpty)
    }

    @Test func threeFixesThatAgreeAreBelieved() throws {
        var walk = try PlayedWalk()
        for _ in 0..<3 { walk.fix(-500, accuracy: 5) }
        walk.fix(0, accuracy: 5)
        walk.fix(2, accuracy: 5)
        #expect(walk.explanation.decisions.last?.verdict.isUsed == false)
        walk.fix(4, accuracy: 5)
        #expect(walk.explanation.decisions.last?.verdict == .used(path: false))
        walk.fix(5, accuracy: 5)
        #expect(walk.found == ["here"])
    }

    @Test func aCarIsNoJump() throws {
        var walk = try PlayedWalk(radius: 25)
        var (place, speed) = (-1500.0, 0.0)
        while place < 300 {
            walk.fix(place, accuracy: 5)
            speed = min(speed + 3, 33)
            place += speed
        }
        let unused = walk.explanation.decisions.dropFirst().filter { !$0.verdict.isUsed }
        #expect(unused.isEmpty)
        #expect(walk.found == ["here"])
    }

    @Test func aMeasuredSpeedIsKeptUpWith() throws {
        var walk = try PlayedWalk(radius: 60)
        walk.fix(-2000, accuracy: 5)
        for place in stride(from: -1900.0, through: 200, by: 50) { walk.fix(place, accuracy: 5, speed: 50) }
        let unused = walk.explanation.decisions.dropFirst().filter { !$0.verdict.isUsed }
        #expect(unused.isEmpty)
        #expect(walk.found == ["here"])
    }

    /// A player stands 60 m from the event, and one fix in 20 is 50 to 120 m off and claims to be accurate.
    @Test(arguments: [1.0, 5, 10], [1, 2, 3] as [UInt64]) func outliersDoNotFire(pause: Double, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var walk = try PlayedWalk(radius: 15)
        for _ in 0..<2000 {
            let isOutlier = Int.random(in: 0..<20, using: &random) == 0
            let reach = Double.random(in: isOutlier ? 50...120 : 0...8, using: &random)
            let place = PlayedWalk.point(-60, 0).moved(by: reach, bearing: .random(in: 0...360, using: &random))
            walk.seconds += pause
            walk.play(.fix(Fix(place, accuracy: 4, timestamp: walk.now)))
        }
        #expect(walk.found.isEmpty)
    }

    // MARK: Between fixes

    @Test(arguments: [(0.0, true), (9.9, true), (10.1, false)])
    func aSparseTrackSkipsNothing(north: Double, isFound: Bool) throws {
        var walk = try PlayedWalk(radius: 10)
        for east in stride(from: -350.0, through: 350, by: 100) { walk.fix(east, north, accuracy: 5, after: 60) }
        #expect(walk.found.isEmpty == !isFound)
        let closest = try #require(walk.explanation.decisions.map(\.closest).min())
        #expect(abs(closest - north) < 0.01)
        guard isFound else { return }
        #expect(walk.story() == ["near", "entered", "found", "show", "left"])
        let place = try #require(walk.first("found")?.place)
        #expect(abs(place.geodesic(to: walk.origin).distance - north) < 0.01)
    }

    @Test func aSingleFixInsideOfASparseTrackIsConfirmedByTheWayOn() throws {
        var walk = try PlayedWalk(radius: 10)
        for east in stride(from: -300.0, through: 300, by: 100) { walk.fix(east, accuracy: 5, after: 60) }
        #expect(walk.found == ["here"])
    }

    @Test func nobodyKnowsTheWayThroughALongGap() throws {
        for (pause, isFound) in [(119.0, true), (121.0, false)] {
            var walk = try PlayedWalk(radius: 10)
            for east in stride(from: -350.0, through: 350, by: 100) { walk.fix(east, accuracy: 5, after: pause) }
            #expect(walk.found.isEmpty == !isFound)
        }
        var lost = try PlayedWalk(radius: 10)
        for east in [-250.0, -150, -50] { lost.fix(east, accuracy: 5, after: 60) }
        lost.play(.signalLost(lost.now))
        for east in [50.0, 150, 250] { lost.fix(east, accuracy: 5, after: 60) }
        #expect(lost.found.isEmpty)
    }

    @Test func aJumpToAndFroIsNoWay() throws {
        var walk = try PlayedWalk(radius: 10)
        for _ in 0..<5 { walk.fix(-20) }
        for _ in 0..<5 {
            // Within the range of two accuracies of 15 m, so that the fix is used.
            walk.fix(20)
            for _ in 0..<5 { walk.fix(-20) }
        }
        let unused = walk.explanation.decisions.dropFirst().filter { !$0.verdict.isUsed }
        #expect(unused.isEmpty)
        #expect(walk.found.isEmpty)
    }

    // MARK: Leaving

    @Test(arguments: [(100.0, 120.0), (300, 330)])
    func isLeftWellBeyondTheCircleOnly(radius: Double, exit: Double) throws {
        var walk = try PlayedWalk(radius: radius, trigger: .exit)
        for _ in 0..<4 { walk.fix(radius - 10, accuracy: 10) }
        #expect(walk.story() == ["near", "entered"])
        for _ in 0..<10 { walk.fix(exit + 9.9, accuracy: 10) }
        #expect(walk.found.isEmpty)
        walk.fix(exit + 10.1, accuracy: 10)
        #expect(walk.found.isEmpty)
        walk.fix(exit + 10.1, accuracy: 10)
        #expect(walk.story() == ["near", "entered", "left", "found", "show"])
    }

    @Test func aPoorAccuracyDoesNotHoldAnExitBackForEver() throws {
        var walk = try PlayedWalk(radius: 20, trigger: .exit)
        for _ in 0..<4 { walk.fix(0) }
        // Beyond 20 + 20 + 30, but not beyond 20 + 20 + 80.
        for _ in 0..<3 { walk.fix(75, accuracy: 80, after: 5) }
        #expect(walk.found == ["here"])
    }

    @Test func oneFixBeyondIsNotLeft() throws {
        var walk = try PlayedWalk(radius: 20, trigger: .exit)
        for _ in 0..<4 { walk.fix(0, accuracy: 5) }
        for _ in 0..<5 {
            walk.fix(48, accuracy: 5, after: 3)
            for _ in 0..<4 { walk.fix(0, accuracy: 5, after: 3) }
        }
        #expect(!walk.story().contains("left"))
    }

    // MARK: Staying

    @Test func staysOnlyWhoStays() throws {
        var walk = try PlayedWalk(radius: 20, trigger: .dwell, dwell: 30)
        // 40 m at 2 m/s take 20 s.
        walk.walk(from: -120, to: 120, speed: 2)
        #expect(walk.found.isEmpty)
        walk.walk(from: 120, to: 0, speed: 2)
        for _ in 0..<19 { walk.fix(0) }
        #expect(walk.found.isEmpty)
        for _ in 0..<2 { walk.fix(0) }
        #expect(walk.story().filter { $0 == "dwelt" } == ["dwelt"])
        #expect(walk.found == ["here"])
    }

    @Test func staysAlsoByTheClock() throws {
        var walk = try PlayedWalk(radius: 20, trigger: .dwell, dwell: 60)
        for _ in 0..<5 { walk.fix(0) }
        walk.clock(after: 50)
        #expect(walk.found.isEmpty)
        walk.clock(after: 10)
        #expect(walk.found == ["here"])

        var gone = try PlayedWalk(radius: 20, trigger: .dwell, dwell: 60)
        for _ in 0..<5 { gone.fix(0) }
        // After such a long time without a fix, the player's position is unknown.
        gone.clock(after: 901)
        #expect(gone.found.isEmpty)
    }

    /// 39 s of fixes from the second one on, then none for so long.
    @Test(arguments: [(30.0, true, 68.0), (121, false, 159), (900, true, 938)])
    func aStayGoesOnWithoutFixes(gap: Double, isLost: Bool, seconds: Double) throws {
        var walk = try PlayedWalk(radius: 20, trigger: .dwell, dwell: 60)
        for _ in 0..<40 { walk.fix(0) }
        if isLost { walk.play(.signalLost(walk.now)) }
        walk.fix(0, after: gap)
        #expect(walk.first("dwelt")?.kind == .dwelt(event: "here", seconds: seconds))
        #expect(walk.found == ["here"])
    }

    @Test func aStayBeginsAnewAfterALongerTime() throws {
        var walk = try PlayedWalk(radius: 20, trigger: .dwell, dwell: 60)
        for _ in 0..<40 { walk.fix(0) }
        walk.fix(0, after: 901)
        for _ in 0..<59 { walk.fix(0) }
        #expect(walk.found.isEmpty)
        walk.fix(0)
        #expect(walk.found == ["here"])
    }

    @Test func theWayThroughASparseTrackIsAStay() throws {
        // 40 m of the way at 1 m/s.
        for (dwell, isFound) in [(39.0, true), (41.0, false)] {
            var walk = try PlayedWalk(radius: 20, trigger: .dwell, dwell: dwell)
            for east in stride(from: -270.0, through: 270, by: 60) { walk.fix(east, accuracy: 5, after: 60) }
            #expect(walk.found.isEmpty == !isFound)
        }
    }

    // MARK: Time

    @Test func timesThatGoBackwards() throws {
        var walk = try PlayedWalk()
        for _ in 0..<3 { walk.fix(-100) }
        walk.fix(0, after: -10)
        #expect(walk.explanation.decisions.last?.verdict == .backwards)
        walk.fix(0, after: 0)
        walk.fix(-100, after: 15)
        #expect(walk.found.isEmpty)
        // A clock that was set back by an hour.
        walk.seconds -= 3600
        for _ in 0..<5 { walk.fix(0) }
        #expect(walk.found == ["here"])
    }

    @Test func valuesThatAreNone() throws {
        var walk = try PlayedWalk()
        for _ in 0..<3 { walk.fix(-100) }
        let before = walk.state
        for position in [
            GeoPoint(latitude: .nan, longitude: 0), GeoPoint(latitude: 91, longitude: 0),
            GeoPoint(latitude: 0, longitude: .infinity),
        ] {
            #expect(walk.play(.fix(Fix(position, timestamp: walk.now.advanced(by: 1)))).isEmpty)
        }
        let here = walk.origin
        walk.play(.fix(Fix(here, accuracy: -1, timestamp: walk.now.advanced(by: 1))))
        walk.play(.fix(Fix(here, timestamp: Timestamp(milliseconds: .max))))
        #expect(walk.state == before)
    }

    // MARK: The Earth

    @Test(arguments: [
        GeoPoint(latitude: -16.8, longitude: 180), GeoPoint(latitude: -16.8, longitude: -179.9999),
        GeoPoint(latitude: 66.1, longitude: 179.99995), GeoPoint(latitude: 89.9, longitude: 12),
        GeoPoint(latitude: -89.9995, longitude: -100), GeoPoint(latitude: 84, longitude: -180),
    ])
    func circlesAtTheAntimeridianAndNearThePoles(origin: GeoPoint) throws {
        var dense = try PlayedWalk(radius: 20, origin: origin)
        dense.walk(from: -150, to: 150)
        #expect(dense.story() == ["near", "entered", "found", "show", "left"])
        var sparse = try PlayedWalk(radius: 20, origin: origin)
        for east in stride(from: -350.0, through: 350, by: 100) { sparse.fix(east, accuracy: 5, after: 60) }
        #expect(sparse.found == ["here"])
    }

    @Test func aCircleOnThePole() throws {
        var walk = try PlayedWalk(radius: 20, origin: GeoPoint(latitude: 90, longitude: 0))
        let path =
            stride(from: 150.0, to: 0, by: -1.5).map { ($0, 40.0) }
            + stride(from: 0.0, to: 150, by: 1.5).map { ($0, -140.0) }
        for (distance, longitude) in path {
            walk.seconds += 1
            let south = GeoPoint(latitude: 90, longitude: 0).moved(by: distance, bearing: 180)
            walk.play(.fix(Fix(GeoPoint(latitude: south.latitude, longitude: longitude), timestamp: walk.now)))
        }
        #expect(walk.story() == ["near", "entered", "found", "show", "left"])
    }

    /// The approximate distance decides only if it cannot be wrong.
    @Test(arguments: [0.0, 45, 79.9, 80.1, 89], [5.0, 500, 5000, 90_000])
    func theCircleIsExact(latitude: Double, radius: Double) throws {
        for bearing in stride(from: 0.0, to: 360, by: 45) {
            var rules = FenceRules()
            (rules.confirmations, rules.distrustedFixes) = (1, 0)
            let origin = GeoPoint(latitude: latitude, longitude: 20)
            for (distance, isFound) in [(radius - 0.001, true), (radius + 0.001, false)] {
                var walk = try PlayedWalk(radius: radius, rules: rules, origin: origin)
                walk.play(.fix(Fix(origin.moved(by: distance, bearing: bearing), timestamp: walk.now)))
                #expect(walk.found.isEmpty == !isFound, "\(bearing)")
            }
        }
    }

    @Test func isNearOnceUntilItIsFar() throws {
        var walk = try PlayedWalk(radius: 20)
        walk.walk(from: -200, to: -60)
        walk.walk(from: -60, to: -80)
        walk.walk(from: -80, to: -60)
        #expect(walk.story() == ["near"])
        walk.walk(from: -60, to: -200)
        walk.walk(from: -200, to: -60)
        #expect(walk.story() == ["near", "near"])
    }

    @Test func nothingIsRememberedOfWhatIsFar() throws {
        var walk = try PlayedWalk(radius: 20)
        walk.walk(from: -200, to: -190)
        let before = try JSON.text(walk.state)
        walk.walk(from: -190, to: 190)
        walk.walk(from: 190, to: 300)
        let after = try JSON.text(walk.state)
        #expect(before.contains(#""fences":[]"#))
        #expect(after.contains(#""fences":[]"#))
    }

    @Test func explainsEveryFix() throws {
        var walk = try PlayedWalk(radius: 20)
        walk.walk(from: -40, to: 0)
        let decisions = walk.explanation.decisions
        #expect(decisions.count == 29)
        #expect(decisions.map(\.isFound).count { $0 } == 1)
        let found = try #require(decisions.first { $0.isFound })
        #expect(found.timestamp == walk.first("found")?.timestamp)
        #expect(found.isInside && found.blockers.isEmpty)
        // The step before it is the first that touches the circle: -40 + 1.4 · 15.
        let before = decisions[15]
        #expect(abs(before.distance - 19) < 0.001)
        #expect(before.votes == 1 && before.needed == 2 && !before.isInside)
        #expect(abs(decisions[14].distance - 20.4) < 0.001)
    }

    @Test func rulesOutOfTheirRange() {
        let changes: [(inout FenceRules) -> Void] = [
            { $0.accuracyLimit = .nan }, { $0.maximumSpeed = -1 }, { $0.longestGap = .infinity },
            { $0.exitShare = 2e6 },
            { $0.confirmations = 4 }, { $0.window = 9 }, { $0.rejoinAfter = 0 }, { $0.distrustedFixes = -1 },
        ]
        for change in changes {
            var rules = FenceRules()
            change(&rules)
            #expect(throws: MediaError.self) { try Playback([], rules: rules) }
        }
    }
}
