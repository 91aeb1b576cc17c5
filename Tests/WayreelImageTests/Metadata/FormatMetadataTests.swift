import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// The metadata of GIF, JPEG 2000 and OpenEXR files, where their specifications place them.
@Suite struct FormatMetadataTests {
    private static let packet = Array(
        (#"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">"#
            + #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" "#
            + #"xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">"#
            + #"© Zoë</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#).utf8)

    /// A fixture with `bytes` inserted before the first occurrence of `mark`.
    private static func fixture(_ name: String, _ bytes: [UInt8], before mark: [UInt8]) throws -> [UInt8] {
        var file = try Fixture.imageBytes(name)
        file.insert(contentsOf: bytes, at: try #require(file.firstRange(of: mark)).lowerBound)
        return file
    }

    /// An application extension whose packet is followed by the "magic trailer" (XMP Specification Part 3, section
    /// 1.1.2).
    private static var gifExtension: [UInt8] {
        let trailer: [UInt8] = [0x01] + (0...0xFF).reversed().map { UInt8($0) } + [0x00]
        return [0x21, 0xFF, 0x0B] + Array("XMP DataXMP".utf8) + packet + trailer
    }

    private static func box(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
        FileBytes.big(8 + id.count + content.count, 4) + Array("uuid".utf8) + id + content
    }

    private static let xmpBox = box(
        [0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC], packet)
    private static let exifBox = box(Array("JpgTiffExif->JP2".utf8), EXIFSample(isLittleEndian: true).bytes)

    private static func notice(_ file: [UInt8], _ kept: Encoding.Metadata = .copyright) throws -> String {
        let header = try DecodedImage(file).header
        return String(decoding: OutputMetadata(keeping: kept, from: header, for: .png).xmp ?? [], as: UTF8.self)
    }

    @Test func readsThePacketOfAGIF() throws {
        let plain = try DecodedImage(fixture: "palette.gif")
        let file = try Self.fixture("palette.gif", Self.gifExtension, before: [0x2C, 0, 0, 0, 0])
        let image = try DecodedImage(file)
        #expect(image.header.xmp == Self.packet)
        #expect(image.values == plain.values && image.header.frames == 1)
        #expect(try Self.notice(file).contains("© Zoë<"))
    }

    @Test func ignoresATruncatedPacketOfAGIF() throws {
        let file = try Self.fixture("palette.gif", Self.gifExtension, before: [0x2C, 0, 0, 0, 0])
        let start = try #require(file.firstRange(of: Self.gifExtension.prefix(14))).lowerBound
        for end in stride(from: start, to: start + Self.gifExtension.count, by: 41) {
            #expect(throws: MediaError.self) { try DecodedImage(file[..<end]) }
        }
    }

    @Test func readsTheBoxesOfAJPEG2000() throws {
        let plain = try DecodedImage(fixture: "rgb.jp2")
        // The header of the box that contains the codestream.
        let bytes = try Fixture.imageBytes("rgb.jp2")
        let type = try #require(bytes.firstRange(of: Array("jp2c".utf8)))
        let mark = Array(bytes[type.lowerBound - 4..<type.upperBound])
        let file = try Self.fixture("rgb.jp2", Self.xmpBox + Self.exifBox, before: mark)
        let image = try DecodedImage(file)
        #expect(image.header.xmp == Self.packet)
        #expect(image.header.exif == EXIFSample(isLittleEndian: true).bytes)
        #expect(image.values == plain.values && image.header.size == plain.header.size)
        // EXIF takes precedence.
        #expect(try Self.notice(file).contains(">CC0<"))
        #expect(try Self.notice(file, .all).contains("© Zoë<"))
    }

    /// `owner` is a standard optional attribute of OpenEXR: name, type, length, value.
    @Test func keepsTheOwnerOfAnEXR() throws {
        let owner = Array("Zoë Adams".utf8)
        let attribute = Array("owner\0string\0".utf8) + [UInt8(owner.count), 0, 0, 0] + owner
        // The table of chunk offsets follows the header, so that all offsets move.
        var file = try Self.fixture("rgb.exr", attribute, before: Array("pixelAspectRatio\0".utf8))
        let end = try #require(Self.headerEnd(of: file))
        let first = Self.number(file[end..<end + 8])
        let chunks = (first + attribute.count - end) / 8
        for entry in 0..<chunks {
            let place = end + 8 * entry
            let offset = Self.number(file[place..<place + 8]) + attribute.count
            file.replaceSubrange(place..<place + 8, with: FileBytes.little(offset, 8))
        }
        let plain = try DecodedImage(fixture: "rgb.exr")
        let image = try DecodedImage(file)
        #expect(image.values == plain.values && image.damage == nil)
        #expect(try Self.notice(file).contains("<xmpRights:Owner><rdf:Bag><rdf:li>Zoë Adams</rdf:li>"))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    /// The index after the attributes, which end with an empty name.
    private static func headerEnd(of file: [UInt8]) -> Int? {
        var index = 8
        while index < file.count, file[index] != 0 {
            for _ in 0..<2 { index = (file[index...].firstIndex(of: 0) ?? file.count) + 1 }
            guard index + 4 <= file.count else { return nil }
            index += 4 + number(file[index..<index + 4])
        }
        return index + 1
    }
}
