import Testing
import TestSupport
import WayreelCore
import WayreelImage

/// Grids written by the tests, of tiles that x265 and libaom have encoded losslessly.
@Suite struct HEIFGridTests {
    /// An image with known samples; chroma is a ramp, which interpolation preserves.
    struct Ramps {
        var depth = 8
        /// Whether chroma has half the columns, and half the rows.
        var halves = (columns: false, rows: false)
        var isMonochrome = false
        var isAlpha = false

        var format: String {
            let chroma = isMonochrome ? "gray" : halves.rows ? "yuv420p" : halves.columns ? "yuv422p" : "yuv444p"
            return chroma + (depth == 8 ? "" : "\(depth)le")
        }

        /// Returns luma, Cb or Cr at a position in the image, as codes.
        func sample(_ plane: Int, _ x: Double, _ y: Double) -> Double {
            let luma =
                isAlpha ? 10 + x + (y / 2).rounded(.down) : 20 + (3 * x + 5 * y).truncatingRemainder(dividingBy: 200)
            return [luma, 40 + x, 230 - y][plane] * Double(1 << (depth - 8))
        }

        /// Returns the planes of a tile of the grid. Chroma is on the first of two columns, midway between two rows.
        func tile(column: Int, row: Int, side: Int) -> [UInt8] {
            (0..<(isMonochrome ? 1 : 3)).flatMap { plane -> [UInt8] in
                let (stepX, stepY) = (plane > 0 && halves.columns ? 2 : 1, plane > 0 && halves.rows ? 2 : 1)
                return (0..<side / stepY).flatMap { y in
                    (0..<side / stepX).flatMap { x -> [UInt8] in
                        let position = (
                            x: Double(column * side + x * stepX),
                            y: Double(row * side + y * stepY) + (stepY == 2 ? 0.5 : 0)
                        )
                        let value = Int(sample(plane, position.x, position.y).rounded())
                        return depth == 8 ? [UInt8(value)] : [UInt8(value & 255), UInt8(value >> 8)]
                    }
                }
            }
        }

        /// Returns red, green and blue by ITU-T H.273 with BT.709's matrix, at full range, from 0 to 1.
        func color(_ x: Int, _ y: Int) -> [Double] {
            let full = Double(1 << depth) - 1
            let luma = sample(0, Double(x), Double(y)) / full
            if isMonochrome { return [luma, luma, luma] }
            let neutral = Double(1 << (depth - 1))
            let (cb, cr) = (
                (sample(1, Double(x), Double(y)) - neutral) / full, (sample(2, Double(x), Double(y)) - neutral) / full
            )
            let (red, blue) = (luma + 1.5748 * cr, luma + 1.8556 * cb)
            return [red, (luma - 0.2126 * red - 0.0722 * blue) / 0.7152, blue].map { min(1, max(0, $0)) }
        }
    }

    static let side = 64

    static func code(_ ramps: Ramps, _ codec: CodedTiles.Codec = .hevc, columns: Int = 2, rows: Int = 2) throws
        -> CodedTiles
    {
        let frames = (0..<columns * rows).map { ramps.tile(column: $0 % columns, row: $0 / columns, side: side) }
        return try CodedTiles(codec, format: ramps.format, side: side, frames: frames)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", number(width, 4), number(height, 4)) }

    /// Returns an item of one tile.
    static func item(
        _ id: Int, _ coded: CodedTiles, _ data: [UInt8], _ more: [(box: [UInt8], isEssential: Bool)] = [],
        isHidden: Bool = false
    ) -> HEIFWriter.Item {
        .init(
            id: id, type: coded.codec == .hevc ? "hvc1" : "av01", data: data,
            properties: [(coded.configuration, true), (size(coded.side, coded.side), false)] + more,
            isHidden: isHidden)
    }

    static func auxiliary(_ urn: String) -> [UInt8] { fullBox("auxC", ascii(urn), [0]) }

    static let alpha = auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")

    /// Adds a grid as item 1, and its tiles from item `first` on.
    static func add(
        _ coded: CodedTiles, to file: inout HEIFWriter, id: Int = 1, first: Int = 10, columns: Int = 2, rows: Int = 2,
        width: Int, height: Int, transforms: [[UInt8]] = []
    ) {
        let grid = [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 2) + number(height, 2)
        file.items.append(
            .init(
                id: id, type: "grid", data: grid,
                properties: [(size(width, height), false)] + transforms.map { ($0, true) }, method: 1))
        for (index, tile) in coded.tiles.enumerated() {
            file.items.append(item(first + index, coded, tile, isHidden: true))
        }
        file.references.append(("dimg", id, coded.tiles.indices.map { first + $0 }))
    }

    static func grid(
        _ coded: CodedTiles, width: Int, height: Int, columns: Int = 2, rows: Int = 2, transforms: [[UInt8]] = []
    ) -> HEIFWriter {
        var file = HEIFWriter(brand: coded.codec == .hevc ? "heic" : "avif")
        add(coded, to: &file, columns: columns, rows: rows, width: width, height: height, transforms: transforms)
        return file
    }

    /// Adds a grid as item 2, and its tiles from item 30 on, as the alpha of item 1.
    static func addAlpha(_ coded: CodedTiles, to file: inout HEIFWriter, width: Int, height: Int) {
        add(coded, to: &file, id: 2, first: 30, width: width, height: height)
        file.items[file.items.firstIndex { $0.id == 2 }!].properties.append((alpha, false))
        file.references.append(("auxl", 2, [1]))
    }

    /// A grid whose description is 60 000 times the whole file: 42 GB, of which none is copied.
    @Test func itemsAreNoLargerThanTheFile() throws {
        var file = HEIFWriter()
        file.items = [
            .init(
                id: 1, type: "grid", data: [], properties: [(Self.size(64, 64), false)], extents: 60_000,
                repeatsFile: true)
        ]
        let bytes = file.file().bytes
        #expect(bytes.count > 700_000)
        #expect(throws: MediaError.self) { try DecodedImage(bytes) }
        _ = try? ImageProbe.probe(MediaBytes(bytes))
    }

    /// Each of 20 000 tone-mapped images refers to one other: finding the gain map takes one look at each.
    @Test func manyReferencesAreReadOnce() throws {
        var file = HEIFWriter()
        file.items = (1...20_000).map { .init(id: $0, type: "tmap", data: []) }
        file.items[0].properties = [(Self.size(64, 64), false)]
        file.references = (2...20_000).map { ("dimg", $0, [1]) }
        #expect(throws: MediaError.self) { try DecodedImage(file.file().bytes) }
    }

    /// Returns the largest difference of a decoded image from `ramps`, as a fraction of full scale.
    static func distance(_ decoded: DecodedImage, _ ramps: Ramps) -> Double {
        decoded.distance(full: 1, to: ramps.color)
    }

    static let kinds: [(CodedTiles.Codec, Ramps, Double)] = [
        (.hevc, Ramps(), 1), (.hevc, Ramps(depth: 10), 0.3), (.hevc, Ramps(depth: 12), 0.1),
        (.hevc, Ramps(halves: (true, true)), 2), (.hevc, Ramps(halves: (true, false)), 2),
        (.hevc, Ramps(depth: 10, halves: (true, true)), 1), (.hevc, Ramps(isMonochrome: true), 1),
        (.av1, Ramps(), 1), (.av1, Ramps(depth: 10), 0.3), (.av1, Ramps(isMonochrome: true), 1),
    ]

    /// Within this many 8-bit codes, since samples and interpolated samples are rounded. Tiles overhang; sides are odd.
    @Test(arguments: kinds.indices)
    func decodes(kind: Int) throws {
        let (codec, ramps, codes) = Self.kinds[kind]
        let coded = try Self.code(ramps, codec)
        let decoded = try DecodedImage(Self.grid(coded, width: 101, height: 91).file().bytes)
        #expect(decoded.header.size == PixelSize(width: 101, height: 91))
        #expect(decoded.header.depth == ramps.depth && decoded.header.rowBits == (ramps.depth == 8 ? 8 : 16))
        #expect(decoded.header.model == (ramps.isMonochrome ? .grey : .yCbCr))
        #expect(decoded.header.frames == 1 && decoded.damage == nil)
        // There is no chroma beyond the edges to interpolate with.
        #expect(Self.distance(decoded, ramps) <= codes / 255)
    }

    @Test func reportsAnyLocation() throws {
        let coded = try Self.code(Ramps())
        let expected = try DecodedImage(Self.grid(coded, width: 128, height: 128).file().bytes).values
        for version in 0...2 {
            var file = Self.grid(coded, width: 128, height: 128)
            file.locationVersion = version
            // Version 0 only supports data in the file.
            if version == 0 { file.items[0].method = 0 }
            file.items[1].extents = 3
            if version > 0 {
                file.items[2].method = 1
                // The data of the third tile are in two other items.
                let data = file.items[3].data
                (file.items[3].method, file.items[3].extents, file.items[3].data) = (2, 2, [])
                file.items.append(.init(id: 50, type: "mime", data: Array(data[..<100])))
                file.items.append(.init(id: 51, type: "mime", data: Array(data[100...])))
                file.references.append(("iloc", file.items[3].id, [50, 51]))
            }
            let decoded = try DecodedImage(file.file().bytes)
            #expect(decoded.damage == nil && decoded.values == expected, "version \(version)")
        }
    }

    /// `irot` rotates counterclockwise by quarter turns, `imir` 1 swaps left and right, `clap` crops around the centre;
    /// each applies to the result of the preceding ones.
    @Test(arguments: [
        [box("irot", [1])], [box("irot", [2])], [box("irot", [3])], [box("imir", [0])], [box("imir", [1])],
        [box("irot", [1]), box("imir", [1])], [box("imir", [0]), box("irot", [3])],
        [aperture(60, 40, 10, -6)], [aperture(60, 40, 10, -6), box("irot", [3])],
        [box("irot", [1]), aperture(60, 40, 10, -6)],
    ])
    func isTransformed(transforms: [[UInt8]]) throws {
        let ramps = Ramps()
        let bytes = Self.grid(try Self.code(ramps), width: 100, height: 90, transforms: transforms).file().bytes
        // The expected image: the positions of pixels in the grid, after each transform.
        var seen = (0..<90).map { y in (0..<100).map { x in [x, y] } }
        for transform in transforms {
            let (height, width) = (seen.count, seen[0].count)
            switch (String(decoding: transform[4..<8], as: UTF8.self), transform.last) {
            case ("irot", let turns?):
                for _ in 0..<turns {
                    let old = seen
                    seen = (0..<old[0].count).map { y in old.map { $0[old[0].count - 1 - y] } }
                }
            case ("imir", 0): seen.reverse()
            case ("imir", _): seen = seen.map { $0.reversed() }
            default:
                let (left, top) = ((width - 60) / 2 + 10, (height - 40) / 2 - 6)
                seen = seen[top..<top + 40].map { Array($0[left..<left + 60]) }
            }
        }
        let task = TaskContext()
        let reader = try ImageDecoder.open(MediaBytes(bytes), limits: .standard, task: task)
        let upright = try Image.resampled(reader, task: task).turned(upright: reader.header.uprightOrientation)
        try #require(upright.size == PixelSize(width: seen[0].count, height: seen.count))
        #expect(upright.worst { x, y, c in ramps.color(seen[y][x][0], seen[y][x][1])[c] } <= 1.01 / 255)
    }

    /// libavif 0.11 repeats the transforms of a grid for its tiles. Its decoder applies them once, to the grid.
    @Test(arguments: [[box("irot", [1]), box("imir", [1])], [box("irot", [2])]])
    func tilesRepeatTheTransformsOfTheGrid(transforms: [[UInt8]]) throws {
        var file = Self.grid(try Self.code(Ramps(), .av1), width: 100, height: 90, transforms: transforms)
        let expected = try DecodedImage(file.file().bytes)
        for index in file.items.indices.dropFirst() { file.items[index].properties += transforms.map { ($0, true) } }
        let decoded = try DecodedImage(file.file().bytes)
        #expect(decoded.values == expected.values && decoded.header.orientation == expected.header.orientation)
        #expect(decoded.damage == nil)
    }

    /// A reduced image is resampled by its planes. Filters preserve the ramps of chroma, away from the edges.
    @Test(arguments: [Ramps(), Ramps(halves: (true, false)), Ramps(halves: (true, true))])
    func aReductionKeepsThePlaceOfChroma(ramps: Ramps) throws {
        let bytes = Self.grid(try Self.code(ramps), width: 100, height: 90).file().bytes
        let task = TaskContext()
        let reader = try ImageDecoder.open(MediaBytes(bytes), limits: .standard, task: task)
        try #require(try reader.planar?.chromaSampling() != nil)
        let image = try Image.resampled(reader, to: PixelSize(width: 40, height: 36), task: task)
        image.withPlanes { planes in
            for y in 4..<32 {
                for x in 4..<36 {
                    let color = (0..<3).map { Double(planes.row(y, plane: $0)[x]) }
                    let luma = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
                    let (cb, cr) = ((color[2] - luma) / 1.8556, (color[0] - luma) / 1.5748)
                    let place = (x: (Double(x) + 0.5) * 2.5 - 0.5, y: (Double(y) + 0.5) * 2.5 - 0.5)
                    // Between two rows, the coded samples are rounded up by a half.
                    let rounding = ramps.halves.rows ? 0.5 : 0
                    let expected = (
                        cb: ramps.sample(1, place.x, place.y) - 128,
                        cr: ramps.sample(2, place.x, place.y) + rounding - 128
                    )
                    guard abs(cb * 255 - expected.cb) < 0.1, abs(cr * 255 - expected.cr) < 0.1 else {
                        Issue.record("\(x), \(y): \(cb * 255), \(cr * 255) instead of \(expected)")
                        return
                    }
                }
            }
        }
    }

    static func aperture(_ width: Int, _ height: Int, _ x: Int, _ y: Int) -> [UInt8] {
        box("clap", [width, height, x, y].flatMap { number($0, 4) + number(1, 4) })
    }

    /// Alpha is a separate grid, with other tiles.
    @Test(arguments: [8, 10])
    func hasAlpha(depth: Int) throws {
        let (color, alpha) = (Ramps(depth: depth), Ramps(isMonochrome: true, isAlpha: true))
        var file = Self.grid(try Self.code(color), width: 100, height: 90)
        Self.addAlpha(try Self.code(alpha), to: &file, width: 100, height: 90)
        let decoded = try DecodedImage(file.file().bytes)
        #expect(decoded.header.layout == .rgba && decoded.header.auxiliaryImages.isEmpty && decoded.header.frames == 1)
        #expect(Self.distance(decoded, color) <= 1.01 / 255)
        let full = depth == 8 ? 255 : 65535
        for (x, y) in [(0, 0), (63, 64), (64, 63), (99, 89)] {
            #expect(decoded.value(x, y, 3) == (10 + x + y / 2) * full / 255)
        }
    }

    /// Each tile has an alpha image of its own, and the grid has none.
    @Test func hasTheAlphaOfItsTiles() throws {
        let (color, alpha) = (Ramps(), Ramps(isMonochrome: true, isAlpha: true))
        var file = Self.grid(try Self.code(color), width: 100, height: 90)
        Self.addAlphaOfTiles(try Self.code(alpha), to: &file)
        let decoded = try DecodedImage(file.file().bytes)
        #expect(decoded.header.layout == .rgba && decoded.header.auxiliaryImages.isEmpty && decoded.header.frames == 1)
        #expect(Self.distance(decoded, color) <= 1.01 / 255 && decoded.damage == nil)
        for (x, y) in [(0, 0), (63, 64), (64, 63), (99, 89)] {
            #expect(decoded.value(x, y, 3) == 10 + x + y / 2)
        }
    }

    /// A tile without the alpha that others have is opaque, and reported.
    @Test func reportsATileWithoutAlpha() throws {
        let (color, alpha) = (Ramps(), Ramps(isMonochrome: true, isAlpha: true))
        var file = Self.grid(try Self.code(color), width: 128, height: 128)
        Self.addAlphaOfTiles(try Self.code(alpha), to: &file)
        file.references.removeAll { $0.type == "auxl" && $0.from == 33 }
        let decoded = try DecodedImage(file.file().bytes)
        #expect(decoded.damage?.description.hasPrefix("1 of 4 tiles of alpha are damaged (") == true)
        #expect(decoded.value(100, 100, 3) == 255 && decoded.value(20, 10, 3) == 10 + 20 + 5)
    }

    private static func addAlphaOfTiles(_ coded: CodedTiles, to file: inout HEIFWriter) {
        for (index, tile) in coded.tiles.enumerated() {
            file.items.append(item(30 + index, coded, tile, [(alpha, false)], isHidden: true))
            file.references.append(("auxl", 30 + index, [10 + index]))
        }
    }

    /// An image whose alpha is lost is opaque; one whose colours are lost is refused.
    @Test func showsAnImageWithoutItsAlpha() throws {
        let coded = try Self.code(Ramps())
        var file = HEIFWriter()
        file.items = [
            Self.item(1, coded, coded.tiles[0]),
            Self.item(2, coded, [], [(Self.auxiliary("urn:mpeg:hevc:2015:auxid:1"), true)]),
        ]
        file.references.append(("auxl", 2, [1]))
        let decoded = try DecodedImage(file.file().bytes)
        let damage = try #require(decoded.damage)
        #expect(damage.missingShare == 1 && damage.description.hasPrefix("damaged data of alpha ("))
        #expect((0..<64).allSatisfy { decoded.value($0, $0, 3) == 255 })
        #expect(abs(decoded.value(20, 30, 0) - Int(Ramps().color(20, 30)[0] * 255)) <= 1)
        (file.items[0].data, file.items[1].data) = ([UInt8](repeating: 0, count: 100), coded.tiles[0])
        #expect(throws: MediaError.self) { try DecodedImage(file.file().bytes) }
    }

    /// Missing tiles of alpha are opaque, above and below a tile that is there.
    @Test(arguments: [8, 10])
    func missingTilesOfAlphaAreOpaque(depth: Int) throws {
        var file = Self.grid(try Self.code(Ramps()), width: 128, height: 128)
        let alpha = Ramps(depth: depth, isMonochrome: true, isAlpha: true)
        Self.addAlpha(try Self.code(alpha), to: &file, width: 128, height: 128)
        for id in [30, 31, 33] {
            let index = file.items.firstIndex { $0.id == id }!
            file.items[index].data = [UInt8](repeating: 0, count: file.items[index].data.count)
        }
        let decoded = try DecodedImage(file.file().bytes)
        for (x, y) in [(5, 5), (100, 60), (100, 100)] { #expect(decoded.value(x, y, 3) == 255) }
        #expect(abs(decoded.value(20, 100, 3) - (10 + 20 + 50)) <= 1)
        #expect(decoded.damage?.description.hasPrefix("3 of 4 tiles of alpha are damaged (") == true)
    }

    /// A truncated file lacks the tiles after the end; those before it are unchanged.
    @Test(arguments: 2..<20)
    func countsMissingTilesOfATruncatedFile(part: Int) throws {
        let ramps = Ramps()
        let coded = try Self.code(ramps, columns: 3, rows: 3)
        let (bytes, offsets) = Self.grid(coded, width: 192, height: 192, columns: 3, rows: 3).file()
        let cut = offsets[10]! + (bytes.count - offsets[10]!) * part / 20
        let whole = coded.tiles.indices.filter { offsets[10 + $0]! + coded.tiles[$0].count <= cut }
        let decoded = try DecodedImage(bytes[..<cut])
        let missing = try #require(decoded.damage).missingShare
        // The truncated tile may be partially decoded.
        #expect(missing <= 1 - Double(whole.count) / 9 && missing > 1 - Double(whole.count + 1) / 9)
        for tile in whole {
            let (x, y) = (tile % 3 * 64 + 31, tile / 3 * 64 + 31)
            for (c, expected) in ramps.color(x, y).enumerated() {
                #expect(abs(Double(decoded.value(x, y, c)) / 255 - expected) <= 1.01 / 255)
            }
        }
    }

    @Test func countsDamagedTiles() throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        file.items[2].data = [UInt8](repeating: 0, count: file.items[2].data.count)
        file.items[4].data = []
        let damage = try #require(try DecodedImage(file.file().bytes).damage)
        #expect(damage.missingShare == 0.5)
        #expect(damage.description.hasPrefix("2 of 4 tiles are damaged ("))
    }

    /// A grid that names fewer tiles than it has, or one that is no item of the file, misses their area.
    @Test func countsTilesThatAreNotThere() throws {
        var file = Self.grid(try Self.code(Ramps()), width: 128, height: 128)
        file.references = [("dimg", 1, [10, 11, 12])]
        #expect(try DecodedImage(file.file().bytes).damage?.missingShare == 0.25)
        file.references = [("dimg", 1, [10, 99, 12, 13])]
        #expect(try DecodedImage(file.file().bytes).damage?.missingShare == 0.25)
    }

    /// Defects that libheif follows for ever, decodes wrongly, or gives another reason for.
    @Test(arguments: [
        ("cycle", "HEIF: the image is derived from itself, or in more than 8 steps"),
        ("uneven", "HEIF: the tiles of the grid differ in size"), ("crop", "HEIF: the crop of the image is invalid"),
        ("bomb", "HEIF: the image is made of more than 70000 images"),
        ("cut", "HEIF: the file ends before the image's data"),
    ])
    func refusesWhatNoReaderCanShow(defect: String, reason: String) throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        var missingBytes = 0
        switch defect {
        case "cycle":
            file.items.append(
                HEIFWriter.Item(id: 40, type: "iden", data: [], properties: [(Self.size(128, 128), false)]))
            file.references = [("dimg", 1, [10, 11, 12, 40]), ("dimg", 40, [1])]
        case "uneven": file.items[2].properties[1].box = Self.size(32, 32)
        case "crop":
            file.items[0].properties.append((box("clap", (0..<8).flatMap { _ in number(0, 4) }), true))
        case "bomb":
            // Each of five overlays shows the next one ten times.
            for level in 0..<5 {
                file.items.append(HEIFWriter.Item(id: 40 + level, type: "iovl", data: [0, 0]))
                file.references.append(
                    ("dimg", 40 + level, Array(repeating: level < 4 ? 41 + level : 10, count: 10)))
            }
            file.primary = 40
        default:
            // The grid's own bytes are the last ones of the file.
            file.items[0].method = 0
            file.items.append(file.items.removeFirst())
            missingBytes = 4
        }
        let bytes = Array(file.file().bytes.dropLast(missingBytes))
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes) }
        #expect(error?.reason == reason && error?.advice != nil, "\(error?.description ?? "")")
    }

    /// An alpha plane of another size is reported.
    @Test func reportsAlphaThatDoesNotFit() throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        // libheif 1.15, which reads it, knows only locations of version 0 and the file itself.
        file.locationVersion = 0
        file.items[0].method = 0
        let property = (box: Self.auxiliary("urn:mpeg:hevc:2015:auxid:1"), isEssential: true)
        file.items.append(Self.item(40, coded, coded.tiles[0], [property]))
        file.references.append(("auxl", 40, [1]))
        let damage = try #require(try DecodedImage(file.file().bytes).damage)
        #expect(damage.missingShare == 0 && damage.description.contains("alpha"))
    }

    /// The number of threads has no effect, even with damage.
    @Test func threadsDoNotAffectTheResult() throws {
        let coded = try Self.code(Ramps(halves: (true, true)), columns: 3, rows: 3)
        var file = Self.grid(coded, width: 180, height: 170, columns: 3, rows: 3)
        file.items[5].data = [UInt8](repeating: 0, count: file.items[5].data.count)
        let bytes = MediaBytes(file.file().bytes)
        let results = try [1, 2, 5].map { threads in
            let task = TaskContext(threads: threads)
            let reader = try ImageDecoder.open(bytes, limits: .standard, task: task)
            let image = try Image.resampled(reader, to: PixelSize(width: 60, height: 50), task: task)
            return (image.values, reader.damage?.missingShare)
        }
        #expect(results.allSatisfy { $0.0 == results[0].0 && $0.1 == results[0].1 })
        #expect(results[0].1 ?? 0 > 0)
    }

    /// Parameter sets inside a tile, which the decoder's configuration should contain, only affect that tile.
    @Test(arguments: [1, 3]) func parameterSetsOfATileAreItsOwn(threads: Int) throws {
        let ramps = Ramps()
        let coded = try Self.code(ramps, columns: 3, rows: 3)
        var file = Self.grid(coded, width: 192, height: 192, columns: 3, rows: 3)
        // Behind the length and the header, bit 32 is `transquant_bypass_enabled_flag` (H.265, section 7.3.2.3):
        // without it, the tiles are not lossless, and read as something else.
        var foreign = coded.pictureParameterSet
        foreign[10] ^= 0x80
        for tile in [0, 4] { file.items[1 + tile].data = foreign + coded.tiles[tile] }
        let task = TaskContext(threads: threads)
        let reader = try ImageDecoder.open(MediaBytes(file.file().bytes), limits: .standard, task: task)
        let image = try Image.resampled(reader, task: task)
        for tile in 0..<9 where ![0, 4].contains(tile) {
            let (x, y) = (tile % 3 * 64 + 31, tile / 3 * 64 + 31)
            for (c, expected) in ramps.color(x, y).enumerated() {
                #expect(abs(Double(image.value(x, y, c)) - expected) <= 1.01 / 255, "tile \(tile)")
            }
        }
    }

    /// A configuration that the decoder refuses is an error of the file.
    @Test(arguments: [1, 3]) func refusesABrokenConfiguration(threads: Int) throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        let broken = box("hvcC", Array(coded.configuration.dropFirst(8).dropLast(4)))
        for index in 1..<file.items.count { file.items[index].properties[0].box = broken }
        let task = TaskContext(threads: threads)
        let error = #expect(throws: MediaError.self) {
            let reader = try ImageDecoder.open(MediaBytes(file.file().bytes), limits: .standard, task: task)
            _ = try Image.resampled(reader, task: task)
        }
        #expect(error?.kind == .decoding)
    }

    /// Only what is shown of a truncated tile can be missing.
    @Test func countsTheShownPartOfATruncatedTile() throws {
        let coded = try Self.code(Ramps(), columns: 2, rows: 1)
        // The second tile shows 8 of its 64 columns.
        var file = Self.grid(coded, width: 72, height: 64, columns: 2, rows: 1)
        file.items[2].data = Array(coded.tiles[1].dropLast(coded.tiles[1].count / 4))
        let missing = try #require(try DecodedImage(file.file().bytes).damage).missingShare
        #expect(missing > 0.15 / 9 && missing < 0.6 / 9)
    }

    /// Images that cannot be resampled by their planes: with alpha, of 10 bits, and with a damaged first row of tiles.
    @Test(arguments: ["alpha", "10 bits", "damaged"], [1, 3])
    func aReductionOfOtherImagesIsThatOfTheWholeImage(kind: String, threads: Int) throws {
        let ramps = Ramps(depth: kind == "10 bits" ? 10 : 8, halves: (true, true))
        let coded = try Self.code(ramps)
        var file = Self.grid(coded, width: 128, height: 120)
        switch kind {
        case "alpha":
            let alpha = try Self.code(Ramps(isMonochrome: true, isAlpha: true))
            Self.addAlpha(alpha, to: &file, width: 128, height: 120)
        case "damaged":
            for index in 1...2 { file.items[index].data = [UInt8](repeating: 0, count: file.items[index].data.count) }
        default: break
        }
        let bytes = file.file().bytes
        let (size, task) = (PixelSize(width: 40, height: 36), TaskContext(threads: threads))
        let reader = try ImageDecoder.open(MediaBytes(bytes), limits: .standard, task: task)
        let reduced = try Image.resampled(reader, to: size, task: task)
        let whole = try ImageScaler.scale(Image(DecodedImage(bytes)), to: size, task: task)
        // The whole image has been rounded to its codes.
        #expect(whole.worst { Double(reduced.value($0, $1, $2)) } < 1.5 / 255)
    }

    /// Each of the 64 tiles begins a byte after the one before, and ends with the file.
    @Test func tilesDoNotOverlap() throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 512, height: 512, columns: 8, rows: 8)
        let properties = file.items[1].properties
        for index in 4..<64 {
            file.items.append(
                .init(
                    id: 10 + index, type: "hvc1", data: [], properties: properties, isHidden: true,
                    alias: (10, index, 0)))
        }
        file.references = [("dimg", 1, (0..<64).map { 10 + $0 })]
        let error = #expect(throws: MediaError.self) { try DecodedImage(file.file().bytes) }
        #expect(error?.reason == "HEIF: the data of its images overlap")
        // Items that the image does not need are not read.
        file.references = [("dimg", 1, [10, 11, 12, 13])]
        file.items[0].data = [0, 0, 1, 1] + number(128, 2) + number(128, 2)
        file.items[0].properties[0].box = Self.size(128, 128)
        #expect(try DecodedImage(file.file().bytes).damage == nil)
    }

    /// An overlay of an item whose coded data declare 32000 × 32000. Another item, which begins at the same byte, is
    /// too short to say so.
    @Test func readsTheSizeOfEachItem() throws {
        // A sequence header of six bytes: profile 0, still, reduced (5 bits), level 0 (5), sides of 15 bits (4 + 4),
        // 32000 less 1.
        let sides = 0xEE << 30 | 31_999 << 15 | 31_999
        let properties: [(box: [UInt8], isEssential: Bool)] = [
            (box("av1C", [0x81, 0, 0x0C, 0]), true), (Self.size(64, 64), false),
        ]
        let overlay = [0, 0] + [UInt8](repeating: 0, count: 8) + number(64, 2) + number(64, 2)
        var file = HEIFWriter(brand: "avif")
        file.items = [
            .init(id: 1, type: "av01", data: [], properties: properties, isHidden: true, alias: (2, 0, 1)),
            .init(
                id: 2, type: "av01", data: [0x0A, 0x06, 0x18] + number(sides, 5), properties: properties,
                isHidden: true),
            .init(
                id: 3, type: "iovl", data: overlay + [UInt8](repeating: 0, count: 8),
                properties: [(Self.size(64, 64), false)]),
        ]
        // libheif 1.15 knows only locations of version 0.
        file.locationVersion = 0
        file.references = [("dimg", 3, [1, 2])]
        file.primary = 3
        let error = #expect(throws: MediaError.self) { try DecodedImage(file.file().bytes) }
        #expect(error?.kind == .limit, "\(error?.description ?? "")")
    }

    @Test func listsUnusedImages() throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        let single = { (id: Int, urn: String) in
            Self.item(id, coded, coded.tiles[0], [(Self.auxiliary(urn), true)])
        }
        file.items += [
            single(40, "urn:com:apple:photo:2020:aux:hdrgainmap"), single(41, "urn:mpeg:hevc:2015:auxid:2"),
            single(42, "urn:x:own"),
        ]
        file.references += [("auxl", 40, [1]), ("auxl", 41, [1]), ("auxl", 42, [1])]
        let header = try ImageDecoder.open(MediaBytes(file.file().bytes), limits: .standard, task: TaskContext())
            .header
        #expect(header.auxiliaryImages == ["gain map 64×64", "depth map 64×64", "urn:x:own 64×64"])
        #expect(header.hasGainMap && header.frames == 1)
    }

    /// The primary item is the thumbnail, as in conformance file C005: its master image is used, as in libvips and
    /// pillow-heif.
    @Test func takesTheImageOfAPrimaryThumbnail() throws {
        let coded = try Self.code(Ramps())
        var file = Self.grid(coded, width: 128, height: 128)
        file.items.append(Self.item(40, coded, coded.tiles[0]))
        file.references.append(("thmb", 40, [1]))
        file.primary = 40
        let header = try DecodedImage(file.file().bytes).header
        #expect(header.size == PixelSize(width: 128, height: 128) && header.frames == 1 && header.hasThumbnail)
    }

    /// The frames of an image sequence are counted; its still image is used.
    @Test func countsTheFramesOfASequence() throws {
        let sizes = fullBox("stsz", number(0, 4), number(30, 4))
        let movie = box("moov", box("trak", box("mdia", box("minf", box("stbl", sizes)))))
        let bytes = Self.grid(try Self.code(Ramps()), width: 128, height: 128).file().bytes + movie
        #expect(try DecodedImage(bytes).header.frames == 30)
        #expect(throws: MediaError.self) { try DecodedImage(bytes, limits: Limits(frames: 29)) }
    }

    /// An image over the limit is refused before decoding; a side that equals the limit is accepted.
    @Test func obeysLimits() throws {
        let bytes = Self.grid(try Self.code(Ramps()), width: 128, height: 128).file().bytes
        #expect(try DecodedImage(bytes, limits: Limits(pixels: 128 * 128)).damage == nil)
        let error = #expect(throws: MediaError.self) { try DecodedImage(bytes, limits: Limits(pixels: 128 * 128 - 1)) }
        #expect(error?.kind == .limit)
    }

    /// The image of a phone with 200 megapixels, 32 × 24 tiles that are the same item. A limit that is given holds for
    /// it too.
    @Test func streamsLargeImagesOfSmallTiles() throws {
        let frames = [[UInt8](repeating: 128, count: 512 * 512 * 3 / 2)]
        let coded = try CodedTiles(.hevc, format: "yuv420p", side: 512, frames: frames)
        var file = Self.grid(coded, width: 16_384, height: 12_288, columns: 32, rows: 24)
        file.items[0].data = [0, 0, 23, 31] + number(16_384, 2) + number(12_288, 2)
        file.references = [("dimg", 1, Array(repeating: 10, count: 32 * 24))]
        let bytes = MediaBytes(file.file().bytes)
        let task = TaskContext()
        let reader = try ImageDecoder.open(bytes, limits: .standard, task: task)
        let image = try Image.resampled(reader, to: PixelSize(width: 64, height: 48), task: task)
        #expect(image.values.prefix(64 * 48).allSatisfy { abs($0 - 128.0 / 255) < 1.01 / 255 })
        let error = #expect(throws: MediaError.self) {
            try ImageDecoder.open(bytes, limits: Limits(pixels: 100_000_000), task: task)
        }
        #expect(error?.code == .tooManyPixels)
    }

    /// Only images of small tiles, of which a row is held, may be larger than others.
    @Test func limitsWhatIsHeldAtOnce() throws {
        var limits = Limits(pixels: 64 * 64)
        limits.streamedPixels = 128 * 128
        let coded = try Self.code(Ramps())
        #expect(try DecodedImage(Self.grid(coded, width: 128, height: 128).file().bytes, limits: limits).damage == nil)
        var single = HEIFWriter()
        single.items = [
            .init(
                id: 1, type: "hvc1", data: coded.tiles[0],
                properties: [(coded.configuration, true), (Self.size(64, 65), false)])
        ]
        #expect(throws: MediaError.self) { try DecodedImage(single.file().bytes, limits: limits) }
    }
}
