internal import Glibc
public import WayreelCore
internal import WayreelEngine
internal import WayreelImage
public import WayreelStory

/// Information about a photo's pose that supplements its EXIF tags and takes precedence over them.
///
///     var source = PoseSource()
///     source.pitch = 5
///     let found = try source.pose(ofPhotoAt: "photo.heic", seeing: pins.map(\.position))
///     for note in found.notes { print(note) }
public struct PoseSource: Hashable, Sendable {
    public var position: GeoPoint?
    /// The direction in degrees clockwise from true north.
    public var heading: Double?
    /// Degrees above the horizon. The default is EXIF's CameraElevationAngle, or else 0.
    public var pitch: Double?
    /// The rotation in degrees clockwise. The default is 0.
    public var roll: Double?
    /// The field of view in degrees across the width of the upright photo.
    public var fieldOfView: Double?
    /// The angle from true north to magnetic north in degrees, clockwise. The default is that of the World Magnetic
    /// Model.
    public var declination: Double?

    public init(
        position: GeoPoint? = nil, heading: Double? = nil, pitch: Double? = nil, roll: Double? = nil,
        fieldOfView: Double? = nil, declination: Double? = nil
    ) {
        self.position = position
        self.heading = heading
        self.pitch = pitch
        self.roll = roll
        self.fieldOfView = fieldOfView
        self.declination = declination
    }

    /// A pose, and the assumptions that were made for it.
    public struct Found: Hashable, Sendable {
        public var pose: CameraPose
        public var notes: [MediaWarning]
    }

    /// Returns the pose of the photo in a file.
    ///
    /// Throws an `io` or `decoding` error if the file cannot be read, a `decoding` error that names the tag if an
    /// EXIF value is impossible, and a `parameter` error if a required value is neither given nor in EXIF.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public func pose(
        ofPhotoAt path: String, page: Int? = nil, seeing pins: [GeoPoint], limits: Limits = .standard
    ) throws(MediaError) -> Found {
        do {
            // The photo is read again when the pins are drawn on it.
            try RegularFile.require(path)
            let task = TaskContext(seconds: limits.seconds)
            let bytes = try MediaBytes.read(path: path, limit: limits.inputBytes, task: task)
            let header = try ImageDecoder.open(bytes, page: page, limits: limits, task: task).header
            return try pose(of: header, seeing: pins)
        } catch {
            throw error.naming(path)
        }
    }

    func pose(of header: ImageHeader, seeing pins: [GeoPoint]) throws(MediaError) -> Found {
        if let declination, !(-180...180).contains(declination) {
            throw MediaError(
                .parameter, step: .goggles,
                reason: "the declination \(declination.shortDescription)° is not within -180 to 180",
                advice: "correct it with \(OptionName.declination)")
        }
        let tags = CameraTags(header)
        let size = header.uprightOrientation.upright(header.size)
        var notes: [MediaWarning] = []
        var position = try required(position, "a position", .position) { () throws(MediaError) in
            try tags?.position(notes: &notes)
        }
        if position.altitude == nil {
            let known = pins.compactMap(\.altitude)
            position.altitude = known.isEmpty ? 0 : known.reduce(0, +) / Double(known.count)
            let assumed = position.altitude?.rounded().shortDescription ?? "0"
            notes.append(
                MediaWarning(
                    step: .goggles, "without an altitude, the camera is assumed as high as the pins, at \(assumed) m",
                    advice: "give it with \(.position)"))
        }
        let heading = try required(heading, "a heading", .heading) { () throws(MediaError) in
            try tags?.trueHeading(at: position, declination: declination, notes: &notes)
        }
        let pitch = try given(pitch, .pitch) { () throws(MediaError) in try tags?.elevation() }
        if pitch == nil {
            notes.append(
                MediaWarning(
                    step: .goggles, "the camera is assumed level", advice: "give its \(.pitch) and \(.roll)"))
        }
        let fieldOfView = try required(fieldOfView, "a focal length", .fieldOfView) { () throws(MediaError) in
            try tags?.fieldOfView(of: size, stored: header.size, notes: &notes)
        }
        let pose = CameraPose(
            position: position, heading: heading, pitch: pitch ?? 0, roll: roll ?? 0,
            horizontalFieldOfView: fieldOfView, imageSize: size)
        try pose.check()
        return Found(pose: pose, notes: notes)
    }

    private func required<Value>(
        _ given: Value?, _ name: String, _ option: OptionName, or read: () throws(MediaError) -> Value?
    ) throws(MediaError) -> Value {
        if let value = try self.given(given, option, or: read) { return value }
        throw MediaError(
            .parameter, step: .goggles,
            reason: "the photo's EXIF holds no \(name.split(separator: " ", maxSplits: 1)[1])",
            advice: "give it with \(option)")
    }

    private func given<Value>(
        _ given: Value?, _ option: OptionName, or read: () throws(MediaError) -> Value?
    ) throws(MediaError) -> Value? {
        if let given { return given }
        do { return try read() } catch {
            var fault = error
            fault.advice = fault.advice ?? "give the true value with \(option)"
            throw fault
        }
    }
}

extension CameraTags {
    fileprivate func position(notes: inout [MediaWarning]) throws(MediaError) -> GeoPoint? {
        guard let latitude = try latitude(), let longitude = try longitude() else { return nil }
        guard latitude != 0 || longitude != 0 else {
            throw MediaError(
                .decoding, step: .goggles, reason: "the EXIF tags GPSLatitude and GPSLongitude are both 0")
        }
        var point = GeoPoint(latitude: latitude, longitude: longitude)
        switch try altitude() {
        case nil: break
        case (let metres, .ellipsoid)?: point.altitude = metres
        case (let metres, .seaLevel)?:
            notes.append(
                MediaWarning(
                    step: .goggles,
                    "the photo's altitude, \(metres.rounded().shortDescription) m, counts from the sea, those of stories from the "
                        + "ellipsoid, and is not used"))
        }
        return point
    }

    fileprivate func trueHeading(
        at position: GeoPoint, declination: Double?, notes: inout [MediaWarning]
    ) throws(MediaError) -> Double? {
        guard let (degrees, north) = try heading() else { return nil }
        guard north == .magnetic else { return degrees }
        if let declination { return (degrees + declination).asCompassDegrees }
        let year = year ?? MagneticModel.validity.lowerBound
        let field = MagneticModel.wmm2025.field(at: position, year: year)
        if self.year == nil {
            notes.append(
                MediaWarning(
                    step: .goggles, "the photo has no date; the magnetic declination is that of the beginning of 2025",
                    advice: "give it with \(.declination)"))
        } else if !MagneticModel.validity.contains(year) {
            notes.append(
                MediaWarning(
                    step: .goggles,
                    "the photo is of \(Int(year)), but the World Magnetic Model is for 2025 to 2029; the heading may be off by a degree or "
                        + "more", advice: "give \(.declination)"))
        }
        if field.horizontal < 2000 {
            notes.append(
                MediaWarning(
                    step: .goggles, "so near to a magnetic pole, a compass cannot be trusted",
                    advice: "give \(.heading)"))
        }
        return (degrees + field.declination).asCompassDegrees
    }

    /// Returns the field of view in degrees across the upright photo of `size`.
    ///
    /// An equivalent focal length has the same angle across the diagonal, 43.27 mm on film: an iPhone 11 Pro writes
    /// 26 mm for a lens of 4.25 mm in front of a sensor of 5.64 × 4.23 mm, and 4.25 × 43.27 / 7.06 is 26.0, while the
    /// width would give 27.1. Phones already include their digital zoom in this value.
    fileprivate func fieldOfView(
        of size: PixelSize, stored: PixelSize, notes: inout [MediaWarning]
    ) throws(MediaError) -> Double? {
        guard let length = try filmFocalLength() else { return nil }
        if let stated = storedSize, !stated.hasAspect(of: stored), !stated.hasAspect(of: stored.turned) {
            notes.append(
                MediaWarning(
                    step: .goggles,
                    "the photo is \(stored) but its camera stored \(stated): it was cropped, and its field of view is uncertain",
                    advice: "give \(.fieldOfView)"))
        }
        let diagonal = hypot(Double(size.width), Double(size.height))
        let focalLength = length * diagonal / hypot(36, 24)
        return 2 * atan(Double(size.width) / 2 / focalLength) * 180 / .pi
    }
}

extension PixelSize {
    /// Whether the aspect ratio is the same within 2 %.
    fileprivate func hasAspect(of other: PixelSize) -> Bool {
        let ratio = Double(width) * Double(other.height) / (Double(height) * Double(other.width))
        return abs(ratio - 1) < 0.02
    }
}

extension OptionName {
    public static let position = OptionName(rawValue: "pose.position")
    public static let heading = OptionName(rawValue: "pose.heading")
    public static let pitch = OptionName(rawValue: "pose.pitch")
    public static let roll = OptionName(rawValue: "pose.roll")
    public static let fieldOfView = OptionName(rawValue: "pose.fieldOfView")
    public static let declination = OptionName(rawValue: "pose.declination")

    /// All of this module.
    package static let ofGoggles: [OptionName] = [.position, .heading, .pitch, .roll, .fieldOfView, .declination]
}
