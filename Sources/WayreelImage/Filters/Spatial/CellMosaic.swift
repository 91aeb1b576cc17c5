internal import WayreelCore
internal import WayreelKernels

/// Divides the image into cells around seeds and fills each with its mean colour. Borders are softened over one pixel.
struct CellMosaic: SpatialFilter {
    enum Shape: Sendable {
        case square, hexagon
        /// Randomly displaced seeds (reproducible by position): Voronoi cells.
        case crystal
        /// The same cells as round dabs on paper (white, or transparent for an image with alpha).
        case dab
    }
    var shape: Shape
    /// Distance between seeds.
    var scale: Length
    /// Centre of one cell.
    var center: ImagePoint

    func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        let scale = scale.inPixels(on: image.size)
        guard scale > 1 else { return }
        let center = center.inPixels(on: image.size)
        let lattice = try Lattice(shape: shape, scale: scale, center: center, size: image.size)
        let row = try NearestSeeds(count: image.width)
        try image.withMutablePlanes { planes throws(MediaError) in
            let memory = try lattice.means(of: planes, row: row, task: task)
            defer { withExtendedLifetime(memory) {} }
            let means = memory.pointer(to: Float.self)
            for y in 0..<planes.height {
                if y % 16 == 0 { try task.check() }
                lattice.find(row, y: y)
                for index in 0..<planes.count {
                    let out = planes.row(y, plane: index)
                    let paper: Float = planes.count == 4 ? 0 : 1
                    for x in 0..<planes.width {
                        let own = means[Int(row.first[x]) * 4 + index]
                        if shape == .dab {
                            let cover = min(max(0.6 * Float(scale) - row.distance[x] + 0.5, 0), 1)
                            out[x] = paper + cover * (own - paper)
                        } else {
                            let other = means[Int(row.second[x]) * 4 + index]
                            out[x] = other.isNaN ? own : other + min(0.5 + row.border[x], 1) * (own - other)
                        }
                    }
                }
            }
        }
    }
}

/// The nearest seeds of each pixel of a row.
private final class NearestSeeds {
    let count: Int
    let first: UnsafeMutablePointer<Int32>
    let second: UnsafeMutablePointer<Int32>
    let distance: UnsafeMutablePointer<Float>
    let border: UnsafeMutablePointer<Float>
    /// The four arrays, one after the other.
    private let memory: AlignedMemory

    /// Throws a `limit` error if memory is exhausted.
    init(count: Int) throws(MediaError) {
        self.count = count
        memory = try AlignedMemory(Float.self, count: 4 * count, step: .filter)
        first = memory.pointer(to: Int32.self)
        second = first + count
        distance = memory.pointer(to: Float.self) + 2 * count
        border = distance + count
    }
}

/// A grid of seeds that extends one cell beyond the image on every side.
private struct Lattice {
    private let pitch: SIMD2<Double>
    private let origin: SIMD2<Double>
    private let columns: Int
    private let rows: Int
    private let seedCount: Int
    /// The seeds' x, then their y.
    private let seeds: AlignedMemory

    /// Throws a `limit` error if memory for the seeds is exhausted.
    init(shape: CellMosaic.Shape, scale: Double, center: SIMD2<Double>, size: PixelSize) throws(MediaError) {
        pitch = SIMD2(scale, shape == .hexagon ? scale * 0.75.squareRoot() : scale)
        // The phase puts a seed at `center`; the first two cells are outside the image.
        let phase = center / pitch - SIMD2(0.5, 0.5)
        origin = (phase - phase.rounded(.down) - SIMD2(2, 2)) * pitch
        columns = Int((Double(size.width) - origin.x) / pitch.x) + 3
        rows = Int((Double(size.height) - origin.y) / pitch.y) + 3
        seedCount = columns * rows
        seeds = try AlignedMemory(Float.self, count: 2 * seedCount, step: .filter)
        let seedX = seeds.pointer(to: Float.self), seedY = seedX + seedCount
        let parity = Int(phase.y.rounded(.down)) & 1
        for row in 0..<rows {
            for column in 0..<columns {
                var position = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
                switch shape {
                case .square: break
                case .hexagon: position.x += (row & 1) == parity ? 0 : 0.5
                case .crystal, .dab:
                    position += Self.displacement(column, row) * (shape == .dab ? 0.5 : 0.8)
                }
                let seed = origin + position * pitch
                seedX[row * columns + column] = Float(seed.x)
                seedY[row * columns + column] = Float(seed.y)
            }
        }
    }

    /// Displacement of −½…½ on both axes, from SplitMix64's finaliser.
    private static func displacement(_ column: Int, _ row: Int) -> SIMD2<Double> {
        var mixed = UInt64(column) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(row) &* 0xD1B5_4A32_D192_ED03
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return SIMD2(Double(mixed & 0xFFFF_FFFF), Double(mixed >> 32)) / Double(UInt32.max) - SIMD2(0.5, 0.5)
    }

    /// Finds the nearest seeds of each pixel of row `y`.
    func find(_ row: NearestSeeds, y: Int) {
        withExtendedLifetime(seeds) {
            let seedX = seeds.pointer(to: Float.self)
            var grid = wr_seed_grid(
                x: seedX, y: seedX + seedCount, columns: Int32(columns), origin_x: Float(origin.x),
                origin_y: Float(origin.y), pitch_x: Float(pitch.x), pitch_y: Float(pitch.y))
            wr_nearest_seeds(&grid, Float(y) + 0.5, row.first, row.second, row.distance, row.border, row.count)
        }
    }

    /// Returns the mean of each seed's pixels, four floats per seed.
    func means(of planes: ImagePlanes, row: NearestSeeds, task: TaskContext) throws(MediaError) -> AlignedMemory {
        let sumMemory = try AlignedMemory(zeroed: seedCount * 5 * MemoryLayout<Double>.stride, step: .filter)
        let means = try AlignedMemory(Float.self, count: seedCount * 4, step: .filter)
        defer { withExtendedLifetime(sumMemory) {} }
        let sums = sumMemory.pointer(to: Double.self), counts = sums + seedCount * 4
        for y in 0..<planes.height {
            if y % 16 == 0 { try task.check() }
            find(row, y: y)
            for x in 0..<planes.width { counts[Int(row.first[x])] += 1 }
            for index in 0..<planes.count {
                let values = planes.row(y, plane: index)
                for x in 0..<planes.width { sums[Int(row.first[x]) * 4 + index] += Double(values[x]) }
            }
        }
        // A cell without any pixel centre that borders on a cell with pixels has no colour.
        for index in 0..<seedCount * 4 {
            means.pointer(to: Float.self)[index] =
                counts[index / 4] > 0 ? Float(sums[index] / counts[index / 4]) : .nan
        }
        return means
    }
}
