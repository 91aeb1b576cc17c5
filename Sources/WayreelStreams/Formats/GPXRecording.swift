internal import WayreelCore
internal import WayreelDocument

extension MediaError.Format {
    static let gpx = MediaError.Format(rawValue: "GPX")
}

extension RecordingFormat {
    /// GPX 1.0 and 1.1 with the sensors of Garmin's and other extensions; waypoints with a time are marks.
    static let gpx = RecordingFormat(
        name: "GPX", extensions: ["gpx"],
        recognizes: { (head, _) in
            let text = String(decoding: head.prefix(2048), as: UTF8.self)
            guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" else { return false }
            return ["<gpx>", "<gpx ", "<gpx\n", "<gpx\r", "<gpx\t"].contains { text.contains($0) }
        },
        open: { (input) throws(MediaError) in try GPXRecording(input) })
}

/// The points of a track, which are all read before the first piece.
final class GPXRecording: RecordingSource {
    private(set) var head: RecordingHead
    private let columns: [GPXPoints.Column]
    private var place = 0
    private let count: Int

    private static let batch = 4096

    init(_ input: RecordingInput) throws(MediaError) {
        try SharedLibrary.libxml2.require(step: .read)
        let file = try RecordingBytes(input.path, .gpx, input)
        let points = GPXPoints(file, input.onDamage)
        var offset = 0
        let isWhole = XMLEvents.parse(to: points) { buffer in
            do throws(MediaError) {
                let bytes = try file.read(buffer.count, at: offset)
                buffer.copyBytes(from: bytes)
                offset += bytes.count
                return bytes.count
            } catch {
                points.stop(error)
                return nil
            }
        }
        (head, columns, count) = try points.finish(isWhole: isWhole)
    }

    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard place < count else { return false }
        let end = min(count, place + Self.batch)
        for (channel, column) in columns.enumerated() {
            let range = column.rows.partition(place)..<column.rows.partition(end)
            guard !range.isEmpty else { continue }
            sink.add(
                channel, times: column.times.span.extracting(range), values: column.values.span.extracting(range))
        }
        place = end
        return true
    }
}

extension [Int32] {
    /// The index of the first number that is not below `limit`, in ascending numbers.
    fileprivate func partition(_ limit: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if Int(self[middle]) < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Collects the points of a GPX document.
private final class GPXPoints: XMLEventReceiver {
    struct Column {
        var channel: SensorChannel
        /// The numbers of the points that have a value.
        var rows: [Int32] = []
        var times: [Int64] = []
        var values: [Double] = []
    }

    private static let maxPoints = 2_000_000
    private static let maxDepth = 64
    private static let maxText = 1000

    /// The channels by the local names of elements, in a point or its extensions.
    private static let channels: [String: SensorChannel] = [
        "ele": SensorChannel("position", "altitude", unit: "m"),
        "speed": SensorChannel("position", "speed", unit: "m/s"),
        "course": SensorChannel("position", "course", unit: "°"),
        "bearing": SensorChannel("position", "course", unit: "°"),
        "accuracy": SensorChannel("position", "accuracy", unit: "m"),
        "hAcc": SensorChannel("position", "accuracy", unit: "m"),
        "hr": SensorChannel("fitness", "heart-rate", unit: "bpm"),
        "heartrate": SensorChannel("fitness", "heart-rate", unit: "bpm"),
        "cad": SensorChannel("fitness", "cadence", unit: "rpm"),
        "cadence": SensorChannel("fitness", "cadence", unit: "rpm"),
        "atemp": SensorChannel("fitness", "temperature", unit: "°C"),
        "wtemp": SensorChannel("fitness", "water-temperature", unit: "°C"),
        "depth": SensorChannel("fitness", "depth", unit: "m"), "power": SensorChannel("fitness", "power", unit: "W"),
        "PowerInWatts": SensorChannel("fitness", "power", unit: "W"),
    ]
    /// Values below zero that mean: unknown.
    private static let unsigned: Set = [
        "position.speed", "position.course", "position.accuracy", "fitness.heart-rate", "fitness.cadence",
    ]

    private let file: RecordingBytes
    private let onDamage: ((MediaError) -> Void)?
    private var error: MediaError?
    private var head = RecordingHead()
    private var columns: [Column] = []
    private var count = 0
    private var open: [String] = []
    private var text: [UInt8] = []
    private var line = 1
    private var ending: String?

    /// The point or waypoint that is open.
    private var point: (latitude: Double, longitude: Double, isWaypoint: Bool)?
    private var time: SensorTime?
    private var name = ""
    private var values: [(SensorChannel, Double)] = []

    init(_ file: RecordingBytes, _ onDamage: ((MediaError) -> Void)?) { (self.file, self.onDamage) = (file, onDamage) }

    func finish(isWhole: Bool) throws(MediaError) -> (RecordingHead, [Column], Int) {
        if let error { throw error }
        if !isWhole { damage(ending ?? "the document ends too early") }
        if let error { throw error }
        guard count > 0 || !head.marks.isEmpty else {
            throw file.fault("the document has no point with a time")
        }
        head.channels = columns.map(\.channel)
        head.notation = .date
        return (head, columns, count)
    }

    func stop(_ error: MediaError) { self.error = self.error ?? error }

    private func damage(_ reason: String) {
        let fault = file.fault("line \(line): \(reason)")
        guard let onDamage else { return stop(fault) }
        head.skipped += 1
        onDamage(fault)
    }

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        line = place.line
        guard open.count < Self.maxDepth else {
            stop(file.fault("line \(line): elements are nested more than \(Self.maxDepth) deep"))
            return false
        }
        if open.isEmpty, name != "gpx" {
            stop(file.fault("line \(line): the document begins with <\(name)>"))
            return false
        }
        if ["trkpt", "rtept", "wpt"].contains(name), point == nil {
            let place = ["lat", "lon"].map { attributes[$0].flatMap { DecimalNumber.value($0.trimmed()) } }
            if let latitude = place[0], let longitude = place[1], abs(latitude) <= 90, abs(longitude) <= 180 {
                point = (latitude, longitude, name == "wpt")
                (time, self.name) = (nil, "")
                values.removeAll(keepingCapacity: true)
            } else {
                damage("a point has no valid latitude and longitude")
            }
        }
        text.removeAll(keepingCapacity: true)
        open.append(name)
        return error == nil
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if point != nil { text += bytes.prefix(max(0, Self.maxText - text.count)) }
        return true
    }

    func end() -> Bool {
        guard let name = open.popLast(), point != nil else { return true }
        if ["trkpt", "rtept", "wpt"].contains(name) {
            add()
            point = nil
            return error == nil
        }
        let text = String(field: self.text)
        self.text.removeAll(keepingCapacity: true)
        if name == "time" {
            time = Self.time(text)
            if time == nil, !text.isEmpty { damage("the time '\(text)' is none") }
        } else if name == "name" {
            self.name = text
        } else if let channel = Self.channels[name], let value = DecimalNumber.value(text),
            value >= 0 || !Self.unsigned.contains(channel.name)
        {
            values.append((channel, value))
        }
        return error == nil
    }

    /// Devices also write times without a zone, which are in UTC.
    private static func time(_ text: String) -> SensorTime? { SensorTime(date: text) ?? SensorTime(date: text + "Z") }

    private func add() {
        guard let point, let time else { return }
        if point.isWaypoint {
            let mark = SensorMark(time, text: name.isEmpty ? "waypoint" : name)
            do throws(LineDamage) { try head.add(mark) } catch { damage(error.reason) }
            return
        }
        guard count < Self.maxPoints else {
            return stop(file.fault("the document has more than \(Self.maxPoints) points", kind: .limit))
        }
        var taken: Set<SensorChannel> = []
        let place = [
            (SensorChannel("position", "latitude", unit: "°"), point.latitude),
            (SensorChannel("position", "longitude", unit: "°"), point.longitude),
        ]
        for (channel, value) in place + values where taken.insert(channel).inserted {
            let index = columns.firstIndex { $0.channel == channel } ?? columns.count
            if index == columns.count { columns.append(Column(channel: channel)) }
            columns[index].rows.append(Int32(count))
            columns[index].times.append(time.microseconds)
            columns[index].values.append(value)
        }
        count += 1
    }

    func doctype(at place: XMLPlace) -> Bool {
        line = place.line
        stop(file.fault("line \(line): a document type declaration (DTD) is not allowed in GPX"))
        return false
    }

    func fault(_ message: String, line: Int, column: Int) {
        // An undeclared prefix does not stop the parser.
        guard !message.hasPrefix("Namespace") else { return }
        self.line = line
        ending = ending ?? "the document is not well-formed XML: \(message.trimmed())"
    }
}
