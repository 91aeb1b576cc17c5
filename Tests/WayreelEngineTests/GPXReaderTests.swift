import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStory

@Suite struct GPXReaderTests {
    private func read(_ xml: String) throws -> Track { try Track.read(Array(xml.utf8), name: "walk.gpx") }

    private func track(_ points: String, head: String = #"<gpx version="1.1">"#) -> String {
        "\(head)<trk><trkseg>\(points)</trkseg></trk></gpx>"
    }

    @Test func readsTracksAndTheirSegments() throws {
        let track = try read(
            """
            <?xml version="1.0"?>
            <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
            <metadata><name>A file</name><time>2020-01-01T00:00:00Z</time></metadata>
            <wpt lat="1" lon="2"><ele>9</ele><name>Not this</name></wpt>
            <rte><name>Nor this</name><rtept lat="5" lon="6"/></rte>
            <trk><name> Sunday &amp; Monday </name><trkseg></trkseg>
            <trkseg><trkpt lat="35.28" lon="-120.66"><ele>71.5</ele><time>2026-11-23T17:05:09.250Z</time></trkpt>
            <trkpt lon="-120.67" lat="+35.29"/></trkseg></trk>
            <trk><name>Other</name><trkseg><trkpt lat="90" lon="180"><ele/><time/></trkpt></trkseg></trk></gpx>
            """)
        #expect(track.name == "Sunday & Monday")
        let first = Track.Point(
            GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 71.5),
            timestamp: Timestamp(milliseconds: 1_795_453_509_250))
        #expect(
            track.segments == [
                [first, Track.Point(GeoPoint(latitude: 35.29, longitude: -120.67))],
                [Track.Point(GeoPoint(latitude: 90, longitude: 180))],
            ])
    }

    @Test func readsRoutesWhereNoTrackHasAPoint() throws {
        let route = try read(
            """
            <gpx xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3"><trk><trkseg/></trk>
            <rte><name>Home</name><rtept lat="1" lon="2"><ele>3</ele><extensions><gpxx:RoutePointExtension>
            <gpxx:rpt lat="1.5" lon="2.5"/></gpxx:RoutePointExtension></extensions></rtept><rtept lat="2" lon="3"/></rte>
            <rte><rtept lat="8" lon="9"/></rte></gpx>
            """)
        #expect(route.name == "Home")
        #expect(
            route.segments.map { $0.map(\.position) } == [
                [
                    GeoPoint(latitude: 1, longitude: 2, altitude: 3), GeoPoint(latitude: 1.5, longitude: 2.5),
                    GeoPoint(latitude: 2, longitude: 3),
                ], [GeoPoint(latitude: 8, longitude: 9)],
            ])
    }

    /// GPX of version 1.0, with Garmin's and OsmAnd's extensions, and of phones that write -1 for unknown.
    @Test(
        arguments: [
            ("<speed>1.5</speed><course>360</course><hdop>1.6</hdop>", 8, 1.5, 0),
            (
                "<hdop>2</hdop><extensions><g:TrackPointExtension><g:speed>2.5</g:speed><g:bearing>9</g:bearing>"
                    + "</g:TrackPointExtension></extensions>", 10, 2.5, 9
            ),
            ("<extensions><heading>12</heading><accuracy>4.5</accuracy></extensions><hdop>1</hdop>", 4.5, nil, 12),
            ("<course>7</course><heading>12</heading>", nil, nil, 7),
            ("<extensions><o:heading>12</o:heading><o:speed>3</o:speed></extensions>", nil, 3, nil),
            ("<speed>-1</speed><course>-1</course><accuracy>-1</accuracy><ele>none</ele>", nil, nil, nil),
            ("<speed>NaN</speed><course>1e999</course><hdop>0</hdop><ele>1e20</ele>", nil, nil, nil),
        ] as [(String, Double?, Double?, Double?)])
    func readsMotionAndAccuracy(inner: String, accuracy: Double?, speed: Double?, course: Double?) throws {
        let head =
            #"<gpx xmlns:o="https://osmand.net" xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">"#
        let xml = track(#"<trkpt lat="1" lon="2">\#(inner)</trkpt>"#, head: head)
        let point = try #require(try read(xml).points.first)
        let expected = Track.Point(
            GeoPoint(latitude: 1, longitude: 2), accuracy: accuracy, speed: speed, course: course)
        #expect(point == expected)
    }

    @Test func readsOsmAndsMetres() throws {
        let xml = track(#"<trkpt lat="1" lon="2"><hdop>7.5</hdop></trkpt>"#, head: #"<gpx creator="OsmAnd~ 4.7">"#)
        #expect(try read(xml).points.first?.accuracy == 7.5)
    }

    /// Expected values are from `date -u -d TEXT +%s%3N` of GNU coreutils; devices write fewer or more than three
    /// digits, no zone, and offsets without a colon.
    @Test(
        arguments: [
            ("2013-01-02T02:03:00", 1_357_092_180_000), ("1901-12-13T20:45:52.2073437Z", -2_147_483_647_793),
            ("2015-12-11T15:43:13.9+01:00", 1_449_844_993_900), ("2015-12-11T15:43:13+0100", 1_449_844_993_000),
            (" 2016-05-27T10:08:47.8Z\n", 1_464_343_727_800),
        ] as [(String, Int64)])
    func readsTimesAsDevicesWriteThem(text: String, milliseconds: Int64) throws {
        let point = try read(track(#"<trkpt lat="1" lon="2"><time>\#(text)</time></trkpt>"#)).points.first
        #expect(point?.timestamp?.milliseconds == milliseconds)
    }

    @Test func pointsStayInTheOrderOfTheFile() throws {
        let times = ["2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z", "2026-01-01T00:00:03Z"]
        let points = times.map { #"<trkpt lat="1" lon="2"><time>\#($0)</time></trkpt>"# }
        #expect(try read(track(points.joined())).points.compactMap { $0.timestamp?.description } == times)
    }

    /// A byte order mark, UTF-16, another prefix, an undeclared one, and another namespace.
    private static let wild: [[UInt8]] = [
        Array("\u{FEFF}<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>".utf8),
        [0xFF, 0xFE] + "<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>".utf8.flatMap { [$0, 0] as [UInt8] },
        Array("<a:gpx xmlns:a='urn:a'><a:trk><a:trkpt lat='1' lon='2'/></a:trk></a:gpx>".utf8),
        Array("<gpx><trk><trkpt lat='1' lon='2'><extensions><x:hr>9</x:hr></extensions></trkpt></trk></gpx>".utf8),
        Array("<gpx xmlns='urn:other'><trk><trkpt lat=' 1 ' lon='2.0e0'/></trk></gpx>".utf8),
    ]

    @Test(arguments: wild)
    func readsWhatIsAboutInTheWild(bytes: [UInt8]) throws {
        #expect(try Track.read(bytes).points == [Track.Point(GeoPoint(latitude: 1, longitude: 2))])
    }

    @Test(arguments: [
        ("", "line 1: the document ends too early"), ("walk", "line 1: the document is not GPX"),
        ("{\"type\": \"LineString\"}", "line 1: the document is not GPX: it begins with no element of XML"),
        ("<!doctype html><p>", "line 1: the document is not GPX"),
        ("<kml/>", "line 1: the document is not GPX: it begins with <kml>"),
        ("<gpx/>", "it has neither a track nor a route"),
        (
            "<gpx>\n<wpt lat='1' lon='2'/></gpx>",
            "neither a track nor a route; a walk is not a set of waypoints, which have no order"
        ),
        ("<gpx><trk><trkseg/></trk></gpx>", "its tracks and routes have no point"),
        ("<gpx><trk>\n<trkseg><trkpt lat='1' lon='2'>", "line 2: the document is not well-formed"),
        ("<gpx><trk><trkseg>\n\n<trkpt\nlat='NaN' lon='2'/>", "line 3: the latitude 'NaN' is not within -90 to 90"),
        ("<gpx><trk><trkpt lat='1' lon='180.01'/>", "the longitude '180.01' is not within -180 to 180"),
        ("<gpx><trk><trkpt lat='1,5' lon='2'/>", "the latitude '1,5' is not within"),
        ("<gpx><trk><trkpt lat='0x1p3' lon='2'/>", "the latitude '0x1p3' is not within"),
        ("<gpx><trk><trkpt lat='1e999' lon='2'/>", "the latitude '1e999' is not within"),
        ("<gpx><trk><trkpt lat='1'/>", "a point has no longitude"),
        ("<gpx><trk><trkpt lat='1' lon='2'><time>today</time>", "invalid time 'today': expected RFC 3339"),
        (
            "<!DOCTYPE gpx [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]><gpx>&c;</gpx>",
            "a document type declaration (DTD) is not allowed"
        ),
        ("<gpx>&nope;</gpx>", "line 1: the document is not well-formed"),
        (String(repeating: "<gpx>", count: 100_000), "line 1: elements are nested more than 64 deep"),
    ])
    func refusesInOneLine(xml: String, reason: String) {
        let error = #expect(throws: MediaError.self) { try read(xml) }
        #expect(error?.kind == .decoding)
        #expect(error?.description.hasPrefix("walk.gpx: read: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    // MARK: Damaged files

    private static let timed = (0..<4).map {
        "<trkpt lat='1' lon='\($0)'><time>2026-01-01T08:\($0)0:00Z</time></trkpt>\n"
    }

    /// Returns the longitudes of the points that are used, and the warnings.
    private func damaged(_ xml: String) throws -> (longitudes: [Double], warnings: [String]) {
        var warnings: [String] = []
        let track = try Track.read(Array(xml.utf8), name: "walk.gpx") { warnings.append($0.message) }
        return (track.points.map(\.position.longitude), warnings)
    }

    @Test func pointsWithoutAValidPositionAreLeftOut() throws {
        let bad = ["<trkpt lat='91' lon='7'/>", "<trkpt lat='1'><time>2026-01-01T08:00:00Z</time></trkpt>"]
        let (longitudes, warnings) = try damaged(track(Self.timed[0] + bad[0] + Self.timed[1] + bad[1] + Self.timed[2]))
        #expect(longitudes == [0, 1, 2])
        #expect(
            warnings == [
                "2 points have no valid position and are left out, the first in line 2: the latitude '91' is not within "
                    + "-90 to 90"
            ])
        #expect(throws: MediaError.self) { try damaged(track(bad[0])) }
    }

    @Test(arguments: [
        ("<trkpt lat='1' lon='9'/>", "1 of 5 points has no valid time and is left out"),
        (
            "<trkpt lat='1' lon='9'><time>today</time></trkpt><trkpt lat='1' lon='9'/>",
            "2 of 6 points have no valid time and are left out; the first invalid time is in line 5: 'today'"
        ),
    ])
    func pointsWithoutATimeAreLeftOut(points: String, warning: String) throws {
        let (longitudes, warnings) = try damaged(track(Self.timed.joined() + points))
        #expect(longitudes == [0, 1, 2, 3] && warnings == [warning])
    }

    /// A route has no times, and a few do not make it a recording.
    @Test func aTrackOfWhichMostPointsHaveNoTimeStays() throws {
        let points = "<trkpt lat='1' lon='8'/><trkpt lat='1' lon='9'/>"
        let few = try damaged(track(Self.timed[0] + points))
        #expect(few.longitudes == [0, 8, 9] && few.warnings == ["only 1 of 3 points have a valid time"])
        let none = try damaged(track(points))
        #expect(none.longitudes == [8, 9] && none.warnings.isEmpty)
    }

    /// The file is cut off at every byte: as many points are used as it holds in full, and never a half-read one.
    @Test func ofAFileThatEndsTooEarlyThePointsBeforeAreUsed() throws {
        let whole = track(Self.timed.joined())
        for length in 1..<whole.utf8.count {
            let text = String(decoding: Array(whole.utf8).prefix(length), as: UTF8.self)
            let count = text.ranges(of: "</trkpt>").count
            guard count > 0 else {
                #expect(throws: MediaError.self) { try damaged(text) }
                continue
            }
            let (longitudes, warnings) = try damaged(text)
            #expect(longitudes == (0..<count).map(Double.init), "\(text)")
            #expect(
                warnings.count == 1
                    && warnings[0].hasSuffix(
                        "; the \(count == 1 ? "point before is" : "\(count) points before are") used"),
                "\(warnings)")
        }
        let garbled = try damaged(track(Self.timed[0] + Self.timed[1] + "<<<" + Self.timed[2]))
        #expect(garbled.longitudes == [0, 1])
        #expect(garbled.warnings.first?.hasPrefix("line 3: the document is not well-formed XML") == true)
    }

    @Test(arguments: ["<kml/>", "<!DOCTYPE gpx><gpx/>", "<gpx><wpt lat='1' lon='2'/></gpx>", "", "walk"])
    func whatIsNoTrackIsRefusedEvenSo(xml: String) {
        #expect(throws: MediaError.self) { try damaged(xml) }
    }

    /// Points with decimal commas.
    @Test func saysWhyNoPointIsLeft() {
        let error = #expect(throws: MediaError.self) {
            try damaged("<gpx><trk><trkseg><trkpt lat='35,2' lon='2,1'/></trkseg></trk></gpx>")
        }
        #expect(
            error?.reason
                == "no point has a valid position, the first in line 1: the latitude '35,2' is not within -90 to 90")
    }

    @Test func refusesWhatCannotBeRead() {
        #expect(throws: MediaError.self) { try Track.read(path: "/no/such.gpx") }
        let error = #expect(throws: MediaError.self) { try Track.read(path: "/") }
        #expect(error?.description == "/: read: is a directory; name a file in it")
    }

    @Test func readsManyPoints() throws {
        let count = 200_000
        let elements = (0..<count).map { i in
            "<trkpt lat=\"\(Double(i) / 10_000)\" lon=\"2\"><ele>3</ele><time>2026-01-01T00:00:00Z</time></trkpt>\n"
        }
        let folder = TemporaryFolder()
        let path = "\(folder.path)/long.gpx"
        try OutputFile.write(Array(track(elements.joined()).utf8), to: path)
        let points = try Track.read(path: path).points
        #expect(points.count == count)
        #expect(points.last?.position == GeoPoint(latitude: 19.9999, longitude: 2, altitude: 3))
    }
}

@Suite struct GPXWriterTests {
    private static let track = Track(
        name: "A & <B>",
        segments: [
            [
                Track.Point(
                    GeoPoint(latitude: 35.28, longitude: -120.66, altitude: 71.5),
                    timestamp: Timestamp(milliseconds: 1_795_453_509_250), accuracy: 8, speed: 1.25, course: 340),
                Track.Point(GeoPoint(latitude: 0.00001, longitude: -180)),
            ], [Track.Point(GeoPoint(latitude: -90, longitude: 179.5), accuracy: 4.3)],
        ])

    @Test func whatIsWrittenIsRead() throws {
        #expect(try Track.read(Array(Self.track.gpx().utf8)) == Self.track)
    }

    /// The schema's longitudes are below 180.
    @Test func writesTheAntimeridianOnce() {
        let track = Track(segments: [[Track.Point(GeoPoint(latitude: 1, longitude: 180))]])
        #expect(track.gpx().contains(#"<trkpt lat="1" lon="-180">"#))
    }

    @Test func writesTheElementsInTheOrderOfTheSchema() {
        #expect(
            Self.track.gpx() == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Wayreel" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
                  <trk>
                    <name>A &amp; &lt;B&gt;</name>
                    <trkseg>
                      <trkpt lat="35.28" lon="-120.66"><ele>71.5</ele><time>2026-11-23T17:05:09.250Z</time><hdop>1.6</hdop><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>1.25</gpxtpx:speed><gpxtpx:course>340</gpxtpx:course></gpxtpx:TrackPointExtension></extensions></trkpt>
                      <trkpt lat="0.00001" lon="-180"></trkpt>
                    </trkseg>
                    <trkseg>
                      <trkpt lat="-90" lon="179.5"><hdop>0.86</hdop></trkpt>
                    </trkseg>
                  </trk>
                </gpx>

                """)
    }
}
