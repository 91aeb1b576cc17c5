internal import FoundationEssentials
internal import WayreelCore
internal import WayreelDocument
internal import WayreelGround

extension PlaceCollector {
    /// The most values of a GeoJSON: commas and beginnings of objects.
    private static let maxValues = 5_000_000

    /// Reads GeoJSON (RFC 7946): a FeatureCollection, a Feature, or a list of Features. Of a line, its first point counts,
    /// and of several points, lines or polygons the first one.
    func readGeoJSON(_ bytes: MediaBytes) throws(MediaError) {
        // Decoded values take up to hundred times their bytes.
        let values = bytes.withBytes { span in
            span.withUnsafeBytes { $0.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "{") } }
        }
        guard values <= Self.maxValues else {
            throw fault(
                .limit, "the GeoJSON has more than \(Self.maxValues) values",
                "export fewer properties and points, or an extract of OpenStreetMap")
        }
        let document: Document
        do {
            document = try bytes.withBytes { span in
                try span.withUnsafeBytes { buffer in
                    let data = Data(
                        bytesNoCopy: UnsafeMutableRawPointer(mutating: buffer.baseAddress!), count: buffer.count,
                        deallocator: .none)
                    let decoder = JSONDecoder()
                    decoder.allowsJSON5 = false
                    return try decoder.decode(Document.self, from: data)
                }
            }
        } catch let error as DecodingError {
            throw fault(.decoding, format: "the GeoJSON cannot be read: ", error.reason)
        } catch {
            throw fault(.decoding, "the GeoJSON cannot be read")
        }
        guard document.isGeoJSON else {
            throw fault(.decoding, "is JSON, but no GeoJSON: it has no features", "export a FeatureCollection")
        }
        for feature in document.features {
            let tags = feature.properties
            try add(tags, id: feature.id ?? tags["@id"] ?? tags["id"], at: feature.position)
        }
        finish("feature")
    }

    private struct Document: Decodable {
        var isGeoJSON = false
        var features: [Feature] = []

        private enum CodingKeys: CodingKey { case type, features }

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                while !list.isAtEnd { features.append(try list.decode(Feature.self)) }
                isGeoJSON = !features.isEmpty
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            switch try container.decodeIfPresent(String.self, forKey: .type) {
            case "FeatureCollection":
                features = try container.decode([Feature].self, forKey: .features)
                isGeoJSON = true
            case "Feature":
                features = [try Feature(from: decoder)]
                isGeoJSON = true
            default: break
            }
        }
    }

    private struct Feature: Decodable {
        var id: String?
        var properties: [String: String] = [:]
        var position: (latitude: Double, longitude: Double)?

        private enum CodingKeys: CodingKey { case id, properties, geometry }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = (try? container.decode(Text.self, forKey: .id))?.text
            let values = try container.decodeIfPresent([String: Text].self, forKey: .properties)
            properties = values?.compactMapValues(\.text) ?? [:]
            position = try container.decodeIfPresent(Geometry.self, forKey: .geometry)?.position
        }
    }

    /// A text, a number or a boolean as a text. Lists and objects are nil.
    private struct Text: Decodable {
        var text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let number = try? container.decode(Int.self) {
                text = "\(number)"
            } else if let number = try? container.decode(Double.self) {
                text = DecimalNumber.text(number)
            } else if let flag = try? container.decode(Bool.self) {
                text = flag ? "yes" : "no"
            }
        }
    }

    private struct Geometry: Decodable {
        var position: (latitude: Double, longitude: Double)?

        private enum CodingKeys: CodingKey { case type, coordinates }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func coordinates<Value: Decodable>(_ type: Value.Type) throws -> Value {
                try container.decode(Value.self, forKey: .coordinates)
            }
            switch try container.decodeIfPresent(String.self, forKey: .type) {
            case "Point": position = Self.point(try coordinates([Double?].self))
            case "MultiPoint", "LineString": position = try coordinates([[Double?]].self).first.flatMap(Self.point)
            case "MultiLineString":
                position = try coordinates([[[Double?]]].self).first?.first.flatMap(Self.point)
            case "Polygon": position = Self.point(within: try coordinates([[[Double?]]].self))
            case "MultiPolygon":
                position = try coordinates([[[[Double?]]]].self).first.flatMap { Self.point(within: $0) }
            default: break
            }
        }

        private static func point(_ numbers: [Double?]) -> (latitude: Double, longitude: Double)? {
            guard numbers.count >= 2, let longitude = numbers[0], let latitude = numbers[1] else { return nil }
            return (latitude, longitude)
        }

        private static func point(within rings: [[[Double?]]]) -> (latitude: Double, longitude: Double)? {
            let points = rings.map { $0.compactMap(point) }
            return GroundExtract.pointWithin(points) ?? points.first?.first
        }
    }
}

extension ErrorSite {
    fileprivate func callAsFunction(_ kind: MediaError.Kind, format: String, _ reason: String) -> MediaError {
        self(kind, format + String(reason.prefix(200)), "export it again")
    }
}
