import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// The kept parts of handwritten metadata, valid and damaged.
@Suite struct AttributionTests {
    private static func dataset(_ record: UInt8, _ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        [0x1C, record, number] + FileBytes.big(value.count, 2) + value
    }

    private static let utf8 = dataset(1, 90, [0x1B, 0x25, 0x47])
    private static let version = dataset(2, 0, [0, 4])
    private static let latinNotice = dataset(2, 116, [0xA9] + Array(" Zo".utf8) + [0xEB, 0x80])
    private static let utf8Notice = dataset(2, 116, Array("© Zoë€".utf8))
    private static let keyword = dataset(2, 25, Array("harbour".utf8))
    private static let preview = dataset(2, 202, Array("PREVIEW".utf8))

    private static func header(exif: [UInt8]? = nil, xmp: String? = nil, iptc: [UInt8]? = nil) -> ImageHeader {
        var header = ImageHeader(format: .tiff, size: PixelSize(width: 4, height: 3))
        header.exif = exif
        header.xmp = xmp.map { Array($0.utf8) }
        header.iptc = iptc.map { IPTCBlock($0) }
        return header
    }

    private static func packet(_ properties: String) -> String {
        #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" "#
            + #"xmlns:r="http://ns.adobe.com/xap/1.0/rights/" xmlns:x="http://ns.adobe.com/xap/1.0/mm/">"#
            + properties + "</rdf:Description></rdf:RDF></x:xmpmeta>"
    }

    private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test(arguments: [version + latinNotice + keyword, utf8 + version + utf8Notice + keyword])
    func readsTheCharacterSetOfIPTC(iptc: [UInt8]) {
        let kept = OutputMetadata(keeping: .copyright, from: Self.header(iptc: iptc), for: .webp)
        #expect(Self.text(kept.exif).contains("© Zoë€\0"))
        #expect(Self.text(kept.xmp).contains(#"<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Zoë€</rdf:li>"#))
        #expect(!Self.text(kept.xmp).contains("harbour") && kept.iptc == nil)
    }

    /// The forms of a value in XMP (ISO 16684-1, sections 7.4 to 7.8); a part of another value is not mistaken for a
    /// value.
    @Test(arguments: [
        (#"<r:WebStatement>http://a/?b&amp;c</r:WebStatement>"#, "<xmpRights:WebStatement>http://a/?b&amp;c<"),
        (#"<r:WebStatement rdf:resource="http://a"/>"#, "<xmpRights:WebStatement>http://a<"),
        (#"<r:WebStatement><![CDATA[a<b]]><!-- c --></r:WebStatement>"#, "<xmpRights:WebStatement>a&lt;b<"),
        (
            #"<r:WebStatement rdf:parseType="Resource"><rdf:value>a</rdf:value><r:q>b</r:q></r:WebStatement>"#,
            "<xmpRights:WebStatement>a<"
        ),
        // XML allows no control characters, which some programs write as references (XML 1.0, section 2.2).
        (#"<r:WebStatement>a&#8;b&#x1F;c</r:WebStatement>"#, "<xmpRights:WebStatement>abc<"),
        (#"<dc:creator><rdf:Seq><rdf:li>&#90;o&#xEB;</rdf:li></rdf:Seq></dc:creator>"#, "<rdf:li>Zoë</rdf:li>"),
        (
            #"<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">a</rdf:li><rdf:li xml:lang="de">b</rdf:li></rdf:Alt></dc:rights>"#,
            #"<rdf:li xml:lang="x-default">a</rdf:li><rdf:li xml:lang="de">b</rdf:li>"#
        ),
        (#"<x:Ingredients><rdf:Bag><rdf:li><dc:rights>a</dc:rights></rdf:li></rdf:Bag></x:Ingredients>"#, ""),
    ])
    func readsTheFormsOfXMP(property: String, expected: String) {
        let task = TaskContext()
        let header = Self.header(xmp: Self.packet(property))
        let kept = OutputMetadata(keeping: .copyright, from: header, for: .png, task: task)
        #expect(expected.isEmpty ? kept.xmp == nil : Self.text(kept.xmp).contains(expected), "\(Self.text(kept.xmp))")
        #expect(task.warnings.isEmpty)
    }

    @Test func controlsDoNotReachTheOutput() {
        let iptc = Self.dataset(2, 80, [0x20, 0x01, 0x41, 0x00, 0x42, 0x0A])
        let kept = OutputMetadata(keeping: .copyright, from: Self.header(iptc: iptc), for: .png)
        #expect(Self.text(kept.xmp).contains("<rdf:li>AB</rdf:li>"))
    }

    @Test func allKeepsIPTCWithoutItsPreview() {
        let iptc = Self.utf8 + Self.version + Self.utf8Notice + Self.keyword
        let header = Self.header(iptc: iptc + Self.preview + Self.dataset(8, 10, [1, 2, 3]))
        let task = TaskContext()
        let jpeg = OutputMetadata(keeping: .all, from: header, for: .jpeg, task: task)
        #expect(jpeg.iptc == iptc && jpeg.xmp == nil && Self.text(jpeg.exif).contains("© Zoë€\0"))
        let png = OutputMetadata(keeping: .all, from: header, for: .png, task: task)
        #expect(png.iptc == nil && Self.text(png.xmp).contains("<dc:subject><rdf:Bag><rdf:li>harbour</rdf:li>"))
        #expect(task.warnings.isEmpty)
    }

    @Test func allMergesIPTCIntoXMP() {
        let original = Self.packet(#"<dc:rights>a</dc:rights><r:Kept>b</r:Kept>"#)
        let header = Self.header(
            xmp: original, iptc: Self.utf8Notice + Self.keyword + Self.dataset(2, 118, Array("Desk".utf8)))
        let task = TaskContext()
        let kept = Self.text(OutputMetadata(keeping: .all, from: header, for: .avif, task: task).xmp)
        #expect(kept.hasPrefix(original.dropLast("</rdf:RDF></x:xmpmeta>".count)))
        #expect(kept.contains("<rdf:li>harbour</rdf:li>") && !kept.contains("Zoë"))
        #expect(task.warnings.count == 1)
    }

    @Test func oversizedBlocksKeepTheirCopyright() {
        let long = String(repeating: "x", count: 70_000)
        let header = Self.header(xmp: Self.packet("<dc:rights>mine</dc:rights><r:Other>\(long)</r:Other>"))
        let task = TaskContext()
        let kept = Self.text(OutputMetadata(keeping: .all, from: header, for: .jpeg, task: task).xmp)
        #expect(kept.contains(">mine</rdf:li>") && !kept.contains("xxx") && task.warnings.count == 1)
        #expect(OutputMetadata(keeping: .all, from: header, for: .png).xmp == header.xmp)

        let notice = Self.header(xmp: Self.packet("<dc:rights>\(long)</dc:rights>"))
        let shortened = OutputMetadata(keeping: .copyright, from: notice, for: .jpeg, task: task)
        #expect(shortened.exif == nil && shortened.xmp == nil && task.warnings.count == 3)
    }

    /// Expanding entities, nesting and endless length only cause a warning.
    @Test(arguments: [
        #"<!DOCTYPE a [<!ENTITY b "&c;&c;&c;">]>"# + packet("<dc:rights>&b;</dc:rights>"),
        packet(String(repeating: "<dc:rights>", count: 1000)),
        packet("<dc:rights>" + String(repeating: " ", count: 50 << 20) + "</dc:rights>"),
    ])
    func hostilePacketsAreReported(packet: String) {
        for kept in [Encoding.Metadata.copyright, .all] {
            let task = TaskContext()
            let metadata = OutputMetadata(keeping: kept, from: Self.header(xmp: packet), for: .png, task: task)
            #expect(metadata.xmp == nil && task.warnings.count == 1)
        }
    }

    @Test func everyBrokenByteIsHarmless() {
        let exif = EXIFSample(isLittleEndian: true).bytes
        let xmp = Self.packet(#"<dc:rights><rdf:Alt><rdf:li xml:lang="de">&#65;&amp;</rdf:li></rdf:Alt></dc:rights>"#)
        let iptc = Self.utf8 + Self.utf8Notice + Self.keyword + Self.preview
        let valid = Self.header(exif: exif, xmp: xmp, iptc: iptc)
        func exercise(_ header: ImageHeader) {
            for format in [Encoding.Format.jpeg, .png] {
                _ = OutputMetadata(keeping: .copyright, from: header, for: format)
                _ = OutputMetadata(keeping: .all, from: header, for: format)
            }
        }
        func each(_ bytes: [UInt8], _ put: (inout ImageHeader, [UInt8]) -> Void) {
            var random = SeededRandom(seed: 7)
            for index in bytes.indices {
                var (cut, flipped) = (valid, valid)
                put(&cut, Array(bytes[..<index]))
                exercise(cut)
                var changed = bytes
                changed[index] = .random(in: 0...255, using: &random)
                put(&flipped, changed)
                exercise(flipped)
            }
        }
        each(Array(xmp.utf8)) { $0.xmp = $1 }
        each(iptc) { $0.iptc = IPTCBlock($1) }
        each(exif) { $0.exif = $1 }
    }

    /// Truncated records keep the fields before the end.
    @Test func damagedRecordsAreReported() {
        let task = TaskContext()
        let header = Self.header(iptc: Self.utf8 + Self.utf8Notice + [0x1C, 2, 25, 0x80, 4, 0xFF, 0xFF, 0xFF, 0xFF])
        let kept = OutputMetadata(keeping: .all, from: header, for: .jpeg, task: task)
        #expect(kept.iptc == Self.utf8 + Self.utf8Notice && task.warnings.count == 1)
    }

    /// Texts that decompress to an implausible size, or declare one, are ignored.
    @Test func skipsBombsInPNGText() throws {
        let zeros = PNGFile.zlibZeros(100 << 20)
        let packed: [(type: String, head: String)] = [
            ("zTXt", "Copyright\0\0"), ("zTXt", "Author\0\0"), ("zTXt", "Raw profile type iptc\0\0"),
            ("iTXt", "XML:com.adobe.xmp\0\u{1}\0\0\0"),
        ]
        let before = packed.flatMap { PNGFile.chunk($0.type, Array($0.head.utf8) + zeros) }
        let header = try DecodedImage(PNGFile.black(width: 3, height: 2, before: before)).header
        let kept = OutputMetadata(keeping: .all, from: header, for: .png)
        #expect(kept.exif == nil && kept.xmp == nil)
    }

    /// Editors pad XMP with spaces, which are packed far better than text.
    @Test func readsPaddedXMPOfAPNG() throws {
        let packet = PNGFile.zlibZeros(200_000)
        let text = PNGFile.chunk("iTXt", Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + packet)
        let header = try DecodedImage(PNGFile.black(width: 3, height: 2, before: text)).header
        #expect(header.xmp == [UInt8](repeating: 0, count: 200_000))
    }

    /// Returns the block in APP13 segments that hold parts of Photoshop's resources.
    private static func iptc(inSegments parts: [[UInt8]]) -> IPTCBlock? {
        let segments = parts.flatMap { JPEGSegmentsTests.segment(0xED, Array("Photoshop 3.0\0".utf8) + $0) }
        return ([0xFF, 0xD8] + segments).withUnsafeBytes { JPEGSegments($0).iptc }
    }

    /// Resources that continue in the next segment, and lengths that exceed the file.
    @Test func photoshopResourcesOfAJPEG() {
        let iptc = Self.utf8 + Self.utf8Notice
        var resources = Array("8BIM".utf8) + [0x03, 0xED, 3, 0x61, 0x62, 0x63, 0, 0, 0, 2, 9, 9]
        resources += Array("8BIM".utf8) + [0x04, 0x04, 0, 0, 0, 0, 0, UInt8(iptc.count)] + iptc
        #expect(Self.iptc(inSegments: [resources]) == IPTCBlock(iptc))
        let halves = [Array(resources[..<40]), Array(resources[40...])]
        #expect(Self.iptc(inSegments: halves) == IPTCBlock(iptc))
        for length in 0..<resources.count { #expect(Self.iptc(inSegments: [Array(resources[..<length])]) == nil) }
    }
}
