import Foundation
import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// Floor plans in documents, the transform of their pins, and what is said of bad ones.
@Suite struct FloorPlanTests {
    /// Places a picture by a formula of its own: a pixel to the right is `right` metres east and north, and one downwards
    /// `down`, counted from a place at the pixel `at`.
    private struct Placed {
        var right: (Double, Double)
        var down: (Double, Double)
        var at = (100.0, 50.0)
        var latitude = 48.41
        var longitude = 15.6

        /// The metres in a degree of latitude and of longitude on the ellipsoid, by the series of Snyder, Map Projections,
        /// 1987, table 11.
        private var metres: (Double, Double) {
            let angle = latitude * .pi / 180
            return (
                111_132.954 - 559.822 * cos(2 * angle) + 1.175 * cos(4 * angle),
                111_412.84 * cos(angle) - 93.5 * cos(3 * angle) + 0.118 * cos(5 * angle)
            )
        }

        func pin(_ x: Double, _ y: Double) -> FloorPlan.Pin {
            let (dx, dy) = (x - at.0, y - at.1)
            let east = right.0 * dx + down.0 * dy
            let north = right.1 * dx + down.1 * dy
            return FloorPlan.Pin(
                x: x, y: y, latitude: latitude + north / metres.0, longitude: longitude + east / metres.1)
        }
    }

    /// Turned by `degrees` to the right, `scale` metres a pixel.
    private func turned(_ degrees: Double, scale: Double) -> Placed {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return Placed(right: (scale * cosine, -scale * sine), down: (-scale * sine, -scale * cosine))
    }

    private func expectFit(_ placed: Placed, _ pins: [(Double, Double)], _ comment: Comment) throws {
        let found = try #require(Georeference(pins.map { placed.pin($0.0, $0.1) }), comment)
        for (x, y) in [(0.0, 0.0), (800.0, 0.0), (800.0, 600.0), (0.0, 600.0), (333.3, 77.7)] {
            let (expected, position) = (placed.pin(x, y), found.position(x: x, y: y))
            // A billionth of a degree is a tenth of a millimetre.
            #expect(abs(position.latitude - expected.latitude) < 1e-9, comment)
            #expect(abs(remainder(position.longitude - expected.longitude, 360)) < 1e-9, comment)
            let point = found.point(of: expected.position)
            #expect(abs(point.x - x) < 1e-3 && abs(point.y - y) < 1e-3, comment)
        }
    }

    @Test(arguments: [0.0, 30, 90, 135, 180, 271.5])
    func twoPinsGiveASimilarity(_ degrees: Double) throws {
        try expectFit(turned(degrees, scale: 0.05), [(100, 50), (700, 420)], "\(degrees)°")
    }

    @Test func threePinsGiveAnAffineTransform() throws {
        // A skewed picture whose pixels are twice as high as they are wide.
        let placed = Placed(right: (0.05, 0.01), down: (0.03, -0.1))
        try expectFit(placed, [(100, 50), (700, 60), (300, 550)], "skewed")
        try expectFit(turned(12, scale: 0.2), [(100, 50), (10, 500), (760, 30)], "a similarity")
    }

    @Test func plansLieAcrossTheAntimeridian() throws {
        var placed = turned(20, scale: 0.1)
        (placed.latitude, placed.longitude) = (-16.8, 179.9999)
        var pins = [(100.0, 50.0), (790.0, 50.0)]
        try expectFit(placed, pins, "beyond 180°")
        pins = [(790, 50), (100, 50)]
        try expectFit(placed, pins, "from beyond 180°")
    }

    /// By hand: 100 pixels to the east are 0.001° of longitude, and by a similarity 100 pixels to the south are as many
    /// metres. At 60° the radii of curvature are N = 6,394,209.174 m and M = 6,383,453.857 m: 0.001° · cos 60° · N / M of
    /// latitude.
    @Test func theTransformHasTheOrderOfGDAL() throws {
        let found = try #require(
            Georeference([
                .init(x: 100, y: 100, latitude: 60, longitude: 10),
                .init(x: 200, y: 100, latitude: 60, longitude: 10.001),
            ]))
        let expected = (east: [9.999, 1e-5, 0], north: [60.000_500_842_437_1, 0, -5.008_424_370_93e-6])
        for (value, wanted) in zip(found.east + found.north, expected.east + expected.north) {
            #expect(abs(value - wanted) < 1e-12)
        }
    }

    @Test func pinsThatDetermineNothingGiveNoTransform() {
        let placed = turned(0, scale: 0.05)
        let one = placed.pin(100, 50)
        #expect(Georeference([one]) == nil)
        #expect(Georeference([one, one]) == nil)
        #expect(Georeference([one, placed.pin(300, 50), placed.pin(200, 50)]) == nil)
        #expect(Georeference([one, placed.pin(300, 50), placed.pin(200, 80), placed.pin(0, 0)]) == nil)
    }

    // MARK: Documents

    private func plan(_ pins: [FloorPlan.Pin], id: String = "up") -> String {
        let elements = pins.map {
            "<pin x=\"\($0.x)\" y=\"\($0.y)\" latitude=\"\($0.latitude)\" longitude=\"\($0.longitude)\"/>"
        }
        return "<plan id=\"\(id)\" level=\"1\" source=\"up.svg\" alt=\"Up\"><name>Up</name>\(elements.joined())</plan>"
    }

    private func messages(_ xml: String) throws -> [String] {
        try StorySamples.read(xml).issues.filter { $0.severity == .error }.map(\.message)
    }

    @Test func plansAreTheSameInXMLAndYAML() throws {
        let placed = turned(10, scale: 0.05)
        let xml = StorySamples.chapter(
            plan([placed.pin(100, 50), placed.pin(600, 80)])
                + StorySamples.event("e", at: (48.41, 15.6)).replacing(
                    "<activation", with: "<anchor floor=\"up\" x=\"12.5\" y=\"30\"/><activation"),
            attributes: " floor=\"up\"")
        let story = try #require(try StorySamples.read(xml).story)
        #expect(story.chapters[0].floor == "up")
        #expect(story.chapters[0].plans?.map(\.level) == [1])
        #expect(story.chapters[0].plans?[0].image == Asset(source: "up.svg", alt: "Up"))
        #expect(story.chapters[0].events[0].anchor == Anchor(floor: "up", x: 12.5, y: 30))
        for format in StoryDocument.Format.allCases {
            let text = try StoryDocument.text(of: story, as: format)
            #expect(try StoryDocument.read(Array(text.utf8), as: format).story == story, "\(text)")
        }
        let json = try JSONEncoder().encode(story)
        #expect(try JSONDecoder().decode(Story.self, from: json) == story)
    }

    @Test func badPinsAreToldWithFigures() throws {
        let placed = turned(0, scale: 0.05)
        let one = placed.pin(100, 50)
        func told(_ pins: [FloorPlan.Pin]) throws -> [String] {
            try messages(StorySamples.chapter(plan(pins) + StorySamples.event("e")))
        }
        #expect(try told([one, placed.pin(600, 80)]) == [])
        var moved = placed.pin(600, 80)
        (moved.x, moved.y) = (one.x, one.y)
        #expect(try told([one, moved]) == ["plan 'up': pins 1 and 2 are the same point of the picture, 100, 50"])
        var same = one
        same.x = 300
        #expect(try told([one, same]) == ["plan 'up': pins 1 and 2 are at the same place, 48.41, 15.6"])
        // 500 pixels apart, and the third pin is 4 of them beside the line.
        #expect(
            try told([one, placed.pin(600, 50), placed.pin(350, 54)]) == [
                "plan 'up': its pins are on a line of the picture: pin 3 is only 4 pixels beside the line of the others, "
                    + "which are 500 pixels apart; move one to the side"
            ])
        let mirror = Placed(right: (-0.05, 0), down: (0, -0.05))
        #expect(
            try told([mirror.pin(100, 50), mirror.pin(600, 50), mirror.pin(600, 450)]) == [
                "plan 'up': its pins mirror the picture: from pin 1 over 2 to 3 it turns 90° to the right, and the ground "
                    + "90° to the left; are two pins swapped?"
            ])
        let flat = Placed(right: (0.05, 0), down: (0, -0.6))
        #expect(
            try told([flat.pin(100, 50), flat.pin(600, 50), flat.pin(600, 450)]) == [
                "plan 'up': a pixel would be 0.05 m wide and 0.6 m high, 12 times as much; at most 10 times is taken: is a "
                    + "pin wrong?"
            ])
        let tall = Placed(right: (0.05, 0), down: (0, -0.45))
        #expect(try told([tall.pin(100, 50), tall.pin(600, 50), tall.pin(600, 450)]) == [])
        #expect(
            try told([one]) == ["plan 'up' has 1 pin, but needs 2, or 3 if its axes have different scales"])
    }

    @Test func floorsThatAreNotThereAreTold() throws {
        let placed = turned(0, scale: 0.05)
        let pins = [placed.pin(100, 50), placed.pin(600, 80)]
        func event(_ floor: String) -> String {
            StorySamples.event("e").replacing("<activation", with: "<anchor floor=\"\(floor)\"/><activation")
        }
        #expect(
            try messages(StorySamples.chapter(plan(pins) + event("upp"), attributes: " floor=\"down\"")) == [
                "a chapter names the plan 'down', which there is not",
                "an anchor names the plan 'upp', which there is not; did you mean 'up'?",
            ])
        let chapters = StorySamples.chapter(plan(pins)).replacing(
            "</story>", with: "<chapter id=\"d\"><name>D</name>\(event("up"))</chapter></story>")
        #expect(
            try messages(chapters) == [
                "an anchor names the plan 'up', which belongs to another chapter; give it to the story"
            ])
        #expect(
            try messages(StorySamples.chapter(plan(pins) + plan(pins))) == [
                "there is another plan 'up' on line 2; ids are unique in a story"
            ])
        #expect(
            try messages(
                StorySamples.chapter(plan(pins) + event("up").replacing("floor=\"up\"", with: "floor=\"up\" x=\"3\"")))
                == ["an anchor has both 'x' and 'y', or neither for the place of the position"])
    }

    // MARK: Pictures

    private func svg(_ box: String, _ content: String = "") -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"\(box)\">\(content)</svg>"
    }

    /// Checks a story with one plan and an event, with these files beside it.
    private func issues(
        _ pins: [FloorPlan.Pin], _ files: [String: String], anchor: String = "",
        at point: (Double, Double) = (48.41, 15.6)
    ) throws -> [String] {
        let folder = TemporaryFolder()
        for (name, text) in files { try OutputFile.write(Array(text.utf8), to: "\(folder.path)/\(name)") }
        let event = StorySamples.event("e", at: point).replacing("<activation", with: "\(anchor)<activation")
        let xml = StorySamples.chapter(plan(pins) + event, attributes: " floor=\"up\"")
        return try StorySamples.read(xml).checked(in: folder.path).issues.map { "\($0.severity): \($0.message)" }
    }

    @Test func picturesOfPlansAreOpened() throws {
        let placed = turned(0, scale: 0.05)
        let pins = [placed.pin(100, 50), placed.pin(600, 80)]
        #expect(try issues(pins, ["up.svg": svg("0 0 600 80")]) == [])
        #expect(try issues(pins, [:]) == ["error: 'up.svg': no such file or directory"])
        #expect(
            try issues(pins, ["up.svg": svg("0 0 599 80")]) == [
                "error: plan 'up': pin 2 is at 600, 80, outside the picture of 599 × 80"
            ])
        #expect(
            try issues(pins, ["up.svg": svg("0 0 600 80", "<image href=\"photo.png\"/>")]) == [
                "error: 'up.svg': the SVG drawing refers to 'photo.png' in line 1, which is outside of it; embed pictures "
                    + "and fonts, or save it as plain SVG"
            ])
        #expect(try issues(pins, ["up.svg": "Hello"]).count == 1)
    }

    /// By hand: 1° of longitude is 74.032 km at 48.41° north, and 73.812 km on a sphere of the mean radius, by which
    /// distances are told.
    @Test func whatStandsBesideItsPlanIsTold() throws {
        let placed = turned(0, scale: 0.05)
        let pins = [placed.pin(100, 50), placed.pin(600, 80)]
        let files = ["up.svg": svg("0 0 600 80")]
        let anchor = "<anchor floor=\"up\"/>"
        #expect(try issues(pins, files, anchor: anchor) == [])
        // 25 m of 0.001° are on the plan, east of its pixel 100: 0.00066231° are left.
        #expect(
            try issues(pins, files, anchor: anchor, at: (48.41, 15.601)) == [
                "warning: event 'e': it is 48.9 m beside the plan 'up', of which its anchor names the floor"
            ])
        #expect(
            try issues(pins, files, anchor: "<anchor floor=\"up\" x=\"601\" y=\"3\"/>") == [
                "warning: event 'e': its anchor 601, 3 is outside the plan 'up' of 600 × 80"
            ])
        var far = pins
        far[1].longitude = 16.6
        #expect(
            try issues(far, files).first?.contains("would cover 88 × 11 km") == true)
    }
}
