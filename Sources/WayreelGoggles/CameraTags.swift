internal import Glibc
internal import WayreelCore
internal import WayreelImage

/// The position and direction of the camera as recorded in EXIF (EXIF 3.0, sections 4.6.5 and 4.6.7).
///
/// Each value is nil if its tag is missing. Reading an invalid value throws a `decoding` error that names the tag;
/// values that are not read are not checked.
struct CameraTags {
    private let exif: EXIFBlock

    /// Returns nil for a photo without readable EXIF.
    init?(_ header: ImageHeader) {
        guard let exif = header.exif.flatMap({ EXIFBlock($0) }) else { return nil }
        self.exif = exif
    }

    enum North: Sendable {
        case `true`, magnetic
    }

    enum Datum: Sendable {
        case ellipsoid, seaLevel
    }

    /// Returns the latitude in degrees north.
    func latitude() throws(MediaError) -> Double? {
        try coordinate(0x0002, "GPSLatitude", reference: 0x0001, sides: ("N", "S"), limit: 90)
    }

    /// Returns the longitude in degrees east.
    func longitude() throws(MediaError) -> Double? {
        try coordinate(0x0004, "GPSLongitude", reference: 0x0003, sides: ("E", "W"), limit: 180)
    }

    /// Returns the altitude in metres above the ellipsoid or sea level.
    func altitude() throws(MediaError) -> (metres: Double, above: Datum)? {
        guard let metres = try number(exif.location[0x0006], "GPSAltitude", in: -11_000...100_000) else { return nil }
        let reference = exif.location[0x0005].flatMap(exif.block.integer) ?? 0
        // Since EXIF 3.0, 2 and 3 count from the ellipsoid.
        guard (0...3).contains(reference) else { throw fault("GPSAltitudeRef", "is \(reference), not 0 to 3") }
        return (reference % 2 == 1 ? -abs(metres) : metres, reference < 2 ? .seaLevel : .ellipsoid)
    }

    /// Returns the heading in degrees clockwise from north.
    func heading() throws(MediaError) -> (degrees: Double, from: North)? {
        guard let degrees = try number(exif.location[0x0011], "GPSImgDirection", in: 0...360) else { return nil }
        let reference = exif.location[0x0010].flatMap(exif.block.text) ?? "T"
        switch reference.uppercased() {
        case "T": return (degrees, .true)
        case "M": return (degrees, .magnetic)
        default: throw fault("GPSImgDirectionRef", "is '\(String(reference.prefix(20)).onOneLine)', neither T nor M")
        }
    }

    /// Returns the elevation in degrees above the horizon.
    func elevation() throws(MediaError) -> Double? {
        guard let field = exif.capture[0x9405], !isUnknown(field) else { return nil }
        return try number(field, "CameraElevationAngle", in: -90...90)
    }

    /// Returns the focal length in millimetres of a lens with the same diagonal field of view on film of 36 × 24 mm;
    /// nil also for 0, which means unknown.
    func filmFocalLength() throws(MediaError) -> Double? {
        guard let field = exif.capture[0xA405] else { return nil }
        guard let length = exif.block.integer(field) else { throw fault("FocalLengthIn35mmFilm", "is not a number") }
        guard length > 0 else {
            throw fault("FocalLengthIn35mmFilm", "is 0, which means unknown")
        }
        guard (3...5000).contains(length) else { throw fault("FocalLengthIn35mmFilm", "is \(length) mm") }
        return Double(length)
    }

    /// The size that the camera stored; nil if unknown.
    var storedSize: PixelSize? {
        guard let width = exif.capture[0xA002].flatMap(exif.block.integer),
            let height = exif.capture[0xA003].flatMap(exif.block.integer), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The time of the capture as a fractional year with a resolution of a day: `2026.5`; nil if unknown.
    var year: Double? {
        guard let parts = exif.date?.prefix(10).split(separator: ":").map({ Int($0) }), parts.count == 3,
            let year = parts[0], let month = parts[1], let day = parts[2], (1800...9999).contains(year),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return Double(year) + (Double(month - 1) + Double(day - 1) / 31) / 12
    }

    // MARK: Values

    private func coordinate(
        _ tag: Int, _ name: String, reference: Int, sides: (positive: String, negative: String), limit: Double
    ) throws(MediaError) -> Double? {
        guard let field = exif.location[tag] else { return nil }
        let parts = exif.block.rationals(field)
        guard (1...3).contains(parts.count), parts.allSatisfy(\.isFinite) else {
            throw fault(name, "is not degrees, minutes and seconds")
        }
        let degrees = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
        guard (0...limit).contains(degrees) else {
            throw fault(name, "is \(degrees.shortDescription)°, not 0 to \(limit.shortDescription)")
        }
        let side = exif.location[reference].flatMap(exif.block.text) ?? ""
        switch side.uppercased() {
        case sides.positive: return degrees
        case sides.negative: return -degrees
        default:
            let what = side.isEmpty ? "missing" : "'\(String(side.prefix(20)).onOneLine)'"
            throw fault("\(name)Ref", "is \(what), neither \(sides.positive) nor \(sides.negative)")
        }
    }

    private func number(
        _ field: TIFFBlock.Field?, _ name: String, in range: ClosedRange<Double>
    ) throws(MediaError) -> Double? {
        guard let field else { return nil }
        guard let value = exif.block.rationals(field).first, value.isFinite else {
            throw fault(name, "is not a number")
        }
        guard range.contains(value) else {
            let bounds = "\(range.lowerBound.shortDescription) to \(range.upperBound.shortDescription)"
            throw fault(name, "is \(value.shortDescription), not \(bounds)")
        }
        return value
    }

    /// Returns whether the denominator is FFFFFFFF, which means unknown.
    private func isUnknown(_ field: TIFFBlock.Field) -> Bool {
        field.value.count == 8 && exif.block.bytes(of: field).suffix(4).allSatisfy { $0 == 0xFF }
    }

    private func fault(_ tag: String, _ reason: String) -> MediaError {
        MediaError(.decoding, step: .goggles, reason: "the EXIF tag \(tag) \(reason)")
    }
}

extension TIFFBlock {
    /// Returns the values of a field of fractions, signed or not; not finite for a denominator of 0.
    fileprivate func rationals(_ field: Field) -> [Double] {
        guard field.type == 5 || field.type == 10 else { return [] }
        let signed = { (value: Int) in Double(field.type == 10 ? Int(Int32(truncatingIfNeeded: value)) : value) }
        return (0..<min(field.count, 16)).map { index in
            let offset = field.value.lowerBound + 8 * index
            return signed(unsigned32(at: offset)) / signed(unsigned32(at: offset + 4))
        }
    }
}
