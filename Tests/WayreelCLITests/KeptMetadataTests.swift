internal import Glibc
internal import TestSupport
internal import Testing

/// The metadata that `--keep` keeps: written by exiftool, and read from the outputs by exiftool.
@Suite(.enabled(if: access("/usr/bin/exiftool", X_OK) == 0, "exiftool is not installed"))
struct KeptMetadataTests {
    private let bench = Workbench()

    @discardableResult
    private func exiftool(_ arguments: [String]) throws -> String {
        var command = Command("/usr/bin/exiftool", arguments)
        command.folder = bench.folder
        let outcome = try command.run()
        #expect(outcome.ending == .exited(0), "\(outcome.errors)")
        return outcome.text
    }

    /// Returns tags as `XMP-dc:Rights` with their values, lists joined by ` | `.
    private func tags(_ name: String, _ groups: [String]) throws -> [String: String] {
        let lines = try exiftool(["-s", "-n", "-a", "-G1", "-sep", " | "] + groups + [name]).split(separator: "\n")
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                let name = parts[0].split(separator: " ")
                return ("\(name[0].dropFirst().dropLast()):\(name[1])", String(parts[1].dropFirst()))
            },
            uniquingKeysWith: { first, _ in first })
    }

    private static let everything = ["-EXIF:all", "-XMP:all", "-IPTC:all", "-Photoshop:all", "-PNG-tEXt:all"]

    /// Makes a copy of a file with tags written by exiftool.
    private func source(_ path: String, _ tags: [String]) throws -> String {
        let name = "source" + path.drop { $0 != "." }
        try bench.write(try Fixture.bytes(path), to: name)
        try exiftool(["-q", "-m", "-overwrite_original"] + tags + [name])
        return name
    }

    // MARK: --keep copyright

    private static let names = ["XMP-dc:Creator": "Zoë Ω | A; B", "IFD0:Artist": #"Zoë Ω; "A; B""#]
    private static let inXMP = (
        tags: [
            "-XMP-dc:Rights=© <Zoë> & Ω", "-XMP-dc:Rights-de=© deutsch", "-XMP-dc:Creator=Zoë Ω",
            "-XMP-dc:Creator=A; B",
            "-XMP-photoshop:Credit=Agency", "-XMP-xmpRights:WebStatement=https://example.org/?a=1&b=2",
            "-XMP-xmpRights:UsageTerms=\"Ask\"", "-XMP-xmpRights:Marked=True", "-XMP-xmpRights:Owner=O",
            "-XMP-dc:Subject=secret", "-XMP-exif:GPSLatitude=47.5", "-XMP-xmp:CreatorTool=secret",
        ],
        kept: names.merging(
            [
                "XMP-dc:Rights": "© <Zoë> & Ω", "XMP-dc:Rights-de": "© deutsch", "IFD0:Copyright": "© <Zoë> & Ω",
                "XMP-photoshop:Credit": "Agency", "XMP-xmpRights:WebStatement": "https://example.org/?a=1&b=2",
                "XMP-xmpRights:UsageTerms": "\"Ask\"", "XMP-xmpRights:Marked": "True", "XMP-xmpRights:Owner": "O",
            ], uniquingKeysWith: { $1 })
    )
    private static let inEXIF = (
        tags: ["-EXIF:Artist=Zoë Ω; \"A; B\"", "-EXIF:Copyright=© Ω", "-EXIF:Make=secret", "-GPSLatitude=47.5"],
        kept: names.merging(["XMP-dc:Rights": "© Ω", "IFD0:Copyright": "© Ω"], uniquingKeysWith: { $1 })
    )
    private static let inIPTC = (
        tags: [
            "-IPTC:CopyrightNotice=© Zoë €", "-IPTC:By-line=Zoë", "-IPTC:By-line=Bob", "-IPTC:Credit=Agency",
            "-IPTC:Source=Desk", "-IPTC:City=secret", "-IPTC:Keywords=secret",
        ],
        kept: [
            "XMP-dc:Creator": "Zoë | Bob", "IFD0:Artist": "Zoë; Bob", "XMP-dc:Rights": "© Zoë €",
            "IFD0:Copyright": "© Zoë €", "XMP-photoshop:Credit": "Agency", "XMP-photoshop:Source": "Desk",
        ]
    )
    private static let inPNG = (
        tags: ["-PNG:Author=Zoë", "-PNG:Copyright=© Zoë", "-PNG:Comment=secret"],
        kept: ["XMP-dc:Creator": "Zoë", "IFD0:Artist": "Zoë", "XMP-dc:Rights": "© Zoë", "IFD0:Copyright": "© Zoë"]
    )
    private static let (jpeg, png, tiff, psd) = (
        Fixture.media("captures/town-coolpix-gps.jpg"), Fixture.image("rgb-8.png"), Fixture.image("rgb.tif"),
        Fixture.image("psd.psd")
    )
    private static let others = [
        Fixture.image("rgb.jxl"), Fixture.image("lossless.webp"), Fixture.image("lossless.avif"),
        Fixture.image("lossless.heic"),
    ]
    /// Removes all tags, except for JPEG XL: exiftool would then write no XMP, and the file has no tags initially.
    private static func cleared(_ file: String) -> [String] { file.hasSuffix(".jxl") ? [] : ["-all="] }
    /// Files, the tags to write into them, and the tags to be kept.
    private static let sources: [(file: String, tags: [String], kept: [String: String])] =
        ([jpeg, png, tiff, psd] + others).map { ($0, cleared($0) + inXMP.tags, inXMP.kept) }
        + ([jpeg, png, tiff, psd] + others).map { ($0, ["-all="] + inEXIF.tags, inEXIF.kept) }
        + [jpeg, png, tiff, psd].map { ($0, ["-all="] + inIPTC.tags, inIPTC.kept) }
        + [jpeg, png, tiff, psd].map { ($0, ["-all="] + inIPTC.tags + ["-CodedCharacterSet=UTF8"], inIPTC.kept) }
        + [[], ["-z"]].map { (png, $0 + inPNG.tags, inPNG.kept) }
        + [
            (
                png, ["-PNG:Author-de=Zoë Ω", "-PNG:Copyright-de=Ω"],
                [
                    "XMP-dc:Creator": "Zoë Ω", "IFD0:Artist": "Zoë Ω", "XMP-dc:Rights": "Ω", "IFD0:Copyright": "Ω",
                ]
            )
        ]

    @Test(arguments: sources.indices) func copyrightIsKeptAndNothingElse(_ index: Int) throws {
        let (file, written, kept) = Self.sources[index]
        let name = try source(file, written)
        let output = ["out.jpg", "out.png", "out.webp", "out.avif"][index % 4]
        let outcome = try bench.wayreel("capture", name, "-o", output, "--screen", "24x16", "--keep", "copyright")
        expectDone(outcome)
        #expect(!outcome.errors.contains("metadata"), "\(outcome.errors)")
        #expect(try tags(output, Self.everything) == kept, "\(file) \(written)")
    }

    private static let long = String(repeating: "0123456789", count: 13)
    /// Conflicting blocks of a JPEG: tags to write, each list in one call.
    private static let disagreements: [[[String]]] = [
        [["-EXIF:Copyright=E", "-XMP-dc:Rights=X", "-IPTC:CopyrightNotice=I"]],
        [["-EXIF:Copyright= ", "-XMP-dc:Rights=X", "-IPTC:CopyrightNotice=I"]],
        [["-XMP-dc:Rights=X", "-IPTC:CopyrightNotice=I", "-IPTCDigest=new"]],
        [["-XMP-dc:Rights=X", "-IPTC:CopyrightNotice=I", "-IPTCDigest=00112233445566778899aabbccddeeff"]],
        [["-XMP-dc:Rights=\(long)", "-IPTC:CopyrightNotice=\(long)", "-IPTCDigest=00112233445566778899aabbccddeeff"]],
        [["-IPTC:CopyrightNotice=I", "-IPTCDigest=00112233445566778899aabbccddeeff"]],
        [["-XMP-dc:Rights=X", "-IPTC:CopyrightNotice=I", "-IPTCDigest=new"], ["-IPTC:CopyrightNotice=J"]],
    ]

    /// The expected values are exiftool's reading of the guidelines of the Metadata Working Group.
    @Test(arguments: disagreements.indices) func reconcilesMetadataBlocks(_ index: Int) throws {
        let name = try source(Self.jpeg, ["-all="])
        for tags in Self.disagreements[index] { try exiftool(["-q", "-m", "-overwrite_original"] + tags + [name]) }
        let expected = try exiftool(["-use", "MWG", "-s3", "-MWG:Copyright", name])
        #expect(!expected.isEmpty)
        expectDone(try bench.wayreel("capture", name, "-o", "out.jpg", "--keep", "copyright"))
        #expect(try exiftool(["-s3", "-IFD0:Copyright", "out.jpg"]) == expected)
        #expect(try exiftool(["-s3", "-XMP-dc:Rights", "out.jpg"]) == expected)
    }

    // MARK: --keep all

    private static let records = [
        "-IPTC:ObjectName=Boats", "-IPTC:Caption-Abstract=Boats\nat noon", "-IPTC:Keywords=boat", "-IPTC:Keywords=sea",
        "-IPTC:City=Zürich", "-IPTC:CopyrightNotice=© Zoë", "-IPTC:DateCreated=2015:04:10", "-IPTC:Urgency=5",
        "-IPTC:Country-PrimaryLocationCode=CHE", "-IPTC:Sub-location=Quay",
    ]

    @Test(arguments: [[], ["-CodedCharacterSet=UTF8"]]) func jpegKeepsIPTC(_ charset: [String]) throws {
        for file in [Self.jpeg, Self.tiff, Self.psd, Self.png] {
            let name = try source(file, ["-all="] + Self.records + charset)
            let before = try tags(name, ["-IPTC:all"])
            expectDone(try bench.wayreel("capture", name, "-o", "out.jpg", "--screen", "24x16", "--keep", "all"))
            #expect(try tags("out.jpg", ["-IPTC:all"]) == before && before.count >= 10, "\(file)")
        }
    }

    @Test(arguments: ["png", "webp", "avif"]) func otherFormatsKeepIPTCAsXMP(_ format: String) throws {
        let name = try source(Self.jpeg, ["-all="] + Self.records)
        let outcome = try expectDone(bench.wayreel("capture", name, "-o", "out.\(format)", "--keep", "all"))
        #expect(!outcome.errors.contains("metadata"), "\(outcome.errors)")
        #expect(
            try tags("out.\(format)", Self.everything.filter { $0 != "-EXIF:all" } + ["-IFD0:Copyright"]) == [
                "XMP-dc:Title": "Boats", "XMP-dc:Description": "Boats.at noon", "XMP-dc:Subject": "boat | sea",
                "XMP-photoshop:City": "Zürich", "XMP-dc:Rights": "© Zoë", "XMP-photoshop:DateCreated": "2015:04:10",
                "XMP-photoshop:Urgency": "5", "XMP-iptcCore:CountryCode": "CHE", "XMP-iptcCore:Location": "Quay",
                "IFD0:Copyright": "© Zoë",
            ])
    }

    /// exiftool splits XMP that is too long for a segment.
    @Test func extendedXMPIsReported() throws {
        let long = String(repeating: "x", count: 100_000)
        let name = try source(Self.jpeg, ["-all=", "-XMP-dc:Description=\(long)", "-XMP-dc:Rights=R"])
        let outcome = try expectDone(bench.wayreel("capture", name, "-o", "out.jpg", "--keep", "all"))
        #expect(outcome.lines.filter { $0.contains("metadata") }.count == 1, "\(outcome.errors)")
    }

    @Test func reportsDroppedMetadata() throws {
        let name = try source(Self.jpeg, ["-all=", "-IPTC:Contact=Desk", "-XMP-xmp:Rating=5", "-IPTC:Headline=H"])
        let outcome = try expectDone(bench.wayreel("capture", name, "-o", "out.webp", "--keep", "all"))
        #expect(outcome.errors.contains("2:118"), "\(outcome.errors)")
        #expect(
            try tags("out.webp", Self.everything).filter { $0.key != "XMP-x:XMPToolkit" && !$0.key.hasPrefix("IFD0") }
                == [
                    "XMP-xmp:Rating": "5", "XMP-photoshop:Headline": "H",
                ])
    }
}
