import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct ImageProbeTests {
    private static func probe(_ path: String) throws -> ImageProbe {
        let bytes = try MediaBytes.read(path: path, limit: 1 << 28)
        return try ImageProbe(
            header: JPEGReader(bytes, limits: .standard, task: TaskContext()).header, bytes: bytes)
    }

    @Test func describesACapture() throws {
        let probe = try Self.probe(Fixture.media("captures/rooftop-pixel8-gainmap.jpg"))
        // Every line agrees with exiftool and identify.
        #expect(
            probe.description == """
                format:      jpeg (image/jpeg)
                bytes:       \(probe.bytes)
                size:        3072×4080
                orientation: 1, upright
                colour:      YCbCr
                profile:     sRGB IEC61966-2.1
                depth:       8 bits
                alpha:       no
                subsampling: 4:2:0
                progressive: no
                frames:      1
                gain map:    yes
                auxiliary:   none
                thumbnail:   yes
                location:    present
                device:      present
                """)
    }

    @Test func reportsUprightAndStoredSize() throws {
        let probe = try Self.probe(Fixture.media("captures/streetlamp-canon-rotated.jpg"))
        #expect(probe.size == PixelSize(width: 1536, height: 2048))
        #expect(probe.storedSize == PixelSize(width: 2048, height: 1536))
        #expect(probe.orientation == .quarterTurnClockwise)
        #expect(probe.description.contains("size:        1536×2048, stored as 2048×1536\n"))
        #expect(probe.description.contains("orientation: 6, rotated clockwise by 90°\n"))
        #expect(!probe.hasLocation && probe.hasDevice)
        #expect(probe.colorSource == .none && probe.colorDescription == nil)
    }

    @Test func reportsColourDescriptions() throws {
        var header = ImageHeader(format: .png, size: PixelSize(width: 1, height: 1))
        let bytes = MediaBytes([1])
        header.profile = LittleCMS.tableProfile(channels: 3)
        #expect(try ImageProbe(header: header, bytes: bytes).colorSource == .profile)
        #expect(try ImageProbe(header: header, bytes: bytes).description.contains("profile:     without a name"))
        header.profile = [1, 2, 3]
        #expect(try ImageProbe(header: header, bytes: bytes).colorSource == .damagedProfile)
        header.profile = nil
        header.profileIsDamaged = true
        #expect(try ImageProbe(header: header, bytes: bytes).description.contains("profile:     damaged"))
        header.gamma = 0.5
        #expect(try ImageProbe(header: header, bytes: bytes).colorDescription == "gamma 0.5")
        header.codePoints = ColorCodePoints(primaries: 12, transfer: 13, matrix: 0, isFullRange: true)
        #expect(try ImageProbe(header: header, bytes: bytes).colorSource == .header)
    }

    @Test func aHostileNameStaysOnItsLine() throws {
        var header = ImageHeader(format: .jpeg, size: PixelSize(width: 1, height: 1))
        // The description of a profile: "sRGB" becomes "s", line feed, escape, "B".
        var profile = SRGBProfile.bytes
        let text: [UInt8] = [0, 0x73, 0, 0x52, 0, 0x47, 0, 0x42]
        let name = try #require(profile.firstRange(of: text)).lowerBound
        profile[name + 3] = 0x0A
        profile[name + 5] = 0x1B
        header.profile = profile
        let probe = try ImageProbe(header: header, bytes: MediaBytes([1]))
        #expect(probe.colorSource == .profile && probe.colorDescription?.contains("\n") == false)
        #expect(probe.description.split(separator: "\n").count == 16)
    }

    /// Creative Commons' recommendation for XMP (https://wiki.creativecommons.org/wiki/XMP): the licence is a reference,
    /// the page about the work xmpRights:WebStatement.
    @Test func saysAuthorAndLicence() throws {
        var header = ImageHeader(format: .jpeg, size: PixelSize(width: 1, height: 1))
        let bytes = MediaBytes([1])
        #expect(try ImageProbe(header: header, bytes: bytes).attribution == nil)
        let start =
            #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
            + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" "#
            + #"xmlns:r="http://ns.adobe.com/xap/1.0/rights/" xmlns:cc="http://creativecommons.org/ns#">"#
            + #"<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Zo&#xEB;</rdf:li></rdf:Seq></dc:creator>"#
            + #"<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">&#xA9; 2026 Ann</rdf:li></rdf:Alt></dc:rights>"#
        let end = "</rdf:Description></rdf:RDF></x:xmpmeta>"
        header.xmp = Array((start + end).utf8)
        let noticed = try ImageProbe(header: header, bytes: bytes).attribution
        #expect(noticed?.author == "Ann, Zo\u{EB}" && noticed?.license == "\u{A9} 2026 Ann" && noticed?.origin == nil)
        let license =
            #"<r:WebStatement>https://example.org/a</r:WebStatement>"#
            + #"<cc:license rdf:resource="https://creativecommons.org/licenses/by/4.0/"/>"#
        header.xmp = Array((start + license + end).utf8)
        let licensed = try ImageProbe(header: header, bytes: bytes).attribution
        #expect(licensed?.license == "https://creativecommons.org/licenses/by/4.0/")
        #expect(licensed?.origin == "https://example.org/a")
    }

    /// A text of 100,000 characters is no credit.
    @Test func longAndBrokenAttributionsAreShortLines() throws {
        var header = ImageHeader(format: .jpeg, size: PixelSize(width: 1, height: 1))
        let name = "A\n\u{7}\n  b\tc " + String(repeating: "x", count: 100_000)
        header.xmp = Array(
            (#"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
                + #"<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>\#(name.xmlText)</dc:creator>"#
                + "</rdf:Description></rdf:RDF>").utf8)
        let author = try ImageProbe(header: header, bytes: MediaBytes([1])).attribution?.author
        #expect(author?.count == 1000 && author?.contains("\n") == false)
        #expect(author?.contains("b c xxx") == true)
    }
}
