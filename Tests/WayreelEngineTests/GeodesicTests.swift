import Testing
import WayreelEngine
import WayreelStory

@Suite struct GeodesicTests {
    /// Computed with GeographicLib, pymap3d and OpenCV.
    @Test func theReferenceVector() {
        let observer = GeoPoint(latitude: 35.3050, longitude: -120.6625, altitude: 100)
        let target = GeoPoint(latitude: 35.3068, longitude: -120.6610, altitude: 110)
        let path = observer.geodesic(to: target)
        #expect(abs(path.distance - 241.8511) < 0.00005)
        #expect(abs(path.bearing - 34.33723) < 0.000005)
        let vector = observer.localVector(to: target)
        #expect(abs(vector.east - 136.4215) < 0.00005)
        #expect(abs(vector.north - 199.7076) < 0.00005)
        #expect(abs(vector.up - 9.9954) < 0.00005)
    }

    /// The longest geodesic: half a meridian's ellipse, 20003931.4586 m on WGS 84 (Karney 2013).
    @Test func fromPoleToPole() {
        let path = GeoPoint(latitude: 90, longitude: 0).geodesic(to: GeoPoint(latitude: -90, longitude: 0))
        #expect(abs(path.distance - 20_003_931.4586) < 0.0001)
    }

    /// A degree of the equator is 2π·6378137 / 360 metres long, also across the antimeridian.
    @Test(arguments: [(0.0, 1.0, 90.0), (179.5, -179.5, 90.0), (-179.5, 179.5, 270.0)])
    func alongTheEquator(from: Double, to: Double, bearing: Double) {
        let path = GeoPoint(latitude: 0, longitude: from).geodesic(to: GeoPoint(latitude: 0, longitude: to))
        #expect(abs(path.distance - 2 * Double.pi * 6_378_137 / 360) < 1e-6)
        #expect(path.bearing == bearing)
    }

    @Test func movingIsTheInverse() {
        let start = GeoPoint(latitude: 35.28, longitude: -120.66)
        let path = start.geodesic(to: start.moved(by: 1234.5, bearing: 321))
        #expect(abs(path.distance - 1234.5) < 1e-6)
        #expect(abs(path.bearing - 321) < 1e-6)
    }
}

@Suite struct TimestampTests {
    /// Expected values are from `date -u -d TEXT +%s%3N` of GNU coreutils.
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-23T17:05:09.250Z", 1_795_453_509_250),
            ("2026-11-23T18:05:09+01:00", 1_795_453_509_000), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-02-29T12:00:00Z", 951_825_600_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func readsRFC3339(text: String, milliseconds: Int64) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.milliseconds == milliseconds)
        #expect(Timestamp(timestamp.description) == timestamp)
    }

    @Test(arguments: [
        "", "2026-11-23", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-23T24:00:00Z", "2026-11-23T17:05:09",
        "2026-11-23T17:05:09.Z", "2026-11-23T17:05:09Zx", "2026-11-23T17:05:09+1:00", "0001-01-01T00:00:00+01:00",
    ])
    func refusesWhatIsNone(text: String) { #expect(Timestamp(text) == nil) }
}
