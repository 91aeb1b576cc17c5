import Testing
import WayreelCore

@Suite struct PictureTests {
    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 17, height: 3), PixelSize(width: 960, height: 640),
    ])
    func isBlackAlsoInMemoryUsedBefore(size: PixelSize) throws {
        for _ in 0..<3 {
            var picture = try Picture(size: size, hasAlpha: true)
            picture.withMutablePlanes { planes in
                for plane in 0..<4 {
                    for y in 0..<size.height {
                        for x in 0..<planes.stride {
                            #expect(planes.row(y, plane: plane)[x] == 0)
                            planes.row(y, plane: plane)[x] = 5
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [
        PixelSize(width: .max, height: 1), PixelSize(width: 1, height: .max),
        PixelSize(width: 1 << 31, height: 1 << 31),
    ])
    func refusesWhatNoMachineHolds(size: PixelSize) {
        let error = #expect(throws: MediaError.self) { try Picture(size: size) }
        #expect(error?.kind == .limit)
    }

    @Test func copiesAreApart() throws {
        var one = try Picture(size: PixelSize(width: 20, height: 2))
        let two = one
        one.withMutablePlanes { $0.row(1, plane: 2)[19] = 0.5 }
        #expect(one.withPlanes { $0.row(1, plane: 2)[19] } == 0.5)
        #expect(two.withPlanes { $0.row(1, plane: 2)[19] } == 0)
    }

    @Test func rowsStartOnCacheLines() throws {
        let picture = try Picture(size: PixelSize(width: 33, height: 5), hasAlpha: true)
        picture.withPlanes { planes in
            #expect(planes.stride == 48)
            for plane in 0..<4 {
                for y in 0..<5 { #expect(UInt(bitPattern: planes.row(y, plane: plane)) % 64 == 0) }
            }
        }
    }
}
