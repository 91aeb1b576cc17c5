/// The ellipsoid of the World Geodetic System 1984 (NGA.STND.0036).
enum WGS84 {
    /// The equatorial radius in metres.
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257_223_563
    /// The square of the first eccentricity.
    static let eccentricitySquared = flattening * (2 - flattening)

    /// The radius of curvature in the prime vertical, in metres, at a latitude whose sine is given.
    static func primeVerticalRadius(sineOfLatitude sine: Double) -> Double {
        equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
    }
}
