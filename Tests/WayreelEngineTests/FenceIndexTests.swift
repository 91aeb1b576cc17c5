import Glibc
import TestSupport
import Testing
import WayreelEngine
import WayreelStory

@Suite struct FenceIndexTests {
    /// Every circle within reach according to GeographicLib is found, also at the antimeridian and the poles.
    @Test(arguments: [1, 7, 8, 9, 64, 65, 3000]) func findsAllThatIsNear(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let places = [(0.0, 180.0), (89.9, 0), (-89.99, 90), (51, 0), (-80, -179.9)]
        func point() -> GeoPoint {
            let (latitude, longitude) = places.randomElement(using: &random) ?? (0, 0)
            let north = min(max(latitude + .random(in: -0.3...0.3, using: &random), -90), 90)
            return GeoPoint(latitude: north, longitude: (longitude + .random(in: -0.5...0.5, using: &random)).asTurn)
        }
        let circles = (0..<count).map { _ in
            (center: point(), radius: pow10(.random(in: 0...5, using: &random)))
        }
        let index = FenceIndex(circles)
        for _ in 0..<200 {
            let (place, radius) = (point(), pow10(.random(in: 0...4, using: &random)))
            var found: Set<Int> = []
            index.forEachNear(place, radius: radius) { found.insert($0) }
            for (number, circle) in circles.enumerated() where !found.contains(number) {
                #expect(circle.center.geodesic(to: place).distance > circle.radius + radius)
            }
        }
    }

    @Test func isEmptyWithoutCircles() {
        FenceIndex([]).forEachNear(GeoPoint(latitude: 0, longitude: 0), radius: 1e6) { _ in Issue.record("found one") }
    }

    @Test func looksAtFew() {
        var circles: [(center: GeoPoint, radius: Double)] = []
        for row in 0..<100 {
            for column in 0..<100 {
                circles.append((PlayedWalk.point(Double(column) * 100, Double(row) * 100), 75))
            }
        }
        let index = FenceIndex(circles)
        var count = 0
        index.forEachNear(PlayedWalk.point(5040, 5040), radius: 2) { _ in count += 1 }
        #expect((1...6).contains(count))
    }

    private func pow10(_ exponent: Double) -> Double { exp(exponent * log(10.0)) }
}
