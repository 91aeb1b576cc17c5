internal import WayreelCore
internal import WayreelDocument
internal import WayreelGround

extension PlaceCollector {
    /// Reads the placemarks of KML 2.2 (OGC 07-147), or the waypoints of GPX.
    func readXML(_ bytes: MediaBytes) throws(MediaError) {
        try SharedLibrary.libxml2.require(step: .places)
        let reader = XMLPlaceReader(self)
        let isWhole = bytes.withBytes { span in
            span.withUnsafeBytes { XMLEvents.parse($0, to: reader) }
        }
        if let error = reader.error { throw error }
        guard isWhole else { throw fault("the document ends too early", "export it again") }
        finish(reader.isGPX ? "waypoint" : "placemark")
    }
}

/// Makes places of the elements of KML or GPX.
private final class XMLPlaceReader: XMLEventReceiver {
    private static let maxDepth = 64
    /// The longest text of an element in bytes; the rest is cut off.
    private static let maxText = 20_000
    /// The longest list of coordinates; a longer one is no valid position.
    private static let maxCoordinates = 4 << 20

    private let collector: PlaceCollector
    private(set) var error: MediaError?
    private(set) var isGPX = false
    private var line = 1
    /// The names of the open elements.
    private var open: [String] = []
    private var text: [UInt8] = []

    /// What is known of the place that is open.
    private struct Draft {
        var depth: Int
        var id: String?
        var tags: [String: String] = [:]
        var position: (latitude: Double, longitude: Double)?
        var rings: [[(latitude: Double, longitude: Double)]] = []
    }

    private var draft: Draft?
    /// The key of the data of KML that is open.
    private var key: String?

    init(_ collector: PlaceCollector) { self.collector = collector }

    private func stop(_ error: MediaError) -> Bool {
        self.error = self.error ?? error
        return false
    }

    private func fault(_ reason: String, _ advice: MediaError.Advice? = nil) -> MediaError {
        collector.fault(.decoding, "line \(line): \(reason)", advice)
    }

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        line = place.line
        guard open.count < Self.maxDepth else {
            return stop(fault("elements are nested more than \(Self.maxDepth) deep"))
        }
        if open.isEmpty {
            guard name == "gpx" || name == "kml" else {
                return stop(
                    collector.fault(
                        .unsupported, code: .unknownFormat, "is XML, but neither KML nor GPX: it begins with <\(name)>",
                        "give an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), .geojson, .kml, .gpx or .csv"))
            }
            isGPX = name == "gpx"
        }
        open.append(name)
        text.removeAll(keepingCapacity: true)
        switch name {
        case "wpt" where isGPX && open.count == 2:
            var draft = Draft(depth: open.count)
            if let latitude = Self.number(attributes["lat"]), let longitude = Self.number(attributes["lon"]) {
                draft.position = (latitude, longitude)
            }
            self.draft = draft
        case "Placemark" where !isGPX && draft == nil:
            draft = Draft(depth: open.count, id: attributes["id"])
        case "link" where draft != nil:
            if let address = attributes["href"], draft?.tags["website"] == nil { draft?.tags["website"] = address }
        case "Data", "SimpleData": key = attributes["name"]
        default: break
        }
        return true
    }

    func end() -> Bool {
        let name = open.popLast() ?? ""
        defer { text.removeAll(keepingCapacity: true) }
        guard let depth = draft?.depth else { return true }
        guard open.count >= depth else { return addDraft() }
        let value = String(decoding: text, as: UTF8.self).trimmingBlanks
        if name == "Data" { key = nil }
        guard !value.isEmpty else { return true }
        if isGPX { readGPX(name, value, isChild: open.count == depth) } else { readKML(name, value) }
        return true
    }

    private func readGPX(_ name: String, _ value: String, isChild: Bool) {
        switch name {
        case "name" where isChild: draft?.tags["name"] = value
        case "url" where isChild: if draft?.tags["website"] == nil { draft?.tags["website"] = value }
        case "type" where isChild, "sym" where isChild:
            // One of the two may be a text of the device.
            if PlaceKind.meant(by: value) != nil { draft?.tags["kind"] = value }
        default: break
        }
    }

    private func readKML(_ name: String, _ value: String) {
        switch name {
        case "name" where open.last == "Placemark": draft?.tags["name"] = value
        case "address": draft?.tags["addr:full"] = value
        case "phoneNumber":
            draft?.tags["phone"] = value.hasPrefix("tel:") ? String(value.dropFirst(4)) : value
        case "value", "SimpleData":
            if let key, draft?.tags[key] == nil, (draft?.tags.count ?? 0) < 100 { draft?.tags[key] = value }
        case "coordinates":
            guard text.count <= Self.maxCoordinates else { return }
            let points = Self.points(value)
            if open.contains("Polygon") {
                // An inner ring follows its outer one, and another polygon begins with an outer one.
                let isInner = open.contains("innerBoundaryIs")
                if isInner == (draft?.rings.isEmpty == false) { draft?.rings.append(points) }
            } else if draft?.position == nil {
                draft?.position = points.first
            }
        default: break
        }
    }

    private func addDraft() -> Bool {
        guard let draft else { return true }
        self.draft = nil
        let position = draft.position ?? GroundExtract.pointWithin(draft.rings) ?? draft.rings.first?.first
        do throws(MediaError) {
            try collector.add(draft.tags, id: draft.id, at: position)
        } catch {
            return stop(error)
        }
        return true
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard draft != nil else { return true }
        // One byte beyond the limit tells that there is more.
        let limit = open.last == "coordinates" ? Self.maxCoordinates + 1 : Self.maxText
        text += bytes.prefix(max(0, limit - text.count))
        return true
    }

    func doctype(at place: XMLPlace) -> Bool {
        line = place.line
        return stop(fault("a document type declaration (DTD) is not allowed", "export it without one"))
    }

    func fault(_ message: String, line: Int, column: Int) {
        self.line = line
        // An undeclared prefix does not stop the parser and is ignored.
        guard !message.hasPrefix("Namespace") else { return }
        _ = stop(fault("the document is not well-formed XML: \(message.trimmingBlanks)", "export it again"))
    }

    private static func number(_ text: String?) -> Double? { text.flatMap { DecimalNumber.value($0.trimmingBlanks) } }

    /// Reads `15.6,48.4,200 15.7,48.5`: longitude, latitude and altitude.
    private static func points(_ text: String) -> [(latitude: Double, longitude: Double)] {
        text.split(whereSeparator: \.isWhitespace).compactMap { tuple in
            let numbers = tuple.split(separator: ",").prefix(2).map { DecimalNumber.value($0) }
            guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
            return (latitude, longitude)
        }
    }
}
