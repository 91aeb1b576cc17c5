internal import TestSupport
internal import Testing
internal import WayreelAV
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

@Suite struct FrameEffectsTests {
    /// The three planes of a frame, by rows.
    private struct Planes: Equatable {
        var luma: [[UInt8]]
        var cb: [[UInt8]]
        var cr: [[UInt8]]

        init(_ frame: Frame) throws {
            let (width, height) = (frame.size.width, frame.size.height)
            let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
            (luma, cb, cr) = ([], [], [])
            try frame.withPlanes { planes in
                luma = (0..<height).map { y in (0..<width).map { planes[0].row(y)[$0] } }
                cb = (0..<halfHeight).map { y in (0..<halfWidth).map { planes[1].row(y)[$0] } }
                cr = (0..<halfHeight).map { y in (0..<halfWidth).map { planes[2].row(y)[$0] } }
            }
        }
    }

    /// Returns a frame whose components change slowly, within the range of valid colours.
    private static func smooth(_ size: PixelSize) throws -> Frame {
        let frame = try FramePool("yuv420p", size: size).makeFrame()
        try frame.withPlanes { planes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    planes[0].row(y)[x] = UInt8(clamping: 90 + (x + 2 * y) * 60 / (size.width + 2 * size.height))
                }
            }
            for y in 0..<(size.height + 1) / 2 {
                for x in 0..<(size.width + 1) / 2 {
                    planes[1].row(y)[x] = UInt8(clamping: 110 + 30 * x / size.width)
                    planes[2].row(y)[x] = UInt8(clamping: 120 + 25 * y / size.height)
                }
            }
        }
        return frame
    }

    private static func noise(_ size: PixelSize) throws -> Frame {
        let frame = try FramePool("yuv420p", size: size).makeFrame()
        var random = SeededRandom(seed: 7)
        try frame.withPlanes { planes in
            for (index, plane) in planes.enumerated() {
                let shift = index == 0 ? 0 : 1
                for y in 0..<(size.height + shift) >> shift {
                    for x in 0..<(size.width + shift) >> shift {
                        plane.row(y)[x] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
        }
        return frame
    }

    private static let sizes = [
        PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 2), PixelSize(width: 17, height: 9),
        PixelSize(width: 64, height: 48), PixelSize(width: 161, height: 121),
    ]

    @Test(arguments: sizes) func aFilterThatChangesNothingKeepsCodes(size: PixelSize) throws {
        let frame = try Self.smooth(size)
        let before = try Planes(frame)
        let look = try FrameEffects(filters: [Filter("gamma", ["power": 1])], overlays: [])
        try look.apply(to: frame, task: TaskContext())
        let after = try Planes(frame)
        for (old, new) in [(before.luma, after.luma), (before.cb, after.cb), (before.cr, after.cr)] {
            for (old, new) in zip(old.joined(), new.joined()) { #expect(abs(Int(old) - Int(new)) <= 1) }
        }
    }

    /// 1 − E′ of all three components is 251 − Y and 256 − C.
    @Test func inversionTurnsCodesRound() throws {
        let frame = try Self.smooth(PixelSize(width: 64, height: 48))
        let before = try Planes(frame)
        let look = try FrameEffects(filters: [Filter("color-invert")], overlays: [])
        try look.apply(to: frame, task: TaskContext())
        let after = try Planes(frame)
        for (old, new) in zip(before.luma.joined(), after.luma.joined()) {
            #expect(abs(251 - Int(old) - Int(new)) <= 1)
        }
        for (old, new) in zip(before.cb.joined(), after.cb.joined()) { #expect(abs(256 - Int(old) - Int(new)) <= 1) }
        for (old, new) in zip(before.cr.joined(), after.cr.joined()) { #expect(abs(256 - Int(old) - Int(new)) <= 1) }
    }

    @Test func withoutALookFramesAreLeftAlone() throws {
        let frame = try Self.noise(PixelSize(width: 33, height: 21))
        let before = try Planes(frame)
        let look = try FrameEffects(filters: [], overlays: [])
        #expect(look.isIdentity)
        try look.apply(to: frame, task: TaskContext())
        #expect(try Planes(frame) == before)
    }

    /// Returns a red image of 6 × 4 in the lower right corner, 3 and 5 pixels from the edges.
    private static func badge(_ folder: String) throws -> Overlay {
        let path = "\(folder)/badge.png"
        try SampleVideo.make(["-f", "lavfi", "-i", "color=red:size=6x4,format=rgb24", "-frames:v", "1", path])
        return .image(ImageOverlay(path: path, gravity: .southEast, x: .pixels(3), y: .pixels(5)))
    }

    @Test(arguments: [PixelSize(width: 64, height: 48), PixelSize(width: 41, height: 33)])
    func anOverlayTouchesOnlyItsPlace(size: PixelSize) throws {
        try Fixture.withFolder { folder in
            let frame = try Self.noise(size)
            let before = try Planes(frame)
            let look = try FrameEffects(filters: [], overlays: [try Self.badge(folder)])
            try look.apply(to: frame, task: TaskContext())
            let after = try Planes(frame)
            let (columns, rows) = (size.width - 9..<size.width - 3, size.height - 9..<size.height - 5)
            // BT.709's red: 16 + 219 · 0.2126, 128 − 224 · 0.2126 / 1.8556, 240.
            for y in 0..<size.height {
                for x in 0..<size.width {
                    if columns.contains(x), rows.contains(y) {
                        #expect(abs(Int(after.luma[y][x]) - 63) <= 1)
                        let isInside =
                            columns.contains(x / 2 * 2 - 1) && columns.contains(x / 2 * 2 + 1)
                            && rows.contains(y / 2 * 2) && rows.contains(y / 2 * 2 + 1)
                        guard isInside else { continue }
                        #expect(abs(Int(after.cb[y / 2][x / 2]) - 102) <= 1)
                        #expect(abs(Int(after.cr[y / 2][x / 2]) - 240) <= 1)
                    } else if !columns.contains(x / 2 * 2),
                        !columns.contains(x / 2 * 2 + 1)
                            || !rows.contains(y / 2 * 2) && !rows.contains(y / 2 * 2 + 1)
                    {
                        #expect(after.luma[y][x] == before.luma[y][x], "\(x), \(y)")
                        #expect(after.cb[y / 2][x / 2] == before.cb[y / 2][x / 2])
                        #expect(after.cr[y / 2][x / 2] == before.cr[y / 2][x / 2])
                    }
                }
            }
        }
    }

    @Test func overlappingOverlaysAreDrawnInOrder() throws {
        try Fixture.withFolder { folder in
            let size = PixelSize(width: 40, height: 30)
            let frame = try Self.smooth(size)
            let path = "\(folder)/green.png"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "color=0x00ff00:size=4x2,format=rgb24", "-frames:v", "1", path,
            ])
            let green = Overlay.image(ImageOverlay(path: path, gravity: .southEast, x: .pixels(4), y: .pixels(6)))
            let look = try FrameEffects(filters: [], overlays: [try Self.badge(folder), green])
            try look.apply(to: frame, task: TaskContext())
            let after = try Planes(frame)
            // 16 + 219 · 0.7152 in the intersection.
            #expect(abs(Int(after.luma[22][33]) - 173) <= 1)
            #expect(abs(Int(after.luma[21][32]) - 63) <= 1)
        }
    }

    /// A frame that is still used by a decoder or another rendition must not change.
    @Test func sharedPixelsAreCopied() throws {
        let frame = try Self.smooth(PixelSize(width: 32, height: 32))
        let other = try frame.copy()
        let before = try Planes(other)
        let look = try FrameEffects(filters: [Filter("color-invert")], overlays: [])
        try look.apply(to: frame, task: TaskContext())
        #expect(try Planes(other) == before)
        #expect(try Planes(frame) != before)
    }

    @Test func aLookServesFramesOfAnotherSize() throws {
        let look = try FrameEffects(filters: [], overlays: [.text(TextOverlay("Day 2"))])
        for size in [PixelSize(width: 96, height: 54), PixelSize(width: 200, height: 150)] {
            let frame = try Self.smooth(size)
            let before = try Planes(frame)
            try look.apply(to: frame, task: TaskContext())
            #expect(try Planes(frame) != before)
        }
    }

    @Test func whatCannotBeIsRefused() {
        #expect(throws: MediaError.self) { try FrameEffects(filters: [Filter("no-such-filter")], overlays: []) }
        #expect(throws: MediaError.self) {
            try FrameEffects(filters: [], overlays: [.image(ImageOverlay(path: "/nowhere/badge.png"))])
        }
    }

    @Test func anOverlayOutsideIsToldOnce() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/dot.png"
            try SampleVideo.make(["-f", "lavfi", "-i", "color=red:size=2x2,format=rgb24", "-frames:v", "1", path])
            let overlay = Overlay.image(ImageOverlay(path: path, gravity: .northWest, x: .pixels(500), y: .pixels(0)))
            let look = try FrameEffects(filters: [], overlays: [overlay])
            let task = TaskContext()
            for _ in 0..<3 { try look.apply(to: try Self.smooth(PixelSize(width: 64, height: 64)), task: task) }
            #expect(task.warnings.count == 1)
        }
    }
}
