internal import WayreelCore
internal import WayreelDocument

extension PlaceCollector {
    private static let maxCells = 200
    private static let maxCharacters = 10_000

    /// Names of columns that mean the same.
    private static let latitudes: Set = ["lat", "latitude", "y"]
    private static let longitudes: Set = ["lon", "lng", "long", "longitude", "x"]
    private static let others = [
        "title": "name", "type": "kind", "category": "kind", "address": "addr:full", "telephone": "phone",
        "tel": "phone", "homepage": "website", "hours": "opening_hours", "openinghours": "opening_hours",
        "opening hours": "opening_hours", "street": "addr:street", "housenumber": "addr:housenumber",
        "postcode": "addr:postcode", "zip": "addr:postcode", "city": "addr:city",
    ]

    /// Reads CSV (RFC 4180) in UTF-8, with commas, semicolons or tabs. The first row names the columns: `lat` and `lon` in
    /// degrees, and keys of OpenStreetMap.
    func readTable(_ bytes: MediaBytes) throws(MediaError) {
        var bytes = bytes.array
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw fault("is not in UTF-8", "save it as CSV in UTF-8")
        }
        var (rows, names) = try header(of: bytes)
        let columns = names.map { name in
            let key = name.lowercased()
            if Self.latitudes.contains(key) { return "lat" }
            if Self.longitudes.contains(key) { return "lon" }
            // The names of languages have capitals: `name:zh-Hant`.
            return Self.others[key] ?? (key.contains(":") ? name : key)
        }
        while let row = try next(&rows) {
            guard row.contains(where: { !$0.isEmpty }) else { continue }
            guard row.count <= columns.count || row[columns.count...].allSatisfy(\.isEmpty) else {
                throw fault(
                    "line \(rows.line): there are \(row.count) cells in the row, and \(columns.count) in the first one",
                    "put quotation marks around cells with a \(rows.separatorName)")
            }
            var cells: [String: String] = [:]
            for (column, cell) in zip(columns, row) where !cell.isEmpty { cells[column] = cells[column] ?? cell }
            let latitude = Self.number(cells.removeValue(forKey: "lat"))
            let longitude = Self.number(cells.removeValue(forKey: "lon"))
            let position = latitude.flatMap { latitude in longitude.map { (latitude, $0) } }
            try add(cells, id: cells["id"] ?? cells["@id"], at: position)
        }
        finish("row")
    }

    private static func number(_ text: String?) -> Double? {
        // A comma for decimals is usual where cells are separated by semicolons.
        text.flatMap { DecimalNumber.value($0.replacing(",", with: ".").trimmingBlanks) }
    }

    /// Reads the first row. The separator is whichever gives a latitude and a longitude.
    private func header(of bytes: [UInt8]) throws(MediaError) -> (CSVRows, [String]) {
        let start = CSVRows.start(of: bytes).offset
        for separator in "\t;,".utf8 {
            var rows = CSVRows(
                bytes, from: start, separator: separator, maxCells: Self.maxCells, maxCharacters: Self.maxCharacters)
            guard let names = try? rows.next()?.map(\.trimmingBlanks) else { continue }
            let keys = names.map { $0.lowercased() }
            if keys.contains(where: Self.latitudes.contains), keys.contains(where: Self.longitudes.contains) {
                return (rows, names)
            }
        }
        throw fault(
            "is no file of places: as CSV, its first row would name the columns 'lat' and 'lon'",
            "give an OpenStreetMap extract (.osm.pbf, .osm, .osm.gz), .geojson, .kml, .gpx or .csv")
    }

    private func next(_ rows: inout CSVRows) throws(MediaError) -> [String]? {
        do throws(CSVRows.Fault) { return try rows.next() } catch {
            let kind = error.kind == .parameter ? MediaError.Kind.decoding : error.kind
            throw fault(kind, "line \(error.line): \(error.reason)", error.advice)
        }
    }
}

extension String {
    /// The text without blanks at both ends.
    var trimmingBlanks: String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let start = unicodeScalars.drop(while: isBlank)
        return String(String.UnicodeScalarView(start.reversed().drop(while: isBlank).reversed()))
    }
}
