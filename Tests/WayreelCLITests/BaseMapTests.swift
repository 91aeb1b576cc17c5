internal import TestSupport
internal import Testing

/// Base maps of bundles, as other programs see them: tiles are decoded by mapbox-vector-tile, the manifest is checked by
/// jsonschema.
@Suite struct BaseMapTests {
    private let bench = Workbench()

    /// A story in the old town of Krems.
    private func write(map: String = "<map source=\"krems.osm.pbf\"/>", latitude: String = "48.4121") throws {
        bench.makeFolder("story")
        try bench.write(Fixture.bytes(Fixture.media("maps/krems.osm.pbf")), to: "story/krems.osm.pbf")
        try bench.write(
            """
            <story xmlns="urn:wayreel:story:1" id="krems" language="de">
              <name>Krems</name>
              \(map)
              <chapter id="first">
                <name>Altstadt</name>
                <event id="market">
                  <name>Hoher Markt</name>
                  <position latitude="\(latitude)" longitude="15.6018"/>
                  <activation radius="20"/>
                  <scrapbook><text>Der Markt</text></scrapbook>
                </event>
              </chapter>
            </story>
            """, to: "story/story.xml")
    }

    private func prepare(_ arguments: String...) throws -> Command.Outcome {
        try bench.command(
            ["prepare", "story/story.xml", "-o", "bundle", "--screen", "320x480"] + arguments
        ).run()
    }

    /// Copies tiles to a folder by the manifest, and prints the distinct names in each layer.
    private static let names = """
        import collections, json, os, subprocess, sys
        ground = json.load(open("bundle/manifest.json"))["ground"]
        for tile, path in ground["tiles"].items():
            os.makedirs(os.path.dirname(f"tiles/{tile}"), exist_ok=True)
            open(f"tiles/{tile}.mvt", "wb").write(open(f"bundle/{path}", "rb").read())
        run = subprocess.run([sys.executable, sys.argv[1], "tiles"], capture_output=True, text=True, check=True)
        names = collections.defaultdict(set)
        for line in run.stdout.splitlines():
            feature = json.loads(line)
            names[feature["layer"]].add(feature["properties"].get("name", ""))
        for layer in sorted(names): print(layer, *sorted(names[layer]), sep="|")
        """

    @Test(.enabled(if: References.have("mapbox_vector_tile"), "scripts/references installs the decoder"))
    func otherProgramsReadTheTiles() throws {
        try write()
        expectDone(try prepare())
        try bench.write(Self.names, to: "names.py")
        let script = "\(Fixture.root)/Tests/WayreelGroundTests/References/decode.py"
        let run = try bench.shell("\(References.folder)/python names.py \(script)")
        let layers = Dictionary(
            uniqueKeysWithValues: run.text.split(separator: "\n").map { line in
                let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                return (parts[0], Set(parts.dropFirst()))
            })
        #expect(layers["building"] != nil && layers["transportation"] != nil, "\(run.errors)")
        // osmium tags-filter says that these are within 500 m of the market.
        for name in ["Hoher Markt", "Untere Landstraße", "Obere Landstraße"] {
            #expect(layers["transportation_name"]?.contains(name) == true, "\(name): \(run.text)")
        }
        expectDone(try bench.wayreel("verify", "bundle"))
    }

    @Test func theManifestKeepsToItsSchema() throws {
        try write(map: "<map source=\"krems.osm.pbf\"/>")
        expectDone(try prepare("--map-margin", "150m"))
        let judged = try bench.shell(
            """
            /usr/bin/python3 -c '
            import json, jsonschema
            schema = json.load(open("\(Fixture.root)/Documentation/manifest.schema.json"))
            jsonschema.Draft202012Validator.check_schema(schema)
            manifest = json.load(open("bundle/manifest.json"))
            jsonschema.Draft202012Validator(schema).validate(manifest)
            west, south, east, north = manifest["ground"]["bounds"]
            print(manifest["version"], round((north - south) * 111195), manifest["credits"][0]["license"])'
            """)
        // Twice the radius and the margin.
        #expect(judged.text == "2 340 ODbL 1.0\n", "\(judged.errors)")
    }

    /// The ground has the colour of the table that the page reads as well.
    @Test func mapsShowTheStreets() throws {
        try write()
        expectDone(try prepare())
        for (theme, ground) in [("light", "#e6ebe4"), ("dark", "#16211f")] {
            for story in ["story/story.xml", "bundle"] {
                expectDone(try bench.wayreel("map", story, "--theme", theme, "-o", "map.svg"))
                #expect(try bench.text("map.svg").contains("fill=\"\(ground)\""), "\(theme) \(story)")
                expectDone(try bench.wayreel("map", story, "--theme", theme, "--no-base-map", "-o", "map.svg"))
                #expect(!(try bench.text("map.svg").contains("fill=\"\(ground)\"")), "\(theme) \(story)")
            }
        }
    }

    @Test func damageIsFound() throws {
        try write()
        expectDone(try prepare("--map-margin", "50m"))
        let tile = "$(ls bundle/media/*/*.mvt | head -1)"
        let damaged = try bench.shell("printf x | dd of=\(tile) conv=notrunc 2>&1 && wayreel verify bundle")
        #expect(damaged.ending == .exited(1) && damaged.text.contains(".mvt: is not the file"), "\(damaged.text)")
    }

    @Test func saysWhatIsWrong() throws {
        try write(latitude: "58.4121")
        let check = try bench.wayreel("story", "check", "story/story.xml")
        #expect(check.ending == .exited(1))
        #expect((check.text + check.errors).contains("'krems.osm.pbf': the story lies outside: "), "\(check.errors)")
        let run = try prepare()
        #expect(run.ending == .exited(1) && run.errors.contains("the story lies outside of it, "), "\(run.errors)")
        #expect(!bench.exists("bundle/manifest.json"))
        try write()
        let krems = try Fixture.bytes(Fixture.media("maps/krems.osm.pbf"))
        try bench.write(Array(krems.prefix(40_000)), to: "story/krems.osm.pbf")
        let cut = try prepare()
        #expect(cut.ending == .exited(1) && cut.errors.contains("krems.osm.pbf"), "\(cut.errors)")
        let margin = try prepare("--map-margin", "30km")
        #expect(margin.ending != .exited(0) && margin.errors.contains("a margin of 30000 m"), "\(margin.errors)")
    }
}
