public import WayreelCore
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
    /// Throws an `io` error if the file cannot be read, and a `decoding` error with the line if it is not GPX, has
    /// neither track nor route, or has an invalid position or time.
    public static func read(path: String) throws(MediaError) -> Track {
        let input = try TrackInput(path: path)
        let builder = GPXBuilder(input.name)
        try XMLEvents.load()
        let isWhole = XMLEvents.parse(to: builder) { input.read(into: $0) }
        if let error = input.error { throw error }
        return try builder.track(isWhole: isWhole)
    }

    /// Reads GPX from memory. `name` is the name of the input in error messages.
    public static func read(_ bytes: [UInt8], name: String = "track") throws(MediaError) -> Track {
        let builder = GPXBuilder(name)
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
        case other
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
    private var metresPerHDOP = Track.metresPerHDOP
    private var text: [UInt8] = []
    private var line = 1

    /// The line that is being read; `point` is the point in it that receives values.
    private var current = \GPXBuilder.tracks
    private var point: (segment: Int, index: Int)?
    private var hasAccuracy = false

    init(_ file: String) { self.file = file }

    // MARK: The result

    func track(isWhole: Bool) throws(MediaError) -> Track {
        if let error { throw error }
        guard isWhole else { throw fault("the document ends too early") }
        let found = [tracks, routes].lazy.map { lines in
            Track(name: lines.name, segments: lines.segments.filter { !$0.isEmpty })
        }
        guard let track = found.first(where: { !$0.segments.isEmpty }) else { throw nothing }
        return track
    }

    private var nothing: MediaError {
        let lines = tracks.segments.isEmpty && routes.segments.isEmpty
        let what = lines ? "it has neither a track nor a route" : "its tracks and routes have no point"
        let more = hasWaypoints ? "; a walk is not a set of waypoints, which have no order" : ""
        return MediaError(.decoding, step: "read", subject: file, reason: "\(what)\(more)")
    }

    private func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: "read", subject: file, reason: "line \(line): \(reason)")
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
            return name == "gpx" || stop(fault("the document is not GPX: it begins with <\(name)>"))
        }
        var opened = Open.other
        switch name {
        case "trk", "rte":
            opened = .line
            current = name == "trk" ? \.tracks : \.routes
            if name == "rte" { routes.segments.append([]) }
        case "trkseg": tracks.segments.append([])
        case "trkpt", "rtept":
            opened = .point
            guard add(attributes) else { return false }
            point = (
                self[keyPath: current].last, self[keyPath: current].segments[self[keyPath: current].last].count - 1
            )
            hasAccuracy = false
        // Points between two route points, as Garmin writes them.
        case "rpt": if point != nil { guard add(attributes) else { return false } }
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
        error = error ?? fault("the document is not well-formed XML: \(message.trimmed)")
    }

    // MARK: Points

    private func add(_ attributes: XMLAttributes) -> Bool {
        var degrees: [Double] = []
        for (name, word, limit) in [("lat", "latitude", 90.0), ("lon", "longitude", 180.0)] {
            guard let text = attributes[name] else { return stop(fault("a point has no \(word)")) }
            guard let number = DecimalNumber.value(text.trimmed), abs(number) <= limit else {
                return stop(fault("the \(word) '\(text.prefix(30))' is not within -\(Int(limit)) to \(Int(limit))"))
            }
            degrees.append(number)
        }
        pointCount += 1
        guard pointCount <= TrackLimits.points else {
            return stop(
                MediaError(
                    .limit, step: "read", subject: file, reason: "there are more than \(TrackLimits.points) points",
                    advice: "make several files of it"))
        }
        self[keyPath: current].append(Track.Point(GeoPoint(latitude: degrees[0], longitude: degrees[1])))
        return true
    }

    private func set(_ value: Value, _ text: String) -> Bool {
        guard let (segment, index) = point, !text.isEmpty else { return true }
        var point: Track.Point {
            get { self[keyPath: current].segments[segment][index] }
            set { self[keyPath: current].segments[segment][index] = newValue }
        }
        if case .time = value {
            guard let time = Timestamp(gpx: text) else {
                return stop(fault("invalid time '\(text.prefix(40))': expected RFC 3339, such as 2026-11-23T17:05:09Z"))
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
