internal import CGeodesic
public import WayreelCore

/// An area between two meridians and two parallels, in degrees. It does not cross the antimeridian.
public struct GroundBox: Hashable, Sendable {
    public let west: Double
    public let south: Double
    public let east: Double
    public let north: Double

    /// The northern and southern end of maps in the Mercator projection of tiles, in degrees.
    public static let maxLatitude = 85.051_128

    /// Longitudes are -180 to 180, latitudes at most ``maxLatitude`` from the equator.
    ///
    /// Throws a `parameter` error for other numbers, and for a box without an area.
    public init(west: Double, south: Double, east: Double, north: Double) throws(MediaError) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
        let fault = ErrorSite(.parameter, step: .ground, subject: description)
        // The conditions are false for NaN, too.
        guard (-180...180).contains(west), (-180...180).contains(east), abs(south) <= Self.maxLatitude,
            abs(north) <= Self.maxLatitude
        else {
            throw fault(
                "is no box: longitudes are -180 to 180, and latitudes -\(Self.maxLatitude) to \(Self.maxLatitude)",
                "give west, south, east, north in degrees")
        }
        guard west < east else {
            throw fault("its west is not west of its east", "cut a box that crosses the antimeridian in two")
        }
        guard south < north else { throw fault("its south is not south of its north", "exchange them") }
    }

    /// Reads `15.600,48.387,15.671,48.414`: west, south, east, north.
    ///
    /// Throws a `parameter` error for other texts.
    public init(_ text: String) throws(MediaError) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            DecimalNumber.value($0.trimmed())
        }
        guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
            let north = numbers[3]
        else {
            throw MediaError(
                .parameter, step: .ground, subject: text, reason: "is no box",
                advice: "give west, south, east, north in degrees, such as 15.600,48.387,15.671,48.414")
        }
        try self.init(west: west, south: south, east: east, north: north)
    }

    /// Returns whether they have a point in common.
    public func touches(_ other: GroundBox) -> Bool {
        west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }

    /// The distance to another box along the shortest path between their nearest corners or sides, in metres; 0 if
    /// they touch.
    public func distance(to other: GroundBox) -> Double {
        guard !touches(other) else { return 0 }
        func nearest(_ low: Double, _ high: Double, _ otherLow: Double, _ otherHigh: Double) -> (Double, Double) {
            if high < otherLow { return (high, otherLow) }
            if otherHigh < low { return (low, otherHigh) }
            let middle = (max(low, otherLow) + min(high, otherHigh)) / 2
            return (middle, middle)
        }
        let (longitude, otherLongitude) = nearest(west, east, other.west, other.east)
        let (latitude, otherLatitude) = nearest(south, north, other.south, other.north)
        return wr_geodesic_inverse(latitude, longitude, otherLatitude, otherLongitude).distance
    }
}

extension GroundBox: CustomStringConvertible {
    /// `15.6,48.387,15.671,48.414`
    public var description: String {
        [west, south, east, north].map { $0.isFinite ? DecimalNumber.text($0) : "\($0)" }.joined(separator: ",")
    }
}

extension MediaError.Step {
    /// OpenStreetMap extracts and what is made of them.
    public static let ground = MediaError.Step(rawValue: "ground")
}
