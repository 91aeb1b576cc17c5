internal import TestSupport
internal import Testing

/// `wayreel streams plot`.
@Suite struct StreamsPlotCommandTests {
    private let bench = Workbench()

    /// Writes 40 headings of 20 s, with one that is inaccurate.
    private func writeWalk() throws {
        var lines = ""
        for second in 10..<50 {
            lines += """
                {"time":"2026-11-23T17:05:\(second)Z","stream":"heading","values":{"accuracy":\(second == 30 ? 80 : 5),\
                "degrees":\(second * 7 % 360)}}

                """
        }
        try bench.write(lines, to: "walk.ndjson")
    }

    /// Writes twelve leads of 12 s at 100 Hz, in mV.
    private func writeECG() throws {
        let leads = ["i", "ii", "iii", "avr", "avl", "avf", "v1", "v2", "v3", "v4", "v5", "v6"]
        var lines = "time,stream,\(leads.joined(separator: ","))\n"
        for index in 0..<1200 {
            let value = index % 80 == 10 ? "1" : "0.05"
            lines += "\(Double(index) / 100),ecg,\(leads.map { _ in value }.joined(separator: ","))\n"
        }
        try bench.write(lines, to: "ecg.csv")
    }

    @Test func theCommandsOfTheDocumentation() throws {
        try writeWalk()
        try writeECG()
        let walk = try bench.shell(
            """
            wayreel streams plot walk.ndjson -o walk.png -o walk.svg --stream accuracy \
            --stream 'heading.degrees:unit=°,range=0..360'
            """)
        expectDone(walk)
        #expect(walk.errors.isEmpty && walk.output.isEmpty)
        #expect(try bench.header("walk.png")?.width == 1200)
        let svg = try #require(SVGFile(try bench.bytes("walk.svg")))
        #expect(svg.root["width"] == "1200" && svg.texts["title"] == "walk.ndjson")
        #expect(
            svg.texts["desc"]?.contains("heading.degrees: 40 samples, 70° at 2026-11-23T17:05:10Z to 343°") == true)

        let sheet = try bench.shell(
            """
            wayreel streams plot ecg.csv -o ecg.svg -o ecg.pdf --paper ecg --stream 'ecg.*:unit=mV' --from 2s --for 10s \
            --credit 'PTB, ODC-By'
            """)
        expectDone(sheet)
        #expect(sheet.errors.isEmpty)
        let paper = try #require(SVGFile(try bench.bytes("ecg.svg")))
        #expect(paper.root["width"] == "297mm" && paper.root["height"] == "210mm")
        #expect(paper.texts["desc"]?.hasSuffix("PTB, ODC-By") == true)
        let pdf = String(decoding: try bench.bytes("ecg.pdf"), as: UTF8.self)
        let box = try #require(pdf.firstMatch(of: /\/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]/))
        let (width, height) = (try #require(Double(box.1)), try #require(Double(box.2)))
        #expect(abs(width - 841.89) < 0.01 && abs(height - 595.276) < 0.01)
    }

    /// Prints for each page of a PDF how many texts it has, and how many lines, with a number that stands for their points.
    private static let pages = #"""
        import re, sys, zlib
        data = open(sys.argv[1], "rb").read()
        objects = {int(n): body for n, body in re.findall(rb"(\d+) 0 obj\s(.*?)endobj", data, re.S)}
        for body in objects.values():
            if not re.search(rb"/Type /Page[^s]", body): continue
            page = objects[int(re.search(rb"/Contents\s+(\d+) 0 R", body)[1])]
            content = zlib.decompressobj().decompress(page[page.index(b"stream\n") + 7:])
            lines = re.findall(rb"(-?[\d.]+) (-?[\d.]+) l\s", content)
            print(len(re.findall(rb"TJ|Tj", content)), len(lines), zlib.crc32(b" ".join(x + b"," + y for x, y in lines)))
        """#

    /// Each 10 s are a page: the second page of 20 s has the lines of a page of the second 10 s.
    @Test func sheetsOfAPDF() throws {
        try writeECG()
        try bench.write(Self.pages, to: "pages.py")
        let plot = "wayreel streams plot ecg.csv --paper ecg --stream 'ecg.*:unit=mV'"
        expectDone(try bench.shell("\(plot) -o both.pdf --for 12s"))
        expectDone(try bench.shell("\(plot) -o first.pdf --for 10s; \(plot) -o second.pdf --from 10s --for 2s"))
        let lines = try ["both", "first", "second"].map { name in
            try expectDone(bench.shell("python3 pages.py \(name).pdf")).text
                .split(separator: "\n").map { $0.split(separator: " ") }
        }
        try #require(lines.map(\.count) == [2, 1, 1])
        // The lines are those of single sheets; the number of the sheet is a further text.
        for (page, single) in [(lines[0][0], lines[1][0]), (lines[0][1], lines[2][0])] {
            try #require(page.count == 3 && single.count == 3)
            #expect(page[1...] == single[1...])
            let (texts, others) = (try #require(Int(page[0])), try #require(Int(single[0])))
            #expect(texts > others)
        }
        expectRefused(try bench.shell("\(plot) -o x.pdf --for 301s"), 2, "30 sheets hold 300 s")
        expectRefused(try bench.shell("\(plot) -o x.pdf -o x.png --for 12s"), 2, "write a PDF")
        #expect(!bench.exists("x.pdf"))
    }

    /// The archive that a phone app exports.
    @Test func anArchive() throws {
        let archive = "\(Fixture.root)/Tests/Fixtures/streams/sensor-logger.zip"
        expectDone(
            try bench.shell("wayreel streams plot '\(archive)' -o out.svg --stream 'accelerometer.*' --stream speed"))
        let svg = try #require(SVGFile(try bench.bytes("out.svg")))
        let text = try #require(svg.texts["desc"])
        #expect(text.hasPrefix("4 channels from 2023-10-28T13:52:24.401773Z to"))
        #expect(text.contains("accelerometer.x: 500 samples, 0 m/s²") && text.contains("marks: bridge, left at"))
        let show = try expectDone(bench.shell("wayreel streams show '\(archive)'"))
        #expect(show.text.contains("accelerometer") && show.text.contains("1 mark"))
        expectDone(try bench.shell("wayreel streams convert '\(archive)' -o out.csv --stream position"))
        #expect(try bench.text("out.csv").hasPrefix("time,position.accuracy [m],"))
        expectDone(try bench.shell("wayreel streams replay '\(archive)' --speed max -o out.ndjson"))
        expectDone(try bench.shell("head -c 1500 '\(archive)' > cut.zip"))
        expectRefused(try bench.shell("wayreel streams show cut.zip"), 1, "cut.zip: read: ZIP: the archive is damaged")
    }

    @Test func aPipe() throws {
        let run = try bench.shell(
            """
            (echo '{"time":1,"stream":"s","values":{"x":1}}'; echo '{"time":2,"stream":"s","values":{"x":3}}') \
            | wayreel streams plot - -o out.svg --title 'Two samples' --mark 0.5s=here
            """)
        expectDone(run)
        let svg = try #require(SVGFile(try bench.bytes("out.svg")))
        #expect(svg.texts["title"] == "Two samples")
        #expect(
            svg.texts["desc"] == "1 channel from 0 s to 1 s; s.x: 2 samples, 1 at 0 s to 3 at 1 s; marks: here at 0.5 s"
        )
    }

    @Test func filtersAndWarnings() throws {
        try writeWalk()
        let run = try bench.shell(
            "wayreel streams plot walk.ndjson -o out.svg --filter accuracy:max=50 --filter speed:max=5")
        expectDone(run)
        #expect(run.errors == "warning: the recording has no 'speed': the filter 'max' has done nothing\n")
        let svg = try #require(SVGFile(try bench.bytes("out.svg")))
        #expect(svg.texts["desc"]?.contains("some dropped by filters") == true)
        try writeECG()
        let sheet = try bench.shell("wayreel streams plot ecg.csv -o ecg.png --paper ecg")
        expectDone(sheet)
        #expect(sheet.lines.count == 1 && sheet.errors.contains("it is taken for mV"))
        #expect(try bench.header("ecg.png") == ImageFileHeader("png", 2970, 2100))
    }

    @Test func damagedLines() throws {
        try writeWalk()
        expectDone(try bench.shell("(cat walk.ndjson; printf '{\"time\":\"2026-11-2') > cut.ndjson"))
        expectRefused(try bench.shell("wayreel streams plot cut.ndjson -o out.svg"), 1, "cut.ndjson, line 41")
        #expect(!bench.exists("out.svg"))
        let run = try bench.shell("wayreel streams plot cut.ndjson -o out.svg --skip-damaged")
        expectDone(run)
        #expect(run.lines.count == 1 && run.errors.hasPrefix("warning: cut.ndjson, line 41"))
    }

    @Test(
        arguments: [
            ("none.ndjson -o out.svg", 1, "no such file"), ("walk.ndjson -o no/out.svg", 1, "create the folder"),
            ("walk.ndjson -o out.svg --stream hedding", 2, "did you mean 'heading'?"),
            ("walk.ndjson -o out.svg --stream heading:unti=m", 2, "did you mean 'unit'?"),
            ("walk.ndjson -o out.svg --filter heading:smoth=1s", 2, "did you mean 'smooth'?"),
            ("walk.ndjson -o out.svg --paper ecg --stream 'heading.degrees:unit=°'", 2, "is in °"),
            ("walk.ndjson -o out.svg --from 1h", 2, "no samples in the chosen time"),
            ("walk.ndjson -o out.svg --paper ecg --for 30s", 2, "a sheet holds 10 s"),
        ] as [(String, Int32, String)]) func refusesInOneLine(line: String, status: Int32, words: String) throws
    {
        try writeWalk()
        expectRefused(try bench.shell("wayreel streams plot \(line)"), status, words)
        #expect(bench.listing() == ["walk.ndjson"])
    }

    @Test(arguments: [
        "", "-o out.gif", "-o out.svg --for 0x", "-o out.svg --from yesterday", "-o out.svg --gap wide",
        "-o out.svg --mark 3s", "-o out.svg --zone Mars/Base", "-o out.svg --paper ecg --size 900x300",
        "-o out.svg --paper ecg --theme dark", "-o out.svg --paper graph", "-o out.svg --time tea",
        "-o out.svg --time seconds --zone Europe/Lisbon",
    ])
    func refusesWrongUsage(options: String) throws {
        try writeWalk()
        let run = try bench.shell("wayreel streams plot walk.ndjson \(options)")
        #expect(run.ending == .exited(2) && !run.errors.isEmpty)
        #expect(bench.listing() == ["walk.ndjson"])
    }
}
