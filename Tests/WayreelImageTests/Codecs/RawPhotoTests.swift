import TestSupport
import Testing
import WayreelCore
import WayreelImage

/// Raw photos as cameras write them, with real JPEG files as previews and noise as sensor data.
@Suite struct RawPhotoTests {
    private static let small = "JPEG/444.jpg"
    private static let sensor = [UInt8](repeating: 0x5A, count: 1000)

    /// A field of a TIFF directory: one LONG, a text, or the offsets of other directories.
    private enum Value {
        case number(Int)
        case text(String)
        /// The bytes that a pair of fields, the second with their length, names.
        case data([UInt8], lengthTag: Int)
        case directories([[Int: Value]])
    }

    /// Writes little-endian TIFF directories that follow each other, after `magic`.
    private struct Writer {
        var bytes: [UInt8]

        init(magic: [UInt8], _ chain: [[Int: Value]]) {
            bytes = magic + [0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
            var link = 4
            for directory in chain {
                let (offset, next) = write(directory)
                put(offset, at: link)
                link = next
            }
        }

        private mutating func put(_ value: Int, at offset: Int) {
            bytes.replaceSubrange(offset..<offset + 4, with: FileBytes.little(value, 4))
        }

        /// Returns the offsets of the directory and of its link to the next one.
        private mutating func write(_ directory: [Int: Value]) -> (Int, Int) {
            var entries: [(tag: Int, type: Int, count: Int, value: Int)] = []
            for (tag, value) in directory {
                switch value {
                case .number(let number): entries.append((tag, 4, 1, number))
                case .text(let text):
                    entries.append((tag, 2, text.utf8.count + 1, bytes.count))
                    bytes += Array(text.utf8) + [0]
                case .data(let data, let lengthTag):
                    entries += [(tag, 4, 1, bytes.count), (lengthTag, 4, 1, data.count)]
                    bytes += data
                case .directories(let children):
                    let offsets = children.map { write($0).0 }
                    entries.append((tag, 4, offsets.count, offsets.count == 1 ? offsets[0] : bytes.count))
                    if offsets.count > 1 {
                        let start = bytes.count
                        bytes += [UInt8](repeating: 0, count: 4 * offsets.count)
                        for (index, offset) in offsets.enumerated() { put(offset, at: start + 4 * index) }
                    }
                }
            }
            let (start, l) = (bytes.count, FileBytes.little)
            bytes += l(entries.count, 2)
            for entry in entries.sorted(by: { $0.tag < $1.tag }) {
                bytes += l(entry.tag, 2) + l(entry.type, 2) + l(entry.count, 4) + l(entry.value, 4)
            }
            bytes += l(0, 4)
            return (start, start + 2 + entries.count * 12)
        }
    }

    private static let magic: [UInt8] = [0x49, 0x49, 42, 0]

    /// A directory with sensor data, whose tiles may be JPEG too.
    private static func mosaic(_ data: [UInt8] = sensor) -> [Int: Value] {
        [
            254: .number(0), 256: .number(4000), 257: .number(3000), 259: .number(7), 262: .number(32803),
            273: .data(data, lengthTag: 279),
        ]
    }

    private static func camera(_ more: [Int: Value]) -> [Int: Value] {
        more.merging([271: .text("Nikon Corporation"), 272: .text("Nikon Z 6"), 274: .number(6)]) { $1 }
    }

    /// Returns the bytes of a raw file and the name that it is reported by.
    private static func file(_ kind: String, preview: [UInt8], thumbnail: [UInt8]) -> (bytes: [UInt8], name: String) {
        switch kind {
        case "DNG with its preview inside":
            let first = camera([
                254: .number(1), 50706: .number(0x0401), 513: .data(thumbnail, lengthTag: 514),
                330: .directories([
                    mosaic(), [254: .number(1), 259: .number(7), 262: .number(6), 273: .data(preview, lengthTag: 279)],
                ]),
            ])
            return (Writer(magic: magic, [first]).bytes, "Nikon Z 6")
        case "NEF":
            let first = camera([
                254: .number(1), 330: .directories([[513: .data(preview, lengthTag: 514)], mosaic()]),
            ])
            return (Writer(magic: magic, [first, [513: .data(thumbnail, lengthTag: 514)]]).bytes, "Nikon Z 6")
        case "CR2":
            var bytes = Writer(
                magic: magic,
                [
                    camera([259: .number(6), 273: .data(preview, lengthTag: 279)]),
                    [513: .data(thumbnail, lengthTag: 514)],
                ]
            ).bytes
            bytes.replaceSubrange(8..<11, with: [0x43, 0x52, 2])
            return (bytes, "Nikon Z 6")
        case "ORF", "RW2":
            let magic = kind == "ORF" ? Array("IIRO".utf8) : [0x49, 0x49, 0x55, 0]
            return (Writer(magic: magic, [camera([0x2E: .data(preview, lengthTag: 0x2F)])]).bytes, "Nikon Z 6")
        case "RAF":
            let head = Array("FUJIFILMCCD-RAW 0201FF383501X-T3".utf8) + [UInt8](repeating: 0, count: 80)
            return (head + preview + sensor, "Fujifilm X-T3")
        default:
            let metadata = Writer(magic: magic, [camera([:])]).bytes
            let movie = box(
                "moov", box("uuid", [UInt8](repeating: 7, count: 16), box("CMT1", metadata), box("THMB", thumbnail)))
            return (
                box("ftyp", ascii("crx "), number(1, 4), ascii("crx isom")) + movie + box("mdat", preview, sensor),
                "Nikon Z 6"
            )
        }
    }

    private static func header(_ bytes: [UInt8]) throws -> ImageHeader {
        try ImageDecoder.open(MediaBytes(bytes), limits: .standard, task: TaskContext()).header
    }

    @Test(arguments: ["DNG with its preview inside", "NEF", "CR2", "ORF", "RW2", "RAF", "CR3"])
    func takesTheLargestPreview(kind: String) throws {
        let preview = try Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg"))
        let thumbnail = try Fixture.imageBytes(Self.small)
        let file = Self.file(kind, preview: preview, thumbnail: thumbnail)
        let header = try Self.header(file.bytes)
        #expect(header.size == (try Self.header(preview)).size && header.rawCamera == file.name)
        #expect(header.format.name == "raw" && header.frames == 1)
        // Without the large one, the thumbnail is the preview, which has no EXIF.
        guard kind != "RAF", kind != "ORF", kind != "RW2" else { return }
        let other = Self.file(kind, preview: Self.sensor, thumbnail: thumbnail)
        let shown = try DecodedImage(other.bytes)
        #expect(shown.values == (try DecodedImage(thumbnail)).values)
        #expect(shown.header.uprightOrientation == .quarterTurnClockwise)
    }

    /// The tiles of lossy sensor data are JPEG, but no previews.
    @Test func takesNoSensorData() throws {
        let large = try Fixture.bytes(Fixture.media("captures/town-coolpix-gps.jpg"))
        let thumbnail = try Fixture.imageBytes(Self.small)
        let first = Self.camera([
            254: .number(1), 50706: .number(0x0401), 513: .data(thumbnail, lengthTag: 514),
            330: .directories([Self.mosaic(large), Self.mosaic()]),
        ])
        #expect(try Self.header(Writer(magic: Self.magic, [first]).bytes).size == Self.header(thumbnail).size)
    }

    @Test(arguments: [
        ("DNG with its preview inside", "Nikon Z 6"), ("NEF", "Nikon Z 6"), ("RAF", "Fujifilm X-T3"), ("X3F", "Sigma"),
    ])
    func namesTheCameraOfOneWithoutAPreview(kind: String, name: String) throws {
        let bytes =
            kind == "X3F"
            ? Array("FOVb".utf8) + Self.sensor : Self.file(kind, preview: Self.sensor, thumbnail: Self.sensor).bytes
        let error = #expect(throws: MediaError.self) { try Self.header(bytes) }
        #expect(error?.kind == .unsupported)
        #expect(error?.reason == "the raw photo of \(name) has no preview that Wayreel reads")
    }

    @Test func saysThatItIsAPreview() throws {
        let preview = try Fixture.imageBytes(Self.small)
        let bytes = MediaBytes(Self.file("NEF", preview: preview, thumbnail: Self.sensor).bytes)
        let prepared = try CapturePipeline(CaptureOptions()).prepare(bytes)
        #expect(
            prepared.warnings.map(\.message) == [
                "it is a raw photo of Nikon Z 6, of which the embedded preview of \(prepared.size) is used"
            ])
        #expect(try ImageProbe.probe(bytes).rawCamera == "Nikon Z 6")
    }

    /// Parts and changed bytes are a preview, or an error.
    @Test(arguments: ["DNG with its preview inside", "NEF", "CR3"])
    func survivesDamage(kind: String) throws {
        let small = try Fixture.imageBytes(Self.small)
        let whole = Self.file(kind, preview: small, thumbnail: small).bytes
        for part in 1..<40 { _ = try? DecodedImage(whole.prefix(whole.count * part / 40)) }
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            _ = try? DecodedImage(whole.changed(4, using: &random))
        }
    }
}
