import Testing
import WayreelCore

/// The eight orientations as a group, whose matrices follow here from the definition of EXIF alone.
@Suite struct OrientationGroupTests {
    /// The columns are the directions of the stored image's axes (right, down) in the display.
    private struct Matrix: Equatable {
        var x: SIMD2<Int>
        var y: SIMD2<Int>

        static func * (left: Matrix, right: SIMD2<Int>) -> SIMD2<Int> { left.x &* right.x &+ left.y &* right.y }

        static func * (left: Matrix, right: Matrix) -> Matrix { Matrix(x: left * right.x, y: left * right.y) }
    }

    /// Directions away from a displayed side.
    private static let (top, right, bottom, left) = (
        SIMD2(0, 1), SIMD2(-1, 0), SIMD2(0, -1), SIMD2(1, 0)
    )

    /// The values 1 to 8 by the displayed sides of the first column and the first row (EXIF 2.32, section 4.6.4, tag
    /// 0x0112).
    private static let matrices = [
        Matrix(x: left, y: top), Matrix(x: right, y: top), Matrix(x: right, y: bottom), Matrix(x: left, y: bottom),
        Matrix(x: top, y: left), Matrix(x: top, y: right), Matrix(x: bottom, y: right), Matrix(x: bottom, y: left),
    ]

    private static func matrix(_ orientation: Orientation) -> Matrix { matrices[orientation.rawValue - 1] }

    @Test(arguments: Orientation.allCases, Orientation.allCases)
    func composesAsMatricesDo(first: Orientation, next: Orientation) throws {
        let product = Self.matrix(next) * Self.matrix(first)
        let expected = try #require(Self.matrices.firstIndex(of: product)) + 1
        #expect(first.then(next).rawValue == expected)
    }

    @Test(arguments: Orientation.allCases)
    func hasTheAxesOfItsMatrix(orientation: Orientation) {
        let (matrix, axes) = (Self.matrix(orientation), orientation.axes)
        #expect(SIMD2(axes.x.x, axes.x.y) == matrix.x)
        #expect(SIMD2(axes.y.x, axes.y.y) == matrix.y)
        #expect(orientation.swapsSides == (orientation.rawValue >= 5))
        // As in a display matrix of MP4, in units of 1/65536, and one that is off by some degrees.
        for (straight, slant) in [(1, 0), (65536, 0), (1000, 99), (1000, -99)] {
            let x = matrix.x &* straight &+ matrix.y &* slant
            let y = matrix.y &* straight &- matrix.x &* slant
            #expect(Orientation(xAxis: (x.x, x.y), yAxis: (y.x, y.y)) == orientation)
        }
    }

    /// Each pixel of a part has to come from the stored part, by the matrix.
    @Test(arguments: Orientation.allCases)
    func findsPartsOfTheStoredImage(orientation: Orientation) {
        let (size, matrix) = (PixelSize(width: 7, height: 4), Self.matrix(orientation))
        let upright = orientation.upright(size)
        let part = PixelRectangle(columns: 1..<3, rows: 2..<upright.height)
        let stored = orientation.stored(part, in: size)
        var shown: Set<SIMD2<Int>> = []
        for y in stored.rows {
            for x in stored.columns {
                // Around the centre, in half pixels.
                let moved = matrix * SIMD2(2 * x - size.width + 1, 2 * y - size.height + 1)
                shown.insert(SIMD2((moved.x + upright.width - 1) / 2, (moved.y + upright.height - 1) / 2))
            }
        }
        #expect(shown == Set(part.rows.flatMap { y in part.columns.map { SIMD2($0, y) } }))
    }

    @Test func readsTheValuesOfFiles() {
        #expect((0...9).map { Orientation(exif: $0).rawValue } == [1, 1, 2, 3, 4, 5, 6, 7, 8, 1])
        let turn = Orientation(irot: 1)
        #expect(Self.matrix(turn) == Matrix(x: Self.bottom, y: Self.left))
        #expect((0..<4).map { Orientation(irot: $0) } == [.upright, turn, turn.then(turn), turn.then(turn).then(turn)])
        #expect(Orientation(irot: 0xFD) == turn)
        #expect(Self.matrix(Orientation(imir: 0)) == Matrix(x: Self.left, y: Self.bottom))
        #expect(Self.matrix(Orientation(imir: 1)) == Matrix(x: Self.right, y: Self.top))
    }
}
