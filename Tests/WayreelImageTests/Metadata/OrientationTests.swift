import TestSupport
import Testing
import WayreelCore
import WayreelImage

@Suite struct OrientationTests {
    private enum Side {
        case top, right, bottom, left
    }

    /// The displayed sides of the stored image's first row and first column (EXIF 2.32, section 4.6.4, tag 0x0112).
    private static let seen: [Orientation: (row: Side, column: Side)] = [
        .upright: (.top, .left), .mirrored: (.top, .right), .halfTurn: (.bottom, .right), .flipped: (.bottom, .left),
        .transposed: (.left, .top), .quarterTurnClockwise: (.right, .top), .transversed: (.right, .bottom),
        .quarterTurnCounterclockwise: (.left, .bottom),
    ]

    @Test(
        arguments: Orientation.allCases,
        [(1, 1), (1, 5), (7, 1), (17, 5), (33, 19), (16, 40)].map { PixelSize(width: $0, height: $1) })
    func turnsByDefinition(orientation: Orientation, size: PixelSize) throws {
        for hasAlpha in [false, true] {
            var stored = try Image(size: size, hasAlpha: hasAlpha)
            stored.set { x, y, plane in Float(plane * 10_000 + y * 100 + x) }
            let turned = try stored.turned(upright: orientation)
            #expect(turned.size == (orientation.rawValue >= 5 ? size.turned : size))
            #expect(turned.hasAlpha == hasAlpha)
            let (row, column) = try #require(Self.seen[orientation])
            let worst = stored.worst { x, y, plane in
                var seenX = 0
                var seenY = 0
                for (side, distance) in [(row, y), (column, x)] {
                    switch side {
                    case .top: seenY = distance
                    case .bottom: seenY = turned.height - 1 - distance
                    case .left: seenX = distance
                    case .right: seenX = turned.width - 1 - distance
                    }
                }
                return Double(turned.value(seenX, seenY, plane))
            }
            #expect(worst == 0)
        }
    }

    @Test(arguments: 1...8)
    func rotatesRealFilesUpright(tag: Int) throws {
        let bytes = try Fixture.imageBytes("Orientation/\(tag).jpg")
        let reader = try JPEGReader(MediaBytes(bytes), limits: .standard, task: TaskContext())
        #expect(reader.header.uprightOrientation.rawValue == tag)
        let upright = try Image.resampled(reader).turned(upright: reader.header.uprightOrientation)
        #expect(upright.size == PixelSize(width: 48, height: 32))
        let expected: [(Int, Int, [Float])] = [
            (12, 8, [220, 30, 30]), (36, 8, [30, 200, 30]), (12, 24, [30, 30, 220]), (36, 24, [240, 240, 240]),
        ]
        for (x, y, color) in expected {
            for plane in 0..<3 { #expect(abs(upright.value(x, y, plane) * 255 - color[plane]) < 4) }
        }
    }

    @Test func onlyWhereEXIFCounts() throws {
        var header = ImageHeader(format: .heif, size: PixelSize(width: 2, height: 1))
        header.exif = EXIFSample(isLittleEndian: true).bytes
        #expect(header.uprightOrientation == .quarterTurnClockwise)
        header.obeysEXIFOrientation = false
        #expect(header.uprightOrientation == .upright)
        header.obeysEXIFOrientation = true
        header.exif = [1, 2, 3]
        header.orientation = .flipped
        #expect(header.uprightOrientation == .flipped)
    }
}
