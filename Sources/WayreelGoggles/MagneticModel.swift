internal import Glibc
internal import WayreelEngine
public import WayreelStory

/// The World Magnetic Model 2025, which gives the deviation of a compass needle from true north.
///
/// The coefficients are in `WMM2025.COF`, published by NOAA's National Centers for Environmental Information and the
/// British Geological Survey on 2024-11-13, in the public domain:
/// https://www.ncei.noaa.gov/products/world-magnetic-model. The formulas are from Chulliat and others, "The US/UK
/// World Magnetic Model for 2025-2030", section 1.2.
public struct MagneticModel: Sendable {
    /// The decimal years for which the model is valid.
    public static let validity = 2025.0..<2030.0

    /// The model in WMM2025.COF.
    public static let wmm2025 = MagneticModel(bytes: PackageResources.WMM2025_COF)

    /// Schmidt semi-normalised Gauss coefficients in nT, and their change in nT per year, by degree and order.
    private struct Coefficient {
        var g = 0.0, h = 0.0, gRate = 0.0, hRate = 0.0
    }

    private let epoch: Double
    private let coefficients: [[Coefficient]]
    private static let degrees = 12

    /// Parses a coefficient file. Columns: degree, order, g, h and their rates; the first line begins with the epoch.
    private init(bytes: [UInt8]) {
        let rows = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.split(separator: " ").map(Double.init) }
        var table = [[Coefficient]](
            repeating: [Coefficient](repeating: Coefficient(), count: Self.degrees + 1), count: Self.degrees + 1)
        for row in rows.map({ $0.compactMap(\.self) }) where row.count == 6 {
            let (n, m) = (Int(row[0]), Int(row[1]))
            guard (1...Self.degrees).contains(n), (0...n).contains(m) else { continue }
            table[n][m] = Coefficient(g: row[2], h: row[3], gRate: row[4], hRate: row[5])
        }
        epoch = rows.first?.first.flatMap(\.self) ?? Self.validity.lowerBound
        coefficients = table
    }

    /// The Earth's magnetic field at a position, in nT.
    public struct Field: Hashable, Sendable {
        public var north: Double
        public var east: Double
        public var down: Double

        /// The angle from true north to magnetic north in degrees, clockwise.
        public var declination: Double { atan2(east, north) * 180 / .pi }
        /// The horizontal intensity in nT. Below 2000, compasses are unreliable (the model's "blackout zone").
        public var horizontal: Double { (north * north + east * east).squareRoot() }
    }

    /// Returns the field at a point in a decimal year such as 2026.5. The altitude is measured from the ellipsoid; a
    /// missing altitude is 0.
    ///
    /// Outside of ``validity`` the field is extrapolated linearly, with an error that grows over time.
    public func field(at point: GeoPoint, year: Double) -> Field {
        let radians = Double.pi / 180
        // Convert geodetic to geocentric spherical coordinates, in kilometres. A pole has no east and north of its
        // own.
        let latitude = min(max(point.latitude, -89.999_999), 89.999_999) * radians
        let height = (point.altitude ?? 0) / 1000
        let squared = WGS84.eccentricitySquared
        let curvature = WGS84.primeVerticalRadius(sineOfLatitude: sin(latitude)) / 1000
        let (axial, outward) = (
            (curvature * (1 - squared) + height) * sin(latitude), (curvature + height) * cos(latitude)
        )
        let radius = (axial * axial + outward * outward).squareRoot()
        let (sine, cosine) = (axial / radius, outward / radius)
        let (p, slopes) = Self.legendre(sine, cosine)

        var (north, east, down) = (0.0, 0.0, 0.0)
        var power = (6371.2 / radius) * (6371.2 / radius)
        for n in 1...Self.degrees {
            power *= 6371.2 / radius
            for m in 0...n {
                let coefficient = coefficients[n][m]
                let g = coefficient.g + (year - epoch) * coefficient.gRate
                let h = coefficient.h + (year - epoch) * coefficient.hRate
                let angle = Double(m) * point.longitude * radians
                let along = g * cos(angle) + h * sin(angle)
                north -= power * along * slopes[n][m]
                east += power * Double(m) * (g * sin(angle) - h * cos(angle)) * p[n][m] / cosine
                down -= power * Double(n + 1) * along * p[n][m]
            }
        }
        // Convert geocentric axes back to geodetic axes.
        let turn = atan2(axial, outward) - latitude
        return Field(
            north: north * cos(turn) - down * sin(turn), east: east, down: north * sin(turn) + down * cos(turn))
    }

    /// Returns the Schmidt semi-normalised associated Legendre functions of the sine of the latitude, and their
    /// derivatives with respect to the latitude.
    private static func legendre(_ sine: Double, _ cosine: Double) -> (values: [[Double]], slopes: [[Double]]) {
        var values = [[Double]](repeating: [Double](repeating: 0, count: degrees + 1), count: degrees + 1)
        var slopes = values
        values[0][0] = 1
        for n in 1...degrees {
            for m in 0...n {
                if m == n {
                    let factor = n == 1 ? 1 : (Double(2 * n - 1) / Double(2 * n)).squareRoot()
                    values[n][n] = factor * cosine * values[n - 1][n - 1]
                    slopes[n][n] = factor * (cosine * slopes[n - 1][n - 1] - sine * values[n - 1][n - 1])
                } else {
                    let root = Double(n * n - m * m).squareRoot()
                    let older = n < 2 || m > n - 2 ? 0 : Double((n - 1) * (n - 1) - m * m).squareRoot()
                    let (olderValue, olderSlope) = n < 2 ? (0, 0) : (values[n - 2][m], slopes[n - 2][m])
                    let factor = Double(2 * n - 1)
                    values[n][m] = (factor * sine * values[n - 1][m] - older * olderValue) / root
                    slopes[n][m] =
                        (factor * (sine * slopes[n - 1][m] + cosine * values[n - 1][m]) - older * olderSlope) / root
                }
            }
        }
        return (values, slopes)
    }
}
