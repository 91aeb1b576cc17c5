internal import TestSupport
internal import Testing

/// `wayreel codes`, and `play` with codes.
@Suite struct CodesCommandTests {
    private let bench = Workbench()
    private static let address = ["--address", "https://tours.example.org/"]

    init() throws {
        func event(_ id: String, _ activation: String, _ longitude: Double) -> String {
            """
            <event id="\(id)"><name>The \(id)</name><position latitude="48.4" longitude="\(longitude)"/>
            <activation radius="10" \(activation)/><scrapbook><text>T</text></scrapbook></event>
            """
        }
        let events = [
            event("hall", #"trigger="code" code="7KQ2""#, 15.6), event("yard", "", 15.603),
            event("vault", #"trigger="code" code="M3PX""#, 15.606),
        ]
        try bench.write(
            """
            <story id="mill" language="en"><name>The Mill</name><chapter id="house"><name>House</name>
            \(events.joined(separator: "\n"))</chapter></story>
            """, to: "story.xml")
    }

    @Test func listsCodesAndLinks() throws {
        let list = try expectDone(bench.wayreel("codes", "story.xml"))
        let rows = list.text.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
        #expect(rows == [["7KQ2", "hall"], ["M3PX", "vault"]])
        let text = try expectDone(bench.command(["codes", "story.xml"] + Self.address).run()).text
        let links = text.split(separator: "\n")
        #expect(links.count == 2)
        #expect(links.first?.hasSuffix("https://tours.example.org/#/mill/code/7KQ2") == true, "\(text)")
    }

    @Test func printsFreeCodes() throws {
        let codes = try expectDone(bench.wayreel("codes", "--new", "40", "story.xml")).text.split(separator: "\n")
        #expect(codes.count == 40 && Set(codes).count == 40 && !codes.contains("7KQ2"))
        #expect(codes.allSatisfy { $0.wholeMatch(of: /[23456789ACDEFGHJKMNPQRTVWXY]{4}/) != nil })
    }

    @Test func drawsFilesByTheirEndings() throws {
        for arguments in [
            ["-o", "codes.pdf"], ["--layout", "sheet", "-o", "codes.png"], ["--event", "hall", "-o", "hall.svg"],
        ] {
            try expectDone(bench.command(["codes", "story.xml"] + Self.address + arguments).run())
        }
        #expect(try bench.bytes("codes.pdf").starts(with: "%PDF-".utf8))
        // A4 at 254 dots per inch.
        #expect(try bench.header("codes.png") == ImageFileHeader("png", 2100, 2970))
        #expect(try SVGFile(bench.bytes("hall.svg")) != nil)
    }

    @Test(arguments: [
        (["story.xml", "-o", "a.pdf"], "--output needs --address"),
        (["story.xml", "--layout", "sheet"], "--layout has no effect without --output"),
        (["story.xml", "-o", "a.txt"], "--output takes a file that ends in .pdf, .svg or .png"),
        ([], "name the story's document"), (["--new", "0"], "--new takes a number from 1 to 1000"),
        (["story.xml", "--address", "here", "-o", "a.pdf"], "'here' is not the address of a page"),
        (["story.xml", "--address", "https://a/\u{202E}b", "-o", "a.pdf"], "is not the address of a page"),
        (["story.xml"] + address + ["-o", "a.svg"], "2 codes take 2 pages, and a file of SVG has one"),
        (["story.xml"] + address + ["--event", "hal", "-o", "a.svg"], "did you mean 'hall'?"),
    ]) func saysWhatIsWrong(arguments: [String], message: String) throws {
        let run = try bench.command(["codes"] + arguments).run()
        #expect(run.ending == .exited(2))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(bench.listing() == ["story.xml"])
    }

    /// A bundle takes the same codes as its document, and neither lists nor prints them.
    @Test func bundlesPlayWithCodes() throws {
        try expectDone(bench.wayreel("prepare", "story.xml", "-o", "bundle", "--screen", "100x150", "--quiet"))
        #expect(try bench.wayreel("codes", "bundle").errors.contains("has hashes of its codes alone"))
        try expectDone(bench.wayreel("walk", "story.xml", "-o", "walk.gpx"))
        try bench.write("codes: [7kq2, m3-px]", to: "answers.yml")
        for story in ["story.xml", "bundle"] {
            let whole = try expectDone(
                bench.wayreel("play", story, "--track", "walk.gpx", "--answers", "answers.yml"))
            #expect(whole.text.contains("3 of 3 events"), "\(whole.text)")
            let some = try expectDone(bench.wayreel("play", story, "--track", "walk.gpx"))
            #expect(some.text.contains("1 of 3 events") && some.text.contains("but it takes its code"), "\(some.text)")
        }
        try bench.write("codes: 2222", to: "answers.yml")
        #expect(
            try bench.wayreel("play", "bundle", "--track", "walk.gpx", "--answers", "answers.yml").errors
                .contains("has the code '2222', which no event has"))
    }
}
