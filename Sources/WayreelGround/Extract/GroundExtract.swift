internal import CGeodesic
internal import COSM
internal import Glibc
public import WayreelCore
public import WayreelMapFiles

/// What an OpenStreetMap file has in a box: streets, buildings, water and so on, as `GroundSchema` selects it.
///
///     let extract = try GroundExtract.read(path: "krems.osm.pbf")
///     print(extract.box, extract.objects)
///
/// © OpenStreetMap contributors: whoever shows what is made of it shows ``attribution``, too.
public final class GroundExtract: Sendable {
    /// What the Open Database License asks for wherever the data are shown, with the address that it leads to.
    public static let attribution = "© OpenStreetMap contributors"
    public static let attributionURL = "https://www.openstreetmap.org/copyright"

    /// How many bytes the objects of a box may take.
    public static let maxBytes = 192 << 20
    /// How many bytes the nodes outside of the box may take, which is enough for 150 million.
    private static let maxRegionBytes = 256 << 20

    /// The box that was read.
    public let box: GroundBox
    /// The box that the file covers: that of its header, or else of its nodes.
    public let covered: GroundBox
    /// How many nodes, lines and polygons were read. A way that is a line and a polygon counts twice.
    public let objects: Int
    /// What could not be read.
    public let warnings: [MediaWarning]

    /// Nothing changes what it points to before it is released.
    private nonisolated(unsafe) let extract: UnsafeMutablePointer<wr_osm_extract>

    private init(adopting extract: UnsafeMutablePointer<wr_osm_extract>) throws(MediaError) {
        self.extract = extract
        do throws(MediaError) {
            (box, covered) = (try GroundBox(extract.pointee.box), try GroundBox(extract.pointee.covered))
        } catch {
            wr_osm_free(extract)
            throw error
        }
        objects = extract.pointee.feature_count
        warnings = Self.warnings(of: extract.pointee)
    }

    deinit { wr_osm_free(extract) }

    /// Reads the objects of a file that touch or surround a box, whole: .osm.pbf, .osm or .osm.gz, known by its
    /// content.
    ///
    /// It reads the file four times, and takes less than 2 bytes for each node of the file besides what the box has. Up
    /// to `threads` threads decode. `languages` are those of names: `["de", "en"]` also keeps `name:de` and `name:en`.
    ///
    /// A nil `box` means all that the file covers.
    ///
    /// Throws an `io` error if the file cannot be read, a `decoding` error if it is damaged, an `unsupported` error if
    /// it is of another kind or not sorted, a `parameter` error if the box lies outside of it, and a `limit` error if
    /// the box has more than ``maxBytes``.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    public static func read(
        path: String, box: GroundBox? = nil, languages: [String] = [], threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> GroundExtract {
        try read(
            path: path, box: box, selections: GroundSchema.selections(languages: languages), threads: threads,
            cancellation: cancellation)
    }

    /// Reads what other selections than those of maps name. `boxName` is what errors call the box.
    @available(*, noasync, message: "it blocks its thread: use WorkPool.run")
    package static func read(
        path: String, box: GroundBox? = nil, boxName: String? = nil, selections: [GroundSchema.Selection],
        threads: Int = 1, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> GroundExtract {
        let fault = ErrorSite(step: .ground, subject: path)
        guard !path.utf8.contains(0) else { throw fault(.io, "the path contains a NUL byte") }
        let file: OpenFile
        do throws(SystemError) { file = try OpenFile(path) } catch {
            throw fault(.io, code: error.code == ENOENT ? .notFound : nil, systemReason(error.code))
        }
        guard file.byteCount != nil else {
            let kind = (try? FileStatus(descriptor: file.descriptor).kind) ?? .other
            throw fault(.io, "is \(kind.rawValue)", "give a file: it is read several times")
        }
        guard file.byteCount != 0 else { throw fault(.decoding, "the file is empty", "download it again") }
        // libosmium would run curl for the name of a file that begins with http:.
        let name = "/proc/self/fd/\(file.descriptor)"
        var extract: UnsafeMutablePointer<wr_osm_extract>?
        let result = withRules(selections) { rules in
            withRequest(name, box, rules, threads, cancellation) { request in wr_osm_read(request, &extract) }
        }
        withExtendedLifetime(file) {}
        guard let extract else { throw failure(result, fault) }
        let read = try GroundExtract(adopting: extract)
        guard result.status == WR_OSM_OUTSIDE else { return read }
        throw GroundTiles.outside(read.box, boxName, of: read.covered, path)
    }

    private static func withRequest(
        _ path: String, _ box: GroundBox?, _ rules: UnsafeBufferPointer<wr_osm_rule>, _ threads: Int,
        _ cancellation: Cancellation, _ body: (UnsafePointer<wr_osm_request>) -> wr_osm_result
    ) -> wr_osm_result {
        var area = box.map { wr_osm_box($0) } ?? wr_osm_box()
        return path.withCString { path in
            withUnsafePointer(to: &area) { area in
                var request = wr_osm_request()
                request.path = path
                request.box = box == nil ? nil : area
                request.rules = rules.baseAddress
                request.rule_count = rules.count
                request.max_bytes = maxBytes
                request.max_region_bytes = maxRegionBytes
                request.threads = Int32(clamping: max(1, threads))
                request.context = Unmanaged.passUnretained(cancellation).toOpaque()
                request.must_stop = { context in
                    Unmanaged<Cancellation>.fromOpaque(context!).takeUnretainedValue().isCancelled ? 1 : 0
                }
                return withExtendedLifetime(cancellation) { body(&request) }
            }
        }
    }

    private static func withRules(
        _ selections: [GroundSchema.Selection], _ body: (UnsafeBufferPointer<wr_osm_rule>) -> wr_osm_result
    ) -> wr_osm_result {
        let texts = selections.map { (strdup($0.key), $0.value.flatMap { strdup($0) }) }
        defer {
            for (key, value) in texts {
                free(key)
                free(value)
            }
        }
        let rules = zip(selections, texts).map { selection, text in
            wr_osm_rule(key: text.0, value: text.1, kinds: selection.kinds.rawValue)
        }
        return rules.withUnsafeBufferPointer(body)
    }

    private static func failure(_ result: wr_osm_result, _ fault: ErrorSite) -> MediaError {
        let reason = withUnsafeBytes(of: result.reason) { bytes in
            String(cMessage: bytes.map { CChar(bitPattern: $0) })
        }
        return switch result.status {
        case WR_OSM_UNREADABLE: fault(.io, systemReason(result.code))
        case WR_OSM_UNKNOWN:
            fault(
                .unsupported, code: .unknownFormat, "is no OpenStreetMap extract",
                "give an .osm.pbf, .osm or .osm.gz file")
        case WR_OSM_UNSORTED:
            fault(.unsupported, "its objects are not sorted by type and id", "sort it: osmium sort -o sorted.osm.pbf")
        case WR_OSM_TOO_LARGE:
            fault(
                .limit, "the box has more than \(maxBytes.asSize) of objects",
                "take a smaller box")
        case WR_OSM_TOO_MANY:
            fault(
                .limit, "the extract has more nodes than \(maxRegionBytes.asSize) hold",
                "cut the area out first: osmium extract --bbox W,S,E,N")
        case WR_OSM_EMPTY: fault(.decoding, "it has no nodes", "export it again")
        case WR_OSM_STOPPED: .cancelled(step: .ground)
        case WR_OSM_NO_MEMORY: fault(.limit, code: .outOfMemory, "no memory for it", "take a smaller box")
        case WR_OSM_NO_LIBRARY:
            fault(.unsupported, "libexpat, which reads XML, is not installed", "install libexpat1, or give an .osm.pbf")
        default: fault(.decoding, "the extract is damaged: \(reason)", "download it again")
        }
    }

    private static func warnings(of extract: wr_osm_extract) -> [MediaWarning] {
        var warnings: [MediaWarning] = []
        if extract.incomplete > 0 {
            let words = Int(clamping: extract.incomplete).counted(
                "multipolygon is left out: the extract lacks a part of its border",
                "multipolygons are left out: the extract lacks a part of their borders")
            warnings.append(
                MediaWarning(step: .ground, words, advice: "take a larger extract if an area is missing"))
        }
        if extract.shortened > 0 {
            let words = Int(clamping: extract.shortened).counted(
                "polygon is cut off: the extract lacks nodes of its border",
                "polygons are cut off: the extract lacks nodes of their borders")
            warnings.append(
                MediaWarning(
                    step: .ground, words, advice: "take an extract with complete ways if an area has a wrong shape"))
        }
        if extract.crossing > 0 {
            let words = Int(clamping: extract.crossing).counted(
                "polygon is left out: its border is not closed or crosses itself",
                "polygons are left out: their borders are not closed or cross themselves")
            warnings.append(MediaWarning(step: .ground, words))
        }
        return warnings
    }

    // MARK: Objects

    /// A node, a line, or polygons.
    package struct Object {
        fileprivate let extract: wr_osm_extract
        fileprivate let feature: wr_osm_feature

        package var id: Int64 { feature.id }
        package var kind: GroundSchema.Kinds { GroundSchema.Kinds(rawValue: feature.kind) }
        package var isRelation: Bool { feature.is_relation != 0 }

        /// The tags that the schema selects or keeps: the index of the first selection with the key, and the value.
        package var tags: some Sequence<(selection: Int, value: UnsafePointer<CChar>)> {
            let tags = UnsafeBufferPointer(start: extract.tags, count: extract.tag_count)
            return tags[Int(feature.first_tag)..<Int(feature.first_tag + feature.tag_count)].lazy.map { tag in
                (Int(tag.rule), extract.texts + Int(tag.value))
            }
        }

        /// The position, the stretches of the line that the file has, or the rings. Those within an outer ring follow
        /// it.
        var rings: some Collection<(points: UnsafeBufferPointer<wr_osm_point>, isInner: Bool)> {
            let rings = UnsafeBufferPointer(start: extract.rings, count: extract.ring_count)
            return rings[Int(feature.first_ring)..<Int(feature.first_ring + feature.ring_count)].lazy.map { ring in
                (
                    UnsafeBufferPointer(start: extract.points + Int(ring.first_point), count: Int(ring.point_count)),
                    ring.is_inner != 0
                )
            }
        }

        /// The points of each of the ``rings``, in units of 1e-7 degrees.
        package var spots: [[(longitude: Int32, latitude: Int32)]] {
            rings.map { ring in ring.points.map { ($0.longitude, $0.latitude) } }
        }
    }

    /// Calls `body` for each object, in the order of the file.
    package func forEachObject<Failure: Error>(_ body: (Object) throws(Failure) -> Void) throws(Failure) {
        defer { withExtendedLifetime(self) {} }
        for index in 0..<objects {
            try body(Object(extract: extract.pointee, feature: extract.pointee.features[index]))
        }
    }
}

extension wr_osm_box {
    /// The box in units of 1e-7 degrees.
    init(_ box: GroundBox) {
        func units(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
        self.init(west: units(box.west), south: units(box.south), east: units(box.east), north: units(box.north))
    }
}

extension GroundBox {
    /// Limits the latitudes to those of tiles. A file with one node has a box of two metres.
    fileprivate init(_ box: wr_osm_box) throws(MediaError) {
        func degrees(_ units: Int32, _ limit: Double) -> Double { min(max(Double(units) / 1e7, -limit), limit) }
        let (width, height) = (box.east > box.west ? 0 : Int32(100), box.north > box.south ? 0 : Int32(100))
        try self.init(
            west: degrees(box.west &- width, 180), south: degrees(box.south &- height, Self.maxLatitude),
            east: degrees(box.east &+ width, 180), north: degrees(box.north &+ height, Self.maxLatitude))
    }
}

extension GroundBox {
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
