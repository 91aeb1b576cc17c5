import TestSupport
import WayreelCore
import WayreelRoads
import WayreelStory

/// A small map of roads on a plane around 50° N, 11° E, in metres.
struct RoadSketch {
    /// Metres in a degree at 50° N on WGS 84: 111.229 km of latitude, and 71.696 km of longitude.
    private static let (north, east) = (111_229.0, 71_696.0)

    private var nodes: [String] = []
    private var ways: [String] = []

    static func point(_ x: Double, _ y: Double) -> GeoPoint {
        GeoPoint(latitude: 50 + y / north, longitude: 11 + x / east)
    }

    private static func tags(_ tags: KeyValuePairs<String, String>) -> String {
        tags.map { "<tag k=\"\($0.key.xmlAttribute)\" v=\"\($0.value.xmlAttribute)\"/>" }.joined()
    }

    @discardableResult
    mutating func node(_ x: Double, _ y: Double, _ tags: KeyValuePairs<String, String> = [:]) -> Int {
        let point = Self.point(x, y)
        nodes.append(
            """
            <node id="\(nodes.count + 1)" version="1" lat="\(point.latitude.formatted(7))" \
            lon="\(point.longitude.formatted(7))">\(Self.tags(tags))</node>
            """)
        return nodes.count
    }

    mutating func way(_ nodes: [Int], _ tags: KeyValuePairs<String, String>) {
        let references = nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
        ways.append("<way id=\"\(ways.count + 1)\" version=\"1\">\(references)\(Self.tags(tags))</way>")
    }

    func graph() throws -> RoadGraph {
        let folder = TemporaryFolder()
        return try withExtendedLifetime(folder) {
            let xml =
                "<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n\((nodes + ways).joined(separator: "\n"))\n</osm>\n"
            return try RoadGraph.read(path: folder.write(xml, to: "roads.osm"))
        }
    }
}
