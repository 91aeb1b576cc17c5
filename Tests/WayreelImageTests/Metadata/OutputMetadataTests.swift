import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct OutputMetadataTests {
    private static func header(exif: [UInt8]?, xmp: [UInt8]? = nil) -> ImageHeader {
        var header = ImageHeader(format: .jpeg, size: PixelSize(width: 4, height: 3))
        header.exif = exif
        header.xmp = xmp
        return header
    }

    private static let xmp = Array(
        #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6" tiff:Artist="A"/></rdf:RDF></x:xmpmeta>"#
            .utf8)

    /// Returns whether `bytes` contain a text.
    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool { bytes.contains(Array(text.utf8)) }

    @Test func noneKeepsNothing() {
        let kept = OutputMetadata(
            keeping: .none, from: Self.header(exif: EXIFSample(isLittleEndian: true).bytes, xmp: Self.xmp), for: .jpeg)
        #expect(kept.exif == nil && kept.xmp == nil)
    }

    @Test(arguments: [true, false])
    func copyrightKeepsTwoFields(isLittleEndian: Bool) throws {
        let sample = EXIFSample(isLittleEndian: isLittleEndian)
        let kept = OutputMetadata(keeping: .copyright, from: Self.header(exif: sample.bytes, xmp: Self.xmp), for: .jpeg)
        // The header, a directory of two fields, and the only value that does not fit into its field.
        let first = sample.number(0x013B, 2) + sample.number(2, 2) + sample.number(9, 4) + sample.number(38, 4)
        let second = sample.number(0x8298, 2) + sample.number(2, 2) + sample.number(4, 4) + Array("CC0\0".utf8)
        let expected =
            Array(sample.bytes.prefix(8)) + sample.number(2, 2) + first + second + sample.number(0, 4)
            + Array("A. Adams\0\0".utf8)
        #expect(kept.exif == expected)
        let packet = try #require(kept.xmp)
        #expect(Self.contains(packet, "<rdf:li>A. Adams</rdf:li>") && Self.contains(packet, ">CC0</rdf:li>"))
    }

    @Test func copyrightOfACaptureWithoutIsNothing() throws {
        let exif = try #require(EXIFBlockTests.capture("streetlamp-canon-rotated").exif)
        #expect(OutputMetadata(keeping: .copyright, from: Self.header(exif: exif), for: .jpeg).exif == nil)
    }

    @Test(arguments: [true, false])
    func allKeepsValidProperties(isLittleEndian: Bool) throws {
        let source = EXIFSample(isLittleEndian: isLittleEndian).bytes
        let task = TaskContext()
        let kept = OutputMetadata(
            keeping: .all, from: Self.header(exif: source, xmp: Self.xmp), for: .jpeg,
            size: PixelSize(width: 960, height: 640),
            task: task)
        let bytes = try #require(kept.exif)
        let exif = try #require(EXIFBlock(bytes))
        #expect(exif.orientation == .upright)
        #expect(exif.make == "Camera" && exif.artist == "A. Adams" && exif.date == "2020:02:29 23:59:59")
        #expect(exif.hasLocation && !exif.hasThumbnail)
        #expect(!Self.contains(bytes, "THUMBNAIL") && !Self.contains(bytes, "MAKERNOTE"))
        #expect(task.warnings.isEmpty)
        let packet = try #require(kept.xmp)
        #expect(!Self.contains(packet, "Orientation") && Self.contains(packet, #"tiff:Artist="A""#))
    }

    @Test func reportsUnsupportedMetadata() {
        let task = TaskContext()
        let kept = OutputMetadata(
            keeping: .all, from: Self.header(exif: [1, 2, 3], xmp: Array("<a><b></a>".utf8)), for: .jpeg, task: task)
        #expect(kept.exif == nil && kept.xmp == nil)
        #expect(task.warnings.count == 2)
    }

    // MARK: As read by exiftool

    private static let hasExiftool = system("exiftool -ver > /dev/null 2>&1") == 0

    /// Returns tags and values, without those that a rebuilt block may change.
    private static func exiftool(_ path: String, _ groups: String) -> [String: String] {
        let command = "exiftool -s -n -G1 -a \(groups) '\(path)' 2>&1"
        guard let pipe = popen(command, "r") else { return [:] }
        defer { pclose(pipe) }
        var text: [UInt8] = []
        while case let byte = fgetc(pipe), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
        var tags: [String: String] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            let key = parts[0].split(separator: " ").joined(separator: " ")
            tags[key] = parts.count > 1 ? parts[1] : ""
        }
        return tags
    }

    private static func write(_ kept: OutputMetadata, _ path: String) throws {
        let image = try Image(size: PixelSize(width: 12, height: 8))
        let file = try JPEGWriter.encode(image, as: Encoding(), metadata: kept, task: TaskContext())
        try OutputFile.write(file, to: path)
    }

    @Test(
        .enabled(if: hasExiftool),
        arguments: [
            "wisteria-iphone6-8mp", "streetlamp-canon-rotated", "town-coolpix-gps", "rooftop-pixel8-gainmap",
        ])
    func exiftoolFindsAllTheRest(name: String) throws {
        let segments = try EXIFBlockTests.capture(name)
        let kept = OutputMetadata(
            keeping: .all, from: Self.header(exif: segments.exif, xmp: segments.xmp), for: .jpeg,
            size: PixelSize(width: 12, height: 8))
        try Fixture.withFolder { folder in
            let output = "\(folder)/kept.jpg"
            try Self.write(kept, output)
            let groups = "-IFD0:all -ExifIFD:all -GPS:all"
            var before = Self.exiftool(Fixture.media("captures/\(name).jpg"), groups)
            var after = Self.exiftool(output, groups)
            let changed = [
                "[IFD0] Orientation": " 1", "[ExifIFD] ExifImageWidth": " 12", "[ExifIFD] ExifImageHeight": " 8",
                "[ExifIFD] ColorSpace": " 1", "[IFD0] YCbCrPositioning": " 1",
            ]
            for (tag, value) in changed {
                if before[tag] != nil { #expect(after[tag] == value, "\(tag)") }
                before[tag] = nil
                after[tag] = nil
            }
            let left = ["[ExifIFD] CompressedBitsPerPixel", "[IFD0] PrintImageMatching"]
            for tag in left where before[tag] != nil { before[tag] = after[tag] }
            #expect(!before.isEmpty && before == after)
            let others = Self.exiftool(output, "-IFD1:all -MakerNotes:all -InteropIFD:all -warning -error -MPF:all")
            #expect(others.isEmpty)
        }
    }

    @Test(.enabled(if: hasExiftool), arguments: [Encoding.Metadata.none, .copyright])
    func exiftoolFindsNothingElse(kept: Encoding.Metadata) throws {
        let header = Self.header(exif: EXIFSample(isLittleEndian: true).bytes, xmp: Self.xmp)
        try Fixture.withFolder { folder in
            let output = "\(folder)/kept.jpg"
            try Self.write(OutputMetadata(keeping: kept, from: header, for: .jpeg), output)
            let tags = Self.exiftool(output, "-EXIF:all -XMP:all -warning -error")
            let expected = [
                "[IFD0] Artist": " A. Adams", "[IFD0] Copyright": " CC0", "[XMP-dc] Creator": " A. Adams",
                "[XMP-dc] Rights": " CC0",
            ]
            #expect(tags == (kept == .none ? [:] : expected))
        }
    }
}
