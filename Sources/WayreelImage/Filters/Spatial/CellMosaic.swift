internal import WayreelCore

/// Cuts the picture into cells around seeds and gives each the mean of its colours. The border between two cells is
/// softened over one pixel.
struct CellMosaic: SpatialFilter {
    enum Shape: Sendable {
        case square, hexagon
        /// Seeds moved about at random (the same for the same place every time): Voronoi cells.
        case crystal
        /// The same, drawn as round dabs on paper (white, or nothing where the picture has alpha).
        case dab
    }
    var shape: Shape
    /// The distance of two seeds.
    var scale: Length
    /// Where one cell has its centre.
    var center: PicturePoint

    func apply(to picture: inout Picture, watch: TaskWatch) throws(MediaError) {
        let scale = scale.inPixels(on: picture.size)
        guard scale > 1 else { return }
        let center = center.inPixels(on: picture.size)
        let lattice = Lattice(shape: shape, scale: scale, center: center, size: picture.size)
        try picture.withMutablePlanes { planes throws(MediaError) in
            let means = try lattice.means(of: planes, watch: watch)
            for y in 0..<planes.height {
                if y % 16 == 0 { try watch.check() }
                for x in 0..<planes.width {
                    let found = lattice.nearest(x: x, y: y)
                    let first = found.first * 4
                    if shape == .dab {
                        let cover = Float(min(max(0.6 * scale - found.distance + 0.5, 0), 1))
                        for index in 0..<planes.count {
                            let paper: Float = planes.count == 4 ? 0 : 1
                            planes.row(y, plane: index)[x] = paper + cover * (means[first + index] - paper)
                        }
                    } else {
                        let share = Float(min(0.5 + found.toBorder, 1))
                        let second = found.second * 4
                        for index in 0..<planes.count {
                            let (own, other) = (means[first + index], means[second + index])
                            planes.row(y, plane: index)[x] = other.isNaN ? own : other + share * (own - other)
                        }
                    }
                }
            }
        }
    }
}

/// The seeds of a mosaic: one in each cell of a grid that reaches a cell beyond the picture on every side.
private struct Lattice {
    private let pitch: SIMD2<Double>
    private let origin: SIMD2<Double>
    private let columns: Int
    private let rows: Int
    private var seeds: [SIMD2<Double>] = []

    init(shape: CellMosaic.Shape, scale: Double, center: SIMD2<Double>, size: PixelSize) {
        pitch = SIMD2(scale, shape == .hexagon ? scale * 0.75.squareRoot() : scale)
        // The grid's phase makes `center` a seed; its first two cells lie before the picture.
        let phase = center / pitch - SIMD2(0.5, 0.5)
        origin = (phase - phase.rounded(.down) - SIMD2(2, 2)) * pitch
        columns = Int((Double(size.width) - origin.x) / pitch.x) + 3
        rows = Int((Double(size.height) - origin.y) / pitch.y) + 3
        let parity = Int(phase.y.rounded(.down)) & 1
        for row in 0..<rows {
            for column in 0..<columns {
                var place = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
                switch shape {
                case .square: break
                case .hexagon: place.x += (row & 1) == parity ? 0 : 0.5
                case .crystal, .dab:
                    place += Self.displacement(column, row) * (shape == .dab ? 0.5 : 0.8)
                }
                seeds.append(origin + place * pitch)
            }
        }
    }

    /// −½…½ on both axes, mixed from the place by the finaliser of SplitMix64.
    private static func displacement(_ column: Int, _ row: Int) -> SIMD2<Double> {
        var mixed = UInt64(column) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(row) &* 0xD1B5_4A32_D192_ED03
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return SIMD2(Double(mixed & 0xFFFF_FFFF), Double(mixed >> 32)) / Double(UInt32.max) - SIMD2(0.5, 0.5)
    }

    /// The nearest seed to a pixel's centre, the next nearest, and the distances to the first and to their border.
    func nearest(x: Int, y: Int) -> (first: Int, second: Int, distance: Double, toBorder: Double) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let cell = (place - origin) / pitch
        let (column, row) = (Int(cell.x), Int(cell.y))
        var (first, second) = (0, 0)
        var (near, next) = (Double.infinity, Double.infinity)
        for r in row - 1...row + 1 {
            for c in column - 1...column + 1 {
                let index = r * columns + c
                let way = seeds[index] - place
                let distance = way.x * way.x + way.y * way.y
                if distance < near {
                    (second, next) = (first, near)
                    (first, near) = (index, distance)
                } else if distance < next {
                    (second, next) = (index, distance)
                }
            }
        }
        let between = seeds[second] - seeds[first]
        let span = (between.x * between.x + between.y * between.y).squareRoot()
        return (first, second, near.squareRoot(), (next - near) / (2 * span))
    }

    /// The mean of each seed's pixels, four values a seed.
    func means(of planes: PicturePlanes, watch: TaskWatch) throws(MediaError) -> [Float] {
        var sums = [Double](repeating: 0, count: seeds.count * 4)
        var counts = [Double](repeating: 0, count: seeds.count)
        for y in 0..<planes.height {
            if y % 16 == 0 { try watch.check() }
            for x in 0..<planes.width {
                let seed = nearest(x: x, y: y).first
                counts[seed] += 1
                for index in 0..<planes.count { sums[seed * 4 + index] += Double(planes.row(y, plane: index)[x]) }
            }
        }
        // A cell that holds no pixel's centre, but borders on one that does, has no colour to give.
        return sums.indices.map { counts[$0 / 4] > 0 ? Float(sums[$0] / counts[$0 / 4]) : .nan }
    }
}
