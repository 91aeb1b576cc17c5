import Testing
import WayreelCore

@Suite struct ImageTests {
    @Test(arguments: [
        PixelSize(width: 1, height: 1), PixelSize(width: 17, height: 3), PixelSize(width: 960, height: 640),
    ])
    func isBlackInReusedMemory(size: PixelSize) throws {
        for _ in 0..<3 {
            var image = try Image(size: size, hasAlpha: true)
            image.withMutablePlanes { planes in
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
    func rejectsWhatNoMachineHolds(size: PixelSize) {
        let error = #expect(throws: MediaError.self) { try Image(size: size) }
        #expect(error?.kind == .limit)
    }

    @Test func copiesAreIndependent() throws {
        var one = try Image(size: PixelSize(width: 20, height: 2))
        let two = one
        one.withMutablePlanes { $0.row(1, plane: 2)[19] = 0.5 }
        #expect(one.withPlanes { $0.row(1, plane: 2)[19] } == 0.5)
        #expect(two.withPlanes { $0.row(1, plane: 2)[19] } == 0)
    }

    @Test func rowsAreSpansOfTheirWidth() throws {
        func values(_ image: Image, plane: Int) -> [Float] {
            image.withRow(1, plane: plane) { row in row.indices.map { row[$0] } }
        }
        var one = try Image(size: PixelSize(width: 3, height: 2), hasAlpha: true)
        let two = one
        one.withMutableRow(1, plane: 3) { row in
            for x in row.indices { row[x] = Float(x) }
        }
        #expect(values(one, plane: 3) == [0, 1, 2])
        #expect(values(one, plane: 2) == [0, 0, 0])
        #expect(values(two, plane: 3) == [0, 0, 0])
        #expect(one.withPlanes { $0.row(1, plane: 3)[2] } == 2)
    }

    @Test func rowsStartOnCacheLines() throws {
        let image = try Image(size: PixelSize(width: 33, height: 5), hasAlpha: true)
        image.withPlanes { planes in
            #expect(planes.stride == 48)
            for plane in 0..<4 {
                for y in 0..<5 { #expect(UInt(bitPattern: planes.row(y, plane: plane)) % 64 == 0) }
            }
        }
    }
}
