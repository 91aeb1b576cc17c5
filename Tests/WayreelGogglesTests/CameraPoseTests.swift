import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelGoggles
import WayreelStory

@Suite struct CameraPoseTests {
    /// A camera, a point, and its position by OpenCV's projectPoints: computed by `References/projections.py` with
    /// pymap3d 3.2.0 and OpenCV 5.0.0.
    struct Vector: Sendable {
        var camera: [Double]
        var point: [Double]
        var x: Double
        var y: Double
        var depth: Double

        init(_ camera: [Double], _ point: [Double], _ x: Double, _ y: Double, _ depth: Double) {
            (self.camera, self.point, self.x, self.y, self.depth) = (camera, point, x, y, depth)
        }

        var pose: CameraPose {
            CameraPose(
                position: GeoPoint(latitude: camera[0], longitude: camera[1], altitude: camera[2]), heading: camera[3],
                pitch: camera[4], roll: camera[5], horizontalFieldOfView: camera[6],
                imageSize: PixelSize(width: Int(camera[7]), height: Int(camera[8])))
        }

        var target: GeoPoint { GeoPoint(latitude: point[0], longitude: point[1], altitude: point[2]) }
    }

    static let vectors = [
        Vector(
            [35.3050, -120.6625, 100, 30, 5, 3, 60, 1920, 1080], [35.3068, -120.6610, 110], 1089.954500, 609.574526,
            241.116106),
        Vector(
            [35.27985, -120.66520, 38, 85, 2, 0, 75, 3024, 4032], [35.27955, -120.66435, 38], 2573.078177, 2084.825345,
            74.090279),
        Vector(
            [-33.8568, 151.2153, 12, 275, -4, -17.5, 48, 4032, 3024], [-33.8523, 151.2108, 134], 6917.954177,
            1432.037813, 448.752066),
        Vector(
            [69.6492, 18.9553, 20, 190, 0, 90, 60, 1600, 1200], [69.6290, 18.9400, 420], 561.613263, 484.074445,
            2322.560153),
        Vector(
            [0.0001, 179.9995, 5, 92, 10, -45, 110, 1000, 1000], [-0.0002, -179.9990, 30], 533.183507, 546.481649,
            169.823969),
        Vector(
            [78.2232, 15.6267, 3, 359.5, 35, 180, 20, 640, 480], [78.2240, 15.6266, 68], 344.639090, 272.923138,
            110.461067),
        Vector(
            [48.2085, 16.3731, 171, 140, -30, 12, 95, 1080, 1920], [48.2080, 16.3736, 160], 557.103808, 766.175344,
            63.072720),
    ]

    @Test(arguments: vectors) func projectsAsOpenCVDoes(_ vector: Vector) throws {
        let seen = try #require(vector.pose.projection(of: vector.target))
        #expect(abs(seen.x - vector.x) < 1e-4)
        #expect(abs(seen.y - vector.y) < 1e-4)
        #expect(abs(seen.depth - vector.depth) < 1e-5)
    }

    /// 960 / tan 30°.
    @Test func theFocalLength() {
        #expect(abs(Self.vectors[0].pose.focalLength - 1662.7688) < 5e-5)
    }

    /// Compared with the reference itself, on random poses, if `scripts/references` has installed it.
    @Test(.enabled(if: Reference.isThere, "scripts/references installs it; that needs the network once"))
    func projectsAsTheReferenceDoesAnywhere() throws {
        var random = SeededRandom(seed: 7)
        func number(_ from: Double, _ to: Double) -> Double { .random(in: from...to, using: &random) }
        var vectors: [Vector] = []
        while vectors.count < 200 {
            let camera = [
                number(-89, 89), number(-180, 180), number(-50, 3000), number(0, 360), number(-80, 80),
                number(-180, 180), number(10, 120), 1600, 1200,
            ]
            let place = GeoPoint(latitude: camera[0], longitude: camera[1]).moved(
                by: number(5, 5000), bearing: number(0, 360))
            let vector = Vector(
                camera, [place.latitude, place.longitude, camera[2] + number(-100, 100)], 0, 0, 0)
            // Far outside the image, coordinates exceed the reference's printed precision.
            guard let seen = vector.pose.projection(of: vector.target), abs(seen.x) < 1e5, abs(seen.y) < 1e5 else {
                continue
            }
            vectors.append(vector)
        }
        let input = vectors.map { ($0.camera + $0.point).map { "\($0)" }.joined(separator: " ") }.joined(
            separator: "\n")
        let answers = try Reference.run("projections.py", input: input + "\n")
        #expect(answers.count == vectors.count)
        for (vector, answer) in zip(vectors, answers) {
            let seen = try #require(vector.pose.projection(of: vector.target))
            #expect(abs(seen.x - answer[0]) < 0.01 && abs(seen.y - answer[1]) < 0.01, "\(vector)")
            #expect(abs(seen.depth - answer[2]) < 1e-4, "\(vector)")
        }
    }

    @Test func whatIsBehindIsNotSeen() {
        var pose = Self.vectors[0].pose
        pose.heading = 210
        #expect(pose.projection(of: Self.vectors[0].target) == nil)
    }

    /// A camera rolled clockwise by R sees upright objects leaning to the left by R; a level camera sees them upright.
    @Test(arguments: [0.0, 3, -17, 90]) func uprightThingsLeanAgainstTheRoll(roll: Double) throws {
        let observer = GeoPoint(latitude: 50, longitude: 8, altitude: 100)
        let pose = CameraPose(
            position: observer, heading: 60, roll: roll, horizontalFieldOfView: 50,
            imageSize: PixelSize(width: 800, height: 600))
        var target = observer.moved(by: 80, bearing: 60)
        target.altitude = 100
        let seen = try #require(pose.projection(of: target))
        #expect(abs(seen.lean + roll) < 0.01)
    }
}
