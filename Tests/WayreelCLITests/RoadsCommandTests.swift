import Foundation
import TestSupport
import Testing

/// `wayreel route --roads` and `wayreel way`.
@Suite struct RoadsCommandTests {
    private let bench = Workbench()
    private static let bayreuth = "Media/maps/bayreuth-north.osm.pbf"
    private static let krems = "Media/maps/krems.osm.pbf"

    /// Six positions on the A 70 to the east, 33 metres apart: on way 206615404. The first one lies.
    private static let positions = [
        (50.02, 11.52), (50.034945, 11.476942), (50.035154, 11.477269), (50.035363, 11.477596), (50.035572, 11.477923),
        (50.03578, 11.478252),
    ]

    private static var gpx: String {
        let points = positions.enumerated().map { second, position in
            "<trkpt lat=\"\(position.0)\" lon=\"\(position.1)\"><time>2026-11-22T10:00:0\(second)Z</time></trkpt>"
        }
        return "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"t\"><trk><trkseg>"
            + points.joined() + "</trkseg></trk></gpx>"
    }

    @Test func exitsAheadAreListed() throws {
        try bench.write(Self.gpx, to: "drive.gpx")
        let run = try expectDone(
            bench.wayreel("route", "--roads", Self.bayreuth, "--track", "drive.gpx", "-o", "drive.json"))
        #expect(run.text.contains("ahead on A 70, north-east"), "\(run.text)")
        #expect(run.text.contains("exit 24 Kulmbach/Neudrossenfeld → B 85"), "\(run.text)")
        #expect(run.text.contains("© OpenStreetMap contributors"))
        try expectValid("drive.json", by: "drive.schema.json")
    }

    @Test func eachLiveLineIsAnswered() throws {
        let fixes = Self.positions.enumerated().map { second, position in
            """
            {"fix": {"position": {"latitude": \(position.0), "longitude": \(position.1)}, "timestamp": "2026-11-22T10:00:0\(second)Z"}}
            """
        }
        try bench.write(
            (fixes + ["$GPGGA,1*00", "{}", "{\"lost\": {\"timestamp\": \"2026-11-22T10:01:00Z\"}}", ""])
                .joined(separator: "\n"), to: "fixes.ndjson")
        let run = try bench.shell(
            "wayreel route --roads '\(Fixture.root)/\(Self.bayreuth)' --track - --live < fixes.ndjson")
        #expect(run.ending == .exited(1))
        #expect(run.errors.contains("line 7") && run.errors.contains("line 8"), "\(run.errors)")
        let lines = run.text.split(separator: "\n")
        // The head, six fixes, and the end of the signal.
        #expect(lines.count == 8)
        #expect(lines[0].contains("\"format\":\"wayreel-drive-live\""))
        #expect(lines[6].contains("\"ahead\"") && lines[6].contains("\"number\":\"24\""), "\(lines[6])")
    }

    @Test func aWayHasItsTurns() throws {
        let run = try expectDone(
            bench.wayreel(
                "way", Self.krems, "--from", "48.4105,15.6030", "--to", "48.4100,15.6120", "--by", "foot", "-o",
                "way.json"))
        #expect(run.text.contains("on foot") && run.text.contains("arrive at stop 1"), "\(run.text)")
        try expectValid("way.json", by: "way.schema.json")
        expectDone(
            try bench.wayreel(
                "way", Self.krems, "--from", "48.4105,15.6030", "--to", "48.4100,15.6120", "--by", "bicycle", "-o",
                "way.gpx"))
        #expect(try bench.text("way.gpx").contains("<trkpt"))
    }

    private func expectValid(_ file: String, by schema: String) throws {
        let judge = """
            import json, sys, jsonschema
            read = lambda name: json.load(open("\(Fixture.root)/Documentation/" + name))
            store = {name: read(name) for name in ("drive.schema.json", "way.schema.json")}
            schema = store["\(schema)"]
            resolver = jsonschema.RefResolver("", schema, store=store)
            jsonschema.Draft202012Validator(schema, resolver=resolver).validate(json.load(open(sys.argv[1])))
            """
        let run = try Command("/usr/bin/python3", ["-W", "ignore", "-c", judge, bench.path(file)]).run()
        #expect(run.ending == .exited(0), "\(run.errors)")
    }

    @Test(arguments: [
        (["route", "--roads", bayreuth], Int32(2), "--roads needs the --track"),
        (["route", "--track", "x.gpx"], 2, "need --roads"),
        (["route", "--roads", bayreuth, "--track", "x.gpx", "--live"], 2, "--track -"),
        (["route", "--roads", bayreuth, "--track", "x.gpx", "--kind", "gas,air"], 2, "--kind"),
        (["route", "--roads", bayreuth, "--track", "x.gpx", "--services", "60km"], 2, "up to 50km"),
        (["route", "--roads", bayreuth, "--track", "missing.gpx"], 1, "missing.gpx"),
        (["way", krems, "--from", "1,2"], 2, "--to"),
        (["way", krems, "--from", "60,11", "--to", "48.41,15.6"], 2, "no road for cars is within 2 km"),
        (["way", "Media/radio/bunny.mp3", "--from", "60,11", "--to", "48.41,15.6"], 1, "is no OpenStreetMap extract"),
    ]) func saysWhatIsWrong(arguments: [String], status: Int32, message: String) throws {
        let run = try bench.command(arguments).run()
        #expect(run.ending == .exited(status))
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
