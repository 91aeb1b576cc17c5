import Foundation
import Testing
import WayreelGoggles
import WayreelStory

@Suite struct MagneticModelTests {
    /// Rows of NOAA's WMM2025_TestValues.txt: year, altitude in kilometres, latitude, longitude; declination,
    /// inclination, horizontal intensity, its northern component.
    static let published: [[Double]] = [
        [2025.0, 28, 89, -121, -99.77, 88.47, 1504.298146, -255.388723],
        [2025.0, 94, -29, -110, 15.74, -38.25, 24181.990098, 23275.471080],
        [2025.0, 65, 43, 93, 0.50, 64.10, 24300.764692, 24299.852822],
        [2025.5, 8, -52, -75, 14.91, -49.63, 20005.506364, 19331.857134],
        [2026.0, 46, -24, -122, 14.01, -34.17, 26638.500090, 25846.118652],
        [2026.0, 34, -19, 43, -14.98, -52.33, 20212.448819, 19525.694050],
        [2026.5, 12, 33, -145, 11.96, 52.51, 24672.289649, 24136.839639],
        [2027.0, 44, 22, 174, 6.46, 31.89, 28867.487799, 28683.972510],
        [2027.0, 67, -47, -32, -13.52, -57.98, 12805.786103, 12450.832543],
        [2027.5, 96, -46, -85, 17.93, -47.37, 19914.457641, 18947.658009],
        [2028.0, 86, -85, -79, 41.09, -70.25, 16867.459172, 12713.115116],
        [2028.5, 28, 54, -120, 15.43, 73.74, 15286.094495, 14735.145798],
        [2028.5, 59, 32, 163, 0.15, 43.10, 28217.204381, 28217.104175],
    ]

    @Test(arguments: published) func asPublished(_ row: [Double]) {
        let point = GeoPoint(latitude: row[2], longitude: row[3], altitude: row[1] * 1000)
        let field = MagneticModel.wmm2025.field(at: point, year: row[0])
        #expect(abs(field.declination - row[4]) <= 0.0051)
        #expect(abs(field.horizontal - row[6]) < 0.001)
        #expect(abs(field.north - row[7]) < 0.001)
        let inclination = atan2(field.down, field.horizontal) * 180 / .pi
        #expect(abs(inclination - row[5]) <= 0.0051)
    }

    /// 12.0627° by pygeomag 1.1.0 with the same coefficients.
    @Test func atTheSampleStory() {
        let point = GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 40)
        #expect(abs(MagneticModel.wmm2025.field(at: point, year: 2026.5).declination - 12.062686) < 1e-4)
    }

    @Test(arguments: [90.0, -90]) func thePolesHaveAField(latitude: Double) {
        let field = MagneticModel.wmm2025.field(at: GeoPoint(latitude: latitude, longitude: 0), year: 2026)
        #expect(field.declination.isFinite)
        #expect(
            (50_000...70_000).contains((field.horizontal * field.horizontal + field.down * field.down).squareRoot()))
    }
}
