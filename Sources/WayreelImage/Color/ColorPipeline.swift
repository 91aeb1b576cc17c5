package import WayreelCore
internal import WayreelKernels

/// A list of colour operations compiled to run as one pass over an image or a row.
package struct ColorPipeline: Sendable {
    /// Operations after merging consecutive matrices and dropping inverse pairs.
    package private(set) var ops: [ColorOp] = []

    /// Pixels per block: three planes fit into the L1 cache between operations.
    private static let blockCount = 2048

    package init(_ ops: [ColorOp]) {
        for op in ops { append(op) }
    }

    private mutating func append(_ op: ColorOp) {
        switch (ops.last, op) {
        case (_, .matrix(.identity)):
            return
        case (.matrix(let first), .matrix(let second)):
            ops.removeLast()
            append(.matrix(second.after(first)))
        case (.encodeSRGB, .decodeSRGB), (.decodeSRGB, .encodeSRGB):
            ops.removeLast()
        default:
            ops.append(op)
        }
    }

    /// Runs over a whole image, row by row, on the task's threads.
    package func apply(to image: inout Image, task: TaskContext) throws(MediaError) {
        if ops.isEmpty { return }
        try image.withMutablePlanes { planes throws(MediaError) in
            // The bands have no row in common.
            nonisolated(unsafe) let planes = planes
            try task.forEachBand(of: planes.height, pixelsPerRow: planes.width) { (rows, task) throws(MediaError) in
                for y in rows {
                    if y % 16 == 0 { try task.check() }
                    apply(
                        red: planes.row(y, plane: 0), green: planes.row(y, plane: 1), blue: planes.row(y, plane: 2),
                        alpha: planes.count == 4 ? planes.row(y, plane: 3) : nil, count: planes.stride, y: y)
                }
            }
        }
    }

    /// Runs over row `y` of an image: `count` pixels, a multiple of sixteen, aligned to 64 bytes.
    ///
    /// With `alpha`, colours are premultiplied on input and output.
    package func apply(
        red: UnsafeMutablePointer<Float>, green: UnsafeMutablePointer<Float>, blue: UnsafeMutablePointer<Float>,
        alpha: UnsafePointer<Float>? = nil, count: Int, y: Int = 0
    ) {
        for x in stride(from: 0, to: count, by: Self.blockCount) {
            let block = ColorBlock(
                red: red + x, green: green + x, blue: blue + x, count: min(Self.blockCount, count - x), x: x, y: y)
            if let alpha { wr_straighten_alpha(block.red, block.green, block.blue, alpha + x, block.count) }
            for op in ops { op.apply(to: block) }
            if let alpha { wr_premultiply(block.red, block.green, block.blue, alpha + x, block.count) }
        }
    }
}

extension ColorOp {
    fileprivate func apply(to block: ColorBlock) {
        switch self {
        case .matrix(let matrix):
            let weights = matrix.rows
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 12) { flat in
                for i in 0..<12 { flat[i] = weights[i / 4][i % 4] }
                wr_matrix(block.red, block.green, block.blue, block.count, flat.baseAddress)
            }
        case .decodeSRGB:
            block.forEachPlane(wr_decode_srgb)
        case .encodeSRGB:
            block.forEachPlane(wr_encode_srgb)
        case .curves(let curves):
            wr_curve(block.red, block.count, curves.red, Int32(curves.red.count))
            wr_curve(block.green, block.count, curves.green, Int32(curves.green.count))
            wr_curve(block.blue, block.count, curves.blue, Int32(curves.blue.count))
        case .lut(let lut):
            lut.apply(to: block)
        case .kernel(let run):
            run(block)
        }
    }
}

extension ColorBlock {
    /// Calls `body` for each plane.
    package func forEachPlane(_ body: (UnsafeMutablePointer<Float>, Int) -> Void) {
        body(red, count)
        body(green, count)
        body(blue, count)
    }
}

extension CubeLUT {
    fileprivate func apply(to block: ColorBlock) {
        let scale = Float(size - 1) / (domainMax - domainMin)
        let corner = [domainMin.x, domainMin.y, domainMin.z]
        wr_cube(
            block.red, block.green, block.blue, block.count, table, Int32(size), corner, [scale.x, scale.y, scale.z])
    }
}
