internal import Glibc
package import WayreelCore

/// What a file of a base map says of itself at its beginning, without the rest of it.
package struct MapFile: Sendable {
    package enum Kind: Hashable, Sendable {
        /// An OpenStreetMap extract.
        case extract
        /// Vector tiles of these zooms, made by other tools.
        case tiles(zooms: ClosedRange<Int>)
    }

    package let kind: Kind
    /// The area that it covers, as it says itself; nil if it does not.
    package let box: GroundBox?
    /// Who made the data, as an archive of tiles says itself.
    package let attribution: String?

    /// How much of a file of XML is searched for its bounds, in bytes.
    private static let headBytes = 1 << 16
    /// The most that a header of a PBF file may have, in bytes (wiki.openstreetmap.org/wiki/PBF_Format).
    private static let maxHeaderBytes = 64 << 10
    private static let maxBlobBytes = 32 << 20

    /// Reads the beginning of a file: .osm.pbf, .osm, .osm.gz or .pmtiles, known by its content.
    ///
    /// Throws an `io` error if it cannot be read, an `unsupported` error if it is of another kind, and a `decoding` error
    /// if its header is damaged.
    package init(path: String) throws(MediaError) {
        let fault = ErrorSite(step: .ground, subject: path)
        let head: [UInt8]
        var blob: [UInt8]?
        do throws(SystemError) {
            let file = try OpenFile(path)
            head = try file.bytes(min(Self.headBytes, file.byteCount ?? 0))
            if let place = head.withBytes(Self.headerBlob), let size = file.byteCount,
                place.upperBound <= size
            {
                blob = try file.bytes(place.count, at: place.lowerBound)
            }
        } catch { throw fault(.io, systemReason(error.code)) }
        guard !head.isEmpty else { throw fault(.decoding, "the file is empty", "copy it to the story's folder again") }
        if head.starts(with: TileArchive.magic) {
            let archive = try TileArchive(path: path)
            (kind, box, attribution) = (.tiles(zooms: archive.zooms), archive.box, archive.attribution)
            return
        }
        (kind, attribution) = (.extract, nil)
        do throws(MediaError) {
            if let blob {
                box = try blob.withBytes { (blob) throws(MediaError) in try Self.box(inBlob: blob) }
            } else if head.withBytes(Self.headerBlob) != nil {
                throw fault(.decoding, code: .damaged, "its header is cut off", "copy it to the story's folder again")
            } else {
                let text = head.starts(with: [0x1F, 0x8B]) ? try Self.inflated(head) : head
                guard let box = Self.box(inXML: text) else {
                    throw fault(.unsupported, code: .unknownFormat, "is no map", Self.advice)
                }
                self.box = box
            }
        } catch { throw error.naming(path) }
    }

    package static let advice: MediaError.Advice =
        "give an OpenStreetMap extract, such as an .osm.pbf file of download.geofabrik.de, or vector tiles as .pmtiles"

    /// Whether it says that its data are OpenStreetMap's.
    package var isOpenStreetMap: Bool { kind == .extract || attribution?.contains("OpenStreetMap") ?? false }

    // MARK: PBF

    /// The bytes of a file that its header is in; nil unless it begins as a file of PBF.
    private static func headerBlob(_ head: UnsafeRawBufferPointer) -> Range<Int>? {
        guard head.count > 4 else { return nil }
        let count = Int(head.bigEndian32(at: 0))
        guard count <= maxHeaderBytes, count <= head.count - 4 else { return nil }
        var fields = WireReader(UnsafeRawBufferPointer(rebasing: head[4..<4 + count]))
        var (isHeader, size) = (false, 0)
        while let (field, value) = fields.next() {
            switch (field, value) {
            case (1, .bytes(let type)): isHeader = type.elementsEqual("OSMHeader".utf8)
            case (3, .number(let number)): size = Int(clamping: number)
            default: continue
            }
        }
        guard isHeader, !fields.isDamaged, (1...maxBlobBytes).contains(size) else { return nil }
        return 4 + count..<4 + count + size
    }

    private static func box(inBlob blob: UnsafeRawBufferPointer) throws(MediaError) -> GroundBox? {
        var fields = WireReader(blob)
        var content: [UInt8]?
        while let (field, value) = fields.next() {
            guard case .bytes(let bytes) = value else { continue }
            if field == 1 { content = Array(bytes) }
            if field == 3 { content = try Inflating.bytes(bytes, limit: maxBlobBytes, step: .ground) }
        }
        // Other compressions are rare; libosmium says more about them.
        return content?.withBytes { content in
            var header = WireReader(content)
            while let (field, value) = header.next() {
                if field == 1, case .bytes(let box) = value { return Self.box(inHeader: box) }
            }
            return nil
        }
    }

    /// Left, right, top and bottom in units of 1e-9 degrees.
    private static func box(inHeader header: UnsafeRawBufferPointer) -> GroundBox? {
        var sides: [UInt64: Double] = [:]
        var fields = WireReader(header)
        while let (field, value) = fields.next() {
            if case .number(let number) = value { sides[field] = Double(WireReader.signed(number)) / 1e9 }
        }
        guard let left = sides[1], let right = sides[2], let top = sides[3], let bottom = sides[4] else { return nil }
        return area(west: left, south: bottom, east: right, north: top)
    }

    // MARK: XML

    private static func inflated(_ head: [UInt8]) throws(MediaError) -> [UInt8] {
        try head.withBytes { (head) throws(MediaError) in
            try Inflating.bytes(head, limit: headBytes, takesBeginning: true, step: .ground)
        }
    }

    /// Returns the area of the element `bounds`; nil unless the text begins as OpenStreetMap's XML.
    private static func box(inXML head: [UInt8]) -> GroundBox?? {
        let text = String(decoding: head.prefix(headBytes), as: UTF8.self)
        guard let root = text.firstRange(of: /<osm[\s>]/) else { return nil }
        guard let bounds = text[root.upperBound...].firstMatch(of: /<bounds\s[^>]*>/)?.output else { return .some(nil) }
        func side(_ name: String) -> Double? {
            let value = bounds.firstRange(of: " \(name)=").map { bounds[$0.upperBound...] }
            guard let value, let quote = value.first else { return nil }
            return DecimalNumber.value(value.dropFirst().prefix { $0 != quote })
        }
        guard let west = side("minlon"), let south = side("minlat"), let east = side("maxlon"),
            let north = side("maxlat")
        else { return .some(nil) }
        return area(west: west, south: south, east: east, north: north)
    }

    /// The area, as far as it is on maps; nil if it has no extent there.
    private static func area(west: Double, south: Double, east: Double, north: Double) -> GroundBox? {
        func latitude(_ degrees: Double) -> Double { min(max(degrees, -GroundBox.maxLatitude), GroundBox.maxLatitude) }
        func longitude(_ degrees: Double) -> Double { min(max(degrees, -180), 180) }
        return try? GroundBox(
            west: longitude(west), south: latitude(south), east: longitude(east), north: latitude(north))
    }
}
