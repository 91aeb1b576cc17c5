public import WayreelCore
internal import WayreelDocument
internal import WayreelStory

extension Track {
    /// Reads a GPX file of version 1.0 or 1.1, or standard input for `-`. All tracks, or all routes if there are no
    /// tracks, become the segments of one track.
    ///
    /// Points stay in the order of the file, whatever their times. Besides position, altitude and time, a point's
    /// speed, course and accuracy are read, also from the extensions of Garmin, OsmAnd and others. A value there that
    /// is not a number, or is impossible, such as a speed of -1, counts as unknown. A time without a zone is in UTC.
    /// A receiver's `hdop` is converted to an accuracy, see ``metresPerHDOP``.
    ///
    /// A file may have 4 GB and 10 million points; only the points are kept in memory.
    ///
    /// With `onDamage`, a damaged file is read as far as possible, and a warning with a count is passed for each kind of
    /// damage. Points with an invalid position are left out. If most points have a time, those without a valid one are
    /// left out too. Of a file that ends too early, or is not well-formed, the points before are used.
    ///
    /// Throws an `io` error if the file cannot be read, and a `decoding` error with the line if it is not GPX, has
    /// neither track nor route, has no point that can be used, or, without `onDamage`, is damaged.
    public static func read(
        path: String, onDamage: ((MediaWarning) -> Void)? = nil
    ) throws(MediaError) -> Track {
        let input = try TrackInput(path: path)
        let builder = GPXBuilder(input.name, onDamage)
        try XMLEvents.load()
        let isWhole = XMLEvents.parse(to: builder) { input.read(into: $0) }
        if let error = input.error { throw error }
        return try builder.track(isWhole: isWhole)
    }

    /// Reads GPX from memory. `name` is the name of the input in error messages.
    public static func read(
        _ bytes: [UInt8], name: String = "track", onDamage: ((MediaWarning) -> Void)? = nil
    ) throws(MediaError) -> Track {
        let builder = GPXBuilder(name, onDamage)
        try XMLEvents.load()
        let isWhole = bytes.withUnsafeBytes { XMLEvents.parse($0, to: builder) }
        return try builder.track(isWhole: isWhole)
    }

    /// The accuracy in metres (95 %) per unit of horizontal dilution of precision.
    ///
    /// The dilution is a factor without unit by which the constellation of satellites increases the error of their
    /// ranges. That error is about 2.5 m for a phone in the open (standard deviation), and twice as much covers 95 %.
    public static let metresPerHDOP = 5.0
}

/// Builds a track from the elements of a GPX document.
private final class GPXBuilder: XMLEventReceiver {
    /// The kinds of open elements.
    private enum Open {
        case line, name, point
        case value(Value)
        case leftOut, other
    }

    private enum Value {
        case altitude, time, speed, course, heading, accuracy, hdop
    }

    /// Values by the local name of the element, in a point or its extensions.
    private static let values: [String: Value] = [
        "ele": .altitude, "time": .time, "speed": .speed, "course": .course, "bearing": .course, "heading": .heading,
        "accuracy": .accuracy, "hacc": .accuracy, "hAcc": .accuracy, "horizontalAccuracy": .accuracy, "hdop": .hdop,
    ]

    /// The segments of all tracks, or of all routes.
    private struct Lines {
        var name: String?
        var segments: [[Track.Point]] = []

        var last: Int { segments.count - 1 }
        mutating func append(_ point: Track.Point) {
            if segments.isEmpty { segments.append([]) }
            segments[last].append(point)
        }
    }

    private let file: String
    private var error: MediaError?
    private var open: [Open] = []
    private var tracks = Lines()
    private var routes = Lines()
    private var pointCount = 0
    private var hasWaypoints = false
    private var hasBegun = false
    private var metresPerHDOP = Track.metresPerHDOP
    private var text: [UInt8] = []
    private var line = 1

    /// The line that is being read; `point` is the point in it that receives values.
    private var current = \GPXBuilder.tracks
    private var point: (segment: Int, index: Int)?
    private var hasAccuracy = false

    /// Damage of one kind, with its first reason.
    private struct Damage {
        var count = 0
        var first = ""

        mutating func add(_ reason: String) {
            if count == 0 { first = reason }
            count += 1
        }
    }

    /// Receives warnings about damage; nil if damage is an error.
    private let onDamage: ((MediaWarning) -> Void)?
    private var invalidPositions = Damage()
    private var invalidTimes = Damage()
    /// Why the document cannot be read to its end.
    private var ending: MediaError?

    init(_ file: String, _ onDamage: ((MediaWarning) -> Void)?) {
        self.file = file
        self.onDamage = onDamage
    }

    // MARK: The result

    func track(isWhole: Bool) throws(MediaError) -> Track {
        if let error { throw error }
        let cut = isWhole ? nil : ending ?? fault("the document ends too early")
        if let cut {
            guard onDamage != nil else { throw cut }
            // The values of a point that is still open may be missing.
            if let (segment, index) = point { self[keyPath: current].segments[segment].remove(at: index) }
            if open.contains(where: { if case .leftOut = $0 { true } else { false } }) { invalidPositions.count -= 1 }
        }
        let found = [tracks, routes].lazy.map { lines in
            Track(name: lines.name, segments: lines.segments.filter { !$0.isEmpty })
        }
        guard let track = found.first(where: { !$0.segments.isEmpty }) else { throw cut ?? nothing }
        return report(track, cut)
    }

    /// Reports the damage, and returns the track without its points without a time, if most points have one.
    private func report(_ track: Track, _ cut: MediaError?) -> Track {
        guard let onDamage else { return track }
        func warn(_ message: String) { onDamage(MediaWarning(step: .read, message)) }
        if invalidPositions.count > 0 {
            warn(
                "\(invalidPositions.count.counted("point")) \(invalidPositions.count == 1 ? "has" : "have") no valid "
                    + "position and \(invalidPositions.count == 1 ? "is" : "are") left out, the first in \(invalidPositions.first)"
            )
        }
        let points = track.points
        let untimed = points.count { $0.timestamp == nil }
        let reason = invalidTimes.count == 0 ? "" : "; the first invalid time is in \(invalidTimes.first)"
        var result = track
        if untimed > 0, untimed * 2 <= points.count {
            warn(
                "\(untimed) of \(points.count) points \(untimed == 1 ? "has" : "have") no valid time and "
                    + "\(untimed == 1 ? "is" : "are") left out\(reason)")
            result.segments = track.segments.map { $0.filter { $0.timestamp != nil } }.filter { !$0.isEmpty }
        } else if untimed > 0, untimed < points.count || invalidTimes.count > 0 {
            warn("only \(points.count - untimed) of \(points.count) points have a valid time\(reason)")
        }
        if let cut {
            warn(
                "\(cut.reason); the \(points.count == 1 ? "point before is" : "\(points.count) points before are") used"
            )
        }
        return result
    }

    private var nothing: MediaError {
        let lines = tracks.segments.isEmpty && routes.segments.isEmpty
        let what =
            lines
            ? "it has neither a track nor a route"
            : invalidPositions.count > 0
                ? "no point has a valid position, the first in \(invalidPositions.first)"
                : "its tracks and routes have no point"
        let more = hasWaypoints ? "; a walk is not a set of waypoints, which have no order" : ""
        return MediaError(.decoding, step: .read, subject: file, reason: "\(what)\(more)")
    }

    private func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: .read, subject: file, reason: "line \(line): \(reason)")
    }

    private func notGPX(_ reason: String) -> MediaError {
        var error = fault("the document is not GPX: \(reason)")
        error.advice = "export the walk as GPX"
        return error
    }

    private func stop(_ error: MediaError) -> Bool {
        self.error = self.error ?? error
        return false
    }

    // MARK: The document

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        line = place.line
        guard open.count < TrackLimits.depth else {
            return stop(fault("elements are nested more than \(TrackLimits.depth) deep"))
        }
        guard !open.isEmpty else {
            open.append(.other)
            // OsmAnd writes the accuracy in metres in this element.
            if attributes["creator"]?.hasPrefix("OsmAnd") == true { metresPerHDOP = 1 }
            hasBegun = true
            return name == "gpx" || stop(notGPX("it begins with <\(name)>"))
        }
        var opened = Open.other
        switch name {
        case "trk", "rte":
            opened = .line
            current = name == "trk" ? \.tracks : \.routes
            if name == "rte" { routes.segments.append([]) }
        case "trkseg": tracks.segments.append([])
        case "trkpt", "rtept":
            switch add(attributes) {
            case .added:
                opened = .point
                point = (
                    self[keyPath: current].last,
                    self[keyPath: current].segments[self[keyPath: current].last].count - 1
                )
                hasAccuracy = false
            case .leftOut: opened = .leftOut
            case .refused: return false
            }
        // Points between two route points, as Garmin writes them.
        case "rpt": if point != nil, add(attributes) == .refused { return false }
        case "wpt": hasWaypoints = true
        case "name":
            if case .line = open[open.count - 1] { opened = .name }
        default: break
        }
        // OsmAnd's heading is the direction in which the device points, not the course.
        let isCompass = name == "heading" && space == "https://osmand.net"
        if point != nil, !isCompass, let value = Self.values[name] { opened = .value(value) }
        text.removeAll(keepingCapacity: true)
        open.append(opened)
        return true
    }

    func end() -> Bool {
        switch open.popLast() {
        case .point: point = nil
        case .name:
            self[keyPath: current].name = self[keyPath: current].name ?? String(decoding: text, as: UTF8.self).trimmed
        case .value(let value): return set(value, String(decoding: text, as: UTF8.self).trimmed)
        default: break
        }
        return true
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch open.last {
        case .name, .value: text += bytes.prefix(max(0, TrackLimits.text - text.count))
        default: break
        }
        return true
    }

    func doctype(at place: XMLPlace) -> Bool {
        line = place.line
        return stop(fault("a document type declaration (DTD) is not allowed in GPX"))
    }

    func fault(_ message: String, line: Int, column: Int) {
        self.line = line
        // An undeclared prefix does not stop the parser and is ignored.
        guard !message.hasPrefix("Namespace") else { return }
        if !hasBegun, message.hasPrefix("Document is empty") { _ = stop(fault("the document is empty")) }
        // JSON, binary formats and web pages.
        if !hasBegun, message.hasPrefix("Start tag expected") || message.hasPrefix("StartTag: invalid element name") {
            _ = stop(notGPX("it begins with no element of XML"))
        }
        ending = ending ?? fault("the document is not well-formed XML: \(message.trimmed)")
    }

    // MARK: Points

    private enum Addition { case added, leftOut, refused }

    private func add(_ attributes: XMLAttributes) -> Addition {
        var degrees: [Double] = []
        for (name, word, limit) in [("lat", "latitude", 90.0), ("lon", "longitude", 180.0)] {
            guard let text = attributes[name] else { return leaveOut("a point has no \(word)") }
            guard let number = DecimalNumber.value(text.trimmed), abs(number) <= limit else {
                return leaveOut("the \(word) '\(text.prefix(30))' is not within -\(Int(limit)) to \(Int(limit))")
            }
            degrees.append(number)
        }
        pointCount += 1
        guard pointCount <= TrackLimits.points else {
            _ = stop(
                MediaError(
                    .limit, step: .read, subject: file, reason: "there are more than \(TrackLimits.points) points",
                    advice: "make several files of it"))
            return .refused
        }
        self[keyPath: current].append(Track.Point(GeoPoint(latitude: degrees[0], longitude: degrees[1])))
        return .added
    }

    private func leaveOut(_ reason: String) -> Addition {
        guard onDamage != nil else {
            _ = stop(fault(reason))
            return .refused
        }
        invalidPositions.add("line \(line): \(reason)")
        return .leftOut
    }

    private func set(_ value: Value, _ text: String) -> Bool {
        guard let (segment, index) = point, !text.isEmpty else { return true }
        var point: Track.Point {
            get { self[keyPath: current].segments[segment][index] }
            set { self[keyPath: current].segments[segment][index] = newValue }
        }
        if case .time = value {
            guard let time = Timestamp(gpx: text) else {
                let reason = "invalid time '\(text.prefix(40))': expected RFC 3339, such as 2026-11-23T17:05:09Z"
                guard onDamage != nil else { return stop(fault(reason)) }
                invalidTimes.add("line \(line): '\(text.prefix(40))'")
                return true
            }
            point.timestamp = time
            return true
        }
        // A value beyond a million metres, or a thousand kilometres a second, is not a measurement.
        guard let number = DecimalNumber.value(text), abs(number) <= 1_000_000 else { return true }
        switch value {
        case .altitude: point.position.altitude = number
        case .speed: if number >= 0 { point.speed = number }
        case .course: if (0...360).contains(number) { point.course = number.asCompassDegrees }
        case .heading:
            if point.course == nil, (0...360).contains(number) { point.course = number.asCompassDegrees }
        case .accuracy:
            guard number > 0 else { break }
            point.accuracy = number
            hasAccuracy = true
        case .hdop: if number > 0, !hasAccuracy { point.accuracy = number * metresPerHDOP }
        case .time: break
        }
        return true
    }
}

extension Timestamp {
    /// Parses a time of XML Schema as devices write it: it may lack a zone, which means UTC, or have an offset such
    /// as `+0100`.
    fileprivate init?(gpx text: String) {
        if let timestamp = Timestamp(text) ?? Timestamp(text + "Z") {
            self = timestamp
        } else {
            guard let sign = text.dropLast(4).last, "+-".contains(sign),
                let timestamp = Timestamp("\(text.dropLast(2)):\(text.suffix(2))")
            else { return nil }
            self = timestamp
        }
    }
}

extension String {
    /// The text without XML white space at both ends.
    fileprivate var trimmed: String {
        guard let first = utf8.firstIndex(where: { $0 > 0x20 }), let last = utf8.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return String(self[first...last])
    }
}
