package import WayreelCore
internal import WayreelKernels

/// Converts rows to the format of encoders: interleaved, straight alpha, 8 or 16 bits in native byte order.
struct RowPacker {
    /// 8 or 16.
    var bits = 8
    /// Whether rows have alpha. An image with alpha is composited on black for rows without.
    var hasAlpha: Bool

    func rowBytes(width: Int) -> Int { width * (hasAlpha ? 4 : 3) * (bits / 8) }

    /// Packs row `y` of `planes` into `row`, which holds `rowBytes` and is aligned for its components.
    func pack(_ planes: ImagePlanes, row y: Int, into row: UnsafeMutableRawPointer) {
        let (red, green, blue) = (planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2))
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        let words = row.assumingMemoryBound(to: UInt16.self)
        switch (bits, hasAlpha) {
        case (8, false): wr_pack_rgb8(red, green, blue, bytes, planes.width)
        case (8, true): wr_pack_rgba8(red, green, blue, planes.row(y, plane: 3), bytes, planes.width)
        case (_, false): wr_pack_rgb16(red, green, blue, words, planes.width)
        case (_, true): wr_pack_rgba16(red, green, blue, planes.row(y, plane: 3), words, planes.width)
        }
    }

    /// Passes each packed row of `image` to `body`, from the top.
    func forEachRow(
        of image: Image, task: TaskContext, _ body: (UnsafeRawPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        let row = try AlignedMemory(uninitialized: rowBytes(width: image.width), step: .encode)
        try image.withPlanes { (planes) throws(MediaError) in
            for y in 0..<planes.height {
                if y % 64 == 0 { try task.check() }
                pack(planes, row: y, into: row.base)
                try body(row.base)
            }
        }
    }
}

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
