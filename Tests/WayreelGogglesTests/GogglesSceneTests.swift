import Foundation
import Testing
import WayreelCore
import WayreelEngine
import WayreelGoggles
import WayreelImage
import WayreelStory

@Suite struct GogglesSceneTests {
    private static let observer = GeoPoint(latitude: 47, longitude: 11, altitude: 600)

    private static func pin(
        _ metres: Double, bearing: Double, size: Double = 4, up: Double = 0, name: String? = nil
    ) -> GogglesScene.Pin {
        var place = observer.moved(by: metres, bearing: bearing)
        place.altitude = 600 + up
        return GogglesScene.Pin(
            image: "pin.png", imageSize: PixelSize(width: 200, height: 100), position: place, metres: size, name: name)
    }

    private static let pose = CameraPose(
        position: observer, heading: 90, horizontalFieldOfView: 60, imageSize: PixelSize(width: 1200, height: 800))

    @Test func whatIsSeenAndWhyNot() throws {
        let scene = GogglesScene(
            pins: [
                Self.pin(50, bearing: 90), Self.pin(50, bearing: 270), Self.pin(400, bearing: 95),
                Self.pin(50, bearing: 150), Self.pin(1.5, bearing: 90, size: 100),
                Self.pin(250, bearing: 90, size: 0.1),
                Self.pin(120, bearing: 80),
            ], pose: Self.pose, maxDistance: 300)
        let sights = scene.sights
        let reasons = Dictionary(uniqueKeysWithValues: sights.map { ($0.pin, $0.culled) })
        #expect(reasons == [0: nil, 1: .behind, 2: .beyond, 3: .outside, 4: .tooLarge, 5: .tooSmall, 6: nil])
        // Farther pins come first, and those behind the camera last.
        #expect(sights.map(\.pin) == [2, 5, 6, 0, 3, 4, 1])
    }

    /// F = 600 / tan 30°; 4 m at 50 m.
    @Test func sizesFollowFromMetresAndDistance() throws {
        let sight = try #require(GogglesScene(pins: [Self.pin(50, bearing: 90)], pose: Self.pose).sights.first)
        let expected = 600 / tan(Double.pi / 6) * 4 / 50
        #expect(abs(try #require(sight.width) - expected) < 0.01)
        #expect(abs(try #require(sight.height) - expected / 2) < 0.01)
        #expect(abs(sight.distance - 50) < 1e-6)
        #expect(abs(sight.bearing - 90) < 1e-6)
    }

    /// A crop on the west side of a screen moves pins to the right by the removed width; scaling scales everything.
    @Test func aScreenMovesAndScalesPins() throws {
        var scene = GogglesScene(pins: [Self.pin(50, bearing: 92)], pose: Self.pose)
        let whole = try #require(scene.sights.first)
        scene.framing = Framing(screen: PixelSize(width: 400, height: 400), gravity: .west)
        let cropped = try #require(scene.sights.first)
        #expect(scene.outputSize == PixelSize(width: 400, height: 400))
        #expect(abs(try #require(cropped.x) - #require(whole.x) / 2) < 1e-9)
        #expect(abs(try #require(cropped.width) - #require(whole.width) / 2) < 1e-9)
        scene.framing = Framing(screen: PixelSize(width: 600, height: 600), fit: .pad)
        let padded = try #require(scene.sights.first)
        #expect(abs(try #require(padded.y) - (#require(whole.y) / 2 + 100)) < 1e-9)
    }

    @Test(arguments: [
        Framing(screen: PixelSize(width: 400, height: 400), cropsToAttention: true), Framing(trim: 10),
        Framing(screen: PixelSize(width: 400, height: 400), fit: .fill),
    ]) func framingsThatMovePinsAreRefused(_ framing: Framing) {
        let scene = GogglesScene(pins: [Self.pin(50, bearing: 90)], pose: Self.pose, framing: framing)
        #expect(throws: MediaError.self) { try scene.drawing() }
    }

    @Test func fartherPinsAreDrawnFirstAndLabelsLast() throws {
        let scene = GogglesScene(
            pins: [Self.pin(30, bearing: 90, name: "near"), Self.pin(90, bearing: 91, name: "far")], pose: Self.pose)
        let kinds = try scene.drawing().overlays.map { overlay in
            switch overlay {
            case .image(let image): "image \(Int(image.x.inPixels(on: scene.outputSize).rounded()))"
            case .text(let text): text.text
            }
        }
        #expect(kinds.count == 4)
        #expect(kinds[1] == "image 0")
        #expect(kinds[2...] == ["near\n30 m", "far\n90 m"])
    }

    /// Labels never overlap or leave the image, for any number of pins.
    @Test(arguments: [5, 20, 80]) func labelsDoNotCollide(count: Int) throws {
        let pins = (0..<count).map { index in
            let (metres, bearing, up) = (20 + index * 37 % 200, 65 + index * 53 % 50, index * 29 % 20 - 10)
            return Self.pin(
                Double(metres), bearing: Double(bearing), up: Double(up), name: "Pin number \(index) of many to be seen"
            )
        }
        let drawing = try GogglesScene(pins: pins, pose: Self.pose).drawing()
        let labels = drawing.sights.compactMap(\.label)
        #expect(labels.count >= min(drawing.sights.count { $0.culled == nil }, 10))
        for (index, a) in labels.enumerated() {
            #expect(a.x >= 0 && a.y >= 0)
            #expect(a.x + a.width <= 1200 && a.y + a.height <= 800)
            for b in labels[(index + 1)...] {
                let isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x
                let isAbove = a.y + a.height <= b.y || b.y + b.height <= a.y
                #expect(isBeside || isAbove)
            }
        }
        #expect(drawing.sights == (try GogglesScene(pins: pins, pose: Self.pose).drawing().sights))
    }

    /// No label covers the middle of a pin that it does not belong to.
    @Test(arguments: [14, 60]) func labelsLeaveOtherPinsFree(count: Int) throws {
        let pins = (0..<count).map { index in
            let (metres, bearing, up) = (30 + index * 7 % 50, 75 + index * 13 % 30, index * 5 % 9 - 4)
            return Self.pin(
                Double(metres), bearing: Double(bearing), size: 2, up: Double(up), name: "Pin number \(index) of some")
        }
        let sights = try GogglesScene(pins: pins, pose: Self.pose).drawing().sights.filter { $0.culled == nil }
        #expect(sights.count { $0.label != nil } >= 8)
        for sight in sights {
            guard let label = sight.label else { continue }
            for other in sights where other.pin != sight.pin {
                guard let x = other.x, let y = other.y else { continue }
                let isBeside = x <= label.x || x >= label.x + label.width
                let isAbove = y <= label.y || y >= label.y + label.height
                #expect(isBeside || isAbove, "a label covers pin \(other.pin)")
            }
        }
    }

    /// ARML's definition: 100 px per metre at 10 m, linear from there to a tenth at 110 m.
    @Test(arguments: [(5.0, 100.0), (10, 100), (60, 55), (110, 10), (1000, 10)])
    func scalingInAStraightLine(depth: Double, expected: Double) {
        let scaling = PinScaling(minScalingDistance: 10, maxScalingDistance: 110, scalingFactor: 0.1)
        #expect(abs(scaling.pixels(of: 1, depth: depth, focalLength: 1000) - expected) < 1e-9)
    }

    @Test(arguments: [(5.0, 50.0), (20, 50), (40, 25), (100, 10), (400, 10)])
    func naturalScalingWithinDistances(depth: Double, expected: Double) {
        let scaling = PinScaling(minScalingDistance: 20, maxScalingDistance: 100)
        #expect(abs(scaling.pixels(of: 1, depth: depth, focalLength: 1000) - expected) < 1e-9)
    }

    @Test(arguments: ["heading", "pitch", "roll", "field of view", "latitude", "longitude", "altitude"])
    func posesOutOfRangeAreRefused(part: String) throws {
        var pose = Self.pose
        switch part {
        case "heading": pose.heading = .nan
        case "pitch": pose.pitch = 91
        case "roll": pose.roll = .infinity
        case "field of view": pose.horizontalFieldOfView = 0
        case "latitude": pose.position.latitude = 95
        case "longitude": pose.position.longitude = .nan
        default: pose.position.altitude = 1e9
        }
        let error = try #require(throws: MediaError.self) { try GogglesScene(pins: [], pose: pose).drawing() }
        #expect(error.reason.contains(part))
    }
}
