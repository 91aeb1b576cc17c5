internal import Glibc
public import WayreelCore
internal import WayreelGround
public import WayreelMapFiles
internal import WayreelStory

/// The places of a file.
///
///     let list = try PlaceList.read(path: "krems.osm.pbf")
///     let index = PlaceIndex(list.places)
public struct PlaceList: Sendable {
    public var places: [Place]
    /// Who has to be named wherever the places are shown; nil if the file does not say so.
    public var attribution: String?
    /// What could not be read.
    public var warnings: [MediaWarning]

    /// The most places of a file.
    public static let maxPlaces = 500_000
    /// The largest file, in bytes, of GeoJSON and CSV, and of KML and GPX; OpenStreetMap extracts have no limit.
    public static let maxBytes = 64 << 20
    public static let maxXMLBytes = 256 << 20
    /// The languages that the web player speaks: those of names if no others are asked for.
    public static let pageLanguages = ["ar", "de", "en", "es", "fr", "pt"]

    public init(places: [Place], attribution: String? = nil, warnings: [MediaWarning] = []) {
        (self.places, self.attribution, self.warnings) = (places, attribution, warnings)
    }

    /// Reads places: an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), GeoJSON, KML, the waypoints of GPX, or CSV. The
    /// format is known by the content.
    ///
    /// Of an extract, all nodes and areas of a ``PlaceKind`` are read that touch `box`. Features of GeoJSON, rows of CSV and
    /// placemarks of KML have the keys of OpenStreetMap as their properties, columns or data: `name`, `name:de`,
    /// `addr:street`, `opening_hours`, or a `kind`. The waypoints of GPX have a kind if their `type` or `sym` names one.
    /// What has no valid position, or neither name nor kind, is left out with a warning.
    ///
    /// Names in `languages` are kept, and up to `threads` threads decode an extract.
    ///
    /// Throws an `io` error if the file cannot be read, an `unsupported` error if it is of another kind, a `decoding` error
    /// with the line if it is damaged, a `limit` error if it has more than ``maxPlaces`` or is larger than
    /// ``maxBytes`` or ``maxXMLBytes``, and a `parameter` error if the box lies outside of the extract.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public static func read(
        path: String, box: GroundBox? = nil, languages: [String] = pageLanguages, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> PlaceList {
        let collector = PlaceCollector(path, box, languages)
        switch try Format(path: path) {
        case .extract: try collector.readExtract(threads: threads, cancellation)
        case .xml: try collector.readXML(MediaBytes.read(path: path, limit: maxXMLBytes))
        case .json: try collector.readGeoJSON(MediaBytes.read(path: path, limit: maxBytes))
        case .table: try collector.readTable(MediaBytes.read(path: path, limit: maxBytes))
        }
        return collector.list
    }

    private enum Format {
        case extract, xml, json, table

        /// Reads the first bytes.
        init(path: String) throws(MediaError) {
            let fault = ErrorSite(.io, step: .places, subject: path)
            guard !path.utf8.contains(0) else { throw fault("the path contains a NUL byte") }
            func failure(_ error: SystemError) -> MediaError {
                fault(.io, code: error.code == ENOENT ? .notFound : nil, systemReason(error.code))
            }
            let file: OpenFile
            do throws(SystemError) { file = try OpenFile(path) } catch { throw failure(error) }
            guard let size = file.byteCount else {
                let kind = (try? FileStatus(descriptor: file.descriptor).kind) ?? .other
                throw fault("is \(kind.rawValue)", "name a file: it is opened twice")
            }
            let start: [UInt8]
            do throws(SystemError) { start = try file.bytes(min(size, 4096)) } catch { throw failure(error) }
            guard !start.isEmpty else { throw fault(.decoding, "the file is empty", "export it again") }
            let text = String(decoding: start, as: UTF8.self)
            let first = text.unicodeScalars.first { $0 != "\u{FEFF}" && !$0.properties.isWhitespace }
            if start.starts(with: [0x1F, 0x8B]) || start.dropFirst(6).starts(with: "OSMHeader".utf8) {
                self = .extract
            } else if start.starts(with: "PK".utf8) {
                throw fault(
                    .unsupported, "is an archive", "for .kmz, take the .kml file out of it: unzip -p places.kmz doc.kml"
                )
            } else if first == "<" {
                self = text.contains("<osm") ? .extract : .xml
            } else if first == "{" || first == "[" {
                self = .json
            } else if start.contains(0) {
                throw fault(
                    .unsupported, code: .unknownFormat, "is no file of places",
                    "give an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), .geojson, .kml, .gpx or .csv")
            } else {
                self = .table
            }
        }
    }
}

/// Collects the places of a file.
final class PlaceCollector {
    let path: String
    let box: GroundBox?
    let tags: PlaceTags
    let fault: ErrorSite
    private(set) var list = PlaceList(places: [])
    private var withoutPosition = 0
    private var withoutName = 0
    private var outside = 0

    init(_ path: String, _ box: GroundBox?, _ languages: [String]) {
        (self.path, self.box) = (path, box)
        tags = PlaceTags(languages: languages)
        fault = ErrorSite(step: .places, subject: path)
    }

    /// Reads the nodes and areas of an OpenStreetMap extract.
    fileprivate func readExtract(threads: Int, _ cancellation: Cancellation) throws(MediaError) {
        let selections = PlaceKind.tagsOfAll.map { TagSelection($0.key, $0.value) }
        let warnings = try GroundExtract.readObjects(
            path: path, box: box, with: selections, keeping: tags.keys, threads: threads, cancellation: cancellation
        ) { (object) throws(MediaError) in
            let tags = Dictionary(object.tags.map { ($0.key, $0.value) }) { first, _ in first }
            // A box decides by the point of an area.
            if let box, !box.contains(object.latitude, object.longitude) { return }
            guard
                let place = self.tags.place(
                    tags, id: "\(object.type)/\(object.id)", latitude: object.latitude, longitude: object.longitude)
            else { return }
            try append(place)
        }
        list.warnings += warnings
        list.attribution = GroundExtract.attribution
    }

    /// Adds a place of another format.
    func add(_ properties: [String: String], id: String?, at position: (latitude: Double, longitude: Double)?)
        throws(MediaError)
    {
        guard let position, PlaceTags.position(latitude: position.latitude, longitude: position.longitude) != nil else {
            withoutPosition += 1
            return
        }
        let number = "\(list.places.count + withoutPosition + withoutName + outside + 1)"
        guard
            let place = tags.place(
                properties, id: id.flatMap { $0.isEmpty ? nil : $0 } ?? number, latitude: position.latitude,
                longitude: position.longitude)
        else {
            withoutName += 1
            return
        }
        if let box, !box.contains(place.position.latitude, place.position.longitude) {
            outside += 1
            return
        }
        try append(place)
    }

    private func append(_ place: Place) throws(MediaError) {
        guard list.places.count < PlaceList.maxPlaces else {
            throw fault(
                .limit, "there are more than \(PlaceList.maxPlaces) places", "take a smaller area, or several files")
        }
        list.places.append(place)
    }

    /// Warns of what is left out.
    func finish(_ noun: String) {
        func warn(_ count: Int, _ reason: String) {
            guard count > 0 else { return }
            list.warnings.append(
                MediaWarning(
                    step: .places,
                    "\(count.counted(noun)) \(count == 1 ? "is" : "are") left out: \(reason)"))
        }
        warn(withoutPosition, "without a valid position")
        warn(withoutName, "without a name and a kind, or private")
    }
}

extension GroundBox {
    fileprivate func contains(_ latitude: Double, _ longitude: Double) -> Bool {
        (south...north).contains(latitude) && (west...east).contains(longitude)
    }
}

extension MediaError.Step {
    /// Places and their search.
    public static let places = MediaError.Step(rawValue: "places")
}
