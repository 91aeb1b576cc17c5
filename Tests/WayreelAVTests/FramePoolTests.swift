import Testing
import WayreelAV
import WayreelCore

@Suite struct FramePoolTests {
    /// 4:2:0 of an odd size; rows of luma need 128 bytes.
    private static let size = PixelSize(width: 67, height: 35)
    private static let planeSizes: [(columns: Int, rows: Int)] = [(67, 35), (34, 18), (34, 18)]

    private static func fill(_ frame: Frame, with value: UInt8) throws {
        try frame.withPlanes { planes in
            for (plane, size) in zip(planes, planeSizes) {
                for y in 0..<size.rows { plane.row(y).update(repeating: value, count: size.columns) }
            }
        }
    }

    private static func values(of frame: Frame) throws -> Set<UInt8> {
        try frame.withPlanes { planes in
            var values: Set<UInt8> = []
            for (plane, size) in zip(planes, planeSizes) {
                for y in 0..<size.rows {
                    values.formUnion(UnsafeBufferPointer(start: plane.row(y), count: size.columns))
                }
            }
            return values
        }
    }

    @Test func framesDoNotShareMemory() throws {
        var pool: FramePool? = try FramePool("yuv420p", size: Self.size)
        let frames = try (0..<4).map { _ in try #require(pool).makeFrame() }
        for (number, frame) in frames.enumerated() { try Self.fill(frame, with: UInt8(number)) }
        // Frames outlive their pool.
        pool = nil
        for (number, frame) in frames.enumerated() {
            #expect(frame.size == Self.size)
            #expect(try Self.values(of: frame) == [UInt8(number)])
        }
    }

    @Test(arguments: ["yuv420p", "yuv420p10le"]) func rowsAreAligned(format: String) throws {
        let frame = try FramePool(format, size: Self.size).makeFrame()
        try frame.withPlanes { planes in
            #expect(planes.count == 3)
            for (plane, size) in zip(planes, Self.planeSizes) {
                #expect(plane.stride >= size.columns * (format == "yuv420p" ? 1 : 2))
                for y in 0..<size.rows { #expect(UInt(bitPattern: plane.row(y)) % 64 == 0) }
            }
        }
    }

    @Test func releasedMemoryIsUsedAgain() throws {
        let pool = try FramePool("yuv420p", size: Self.size)
        func address(_ frame: Frame) throws -> UInt { try frame.withPlanes { UInt(bitPattern: $0[0].row(0)) } }
        var frame: Frame? = try pool.makeFrame()
        let first = try address(#require(frame))
        frame = nil
        #expect(try address(pool.makeFrame()) == first)
    }

    @Test func impossibleSizesAreRefused() throws {
        for size in [PixelSize(width: 0, height: 2), PixelSize(width: 1 << 30, height: 1 << 30)] {
            let error = #expect(throws: MediaError.self) { try FramePool("yuv420p", size: size) }
            #expect(error?.kind == .limit)
        }
    }
}
