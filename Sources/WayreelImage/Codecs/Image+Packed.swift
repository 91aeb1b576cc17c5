package import WayreelCore
internal import WayreelKernels

extension Image {
    /// Interleaved red, green, blue and straight alpha, 8 bits each, rows from the top without padding.
    package func packedRGBA() -> [UInt8] {
        let opaque = hasAlpha ? [] : [Float](repeating: 1, count: stride)
        return [UInt8](unsafeUninitializedCapacity: 4 * width * height) { bytes, count in
            withPlanes { planes in
                for y in 0..<height {
                    let row = bytes.baseAddress! + 4 * width * y
                    let (red, green, blue) = (planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2))
                    if hasAlpha {
                        wr_pack_rgba8(red, green, blue, planes.row(y, plane: 3), row, width)
                    } else {
                        wr_pack_rgba8(red, green, blue, opaque, row, width)
                    }
                }
            }
            count = bytes.count
        }
    }
}
