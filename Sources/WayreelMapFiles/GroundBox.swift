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

    /// Returns whether a position lies in it, or on its border.
    public func contains(longitude: Double, latitude: Double) -> Bool {
        west <= longitude && longitude <= east && south <= latitude && latitude <= north
    }
}

/// Written as west, south, east, north.
extension GroundBox: Codable {
    public init(from decoder: any Decoder) throws {
        let sides = try [Double](from: decoder)
        guard sides.count == 4 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a box has four sides"))
        }
        try self.init(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
    }

    public func encode(to encoder: any Encoder) throws { try [west, south, east, north].encode(to: encoder) }
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
