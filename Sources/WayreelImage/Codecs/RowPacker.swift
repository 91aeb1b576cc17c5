internal import WayreelCore
internal import WayreelKernels

/// The rows of a picture as encoders take them: interleaved, straight alpha, 8 or 16 bits in the machine's byte order.
struct RowPacker {
    /// 8 or 16.
    var bits = 8
    /// Whether rows carry alpha. Where the picture has alpha and rows do not, it lies on black.
    var hasAlpha: Bool

    func rowBytes(width: Int) -> Int { width * (hasAlpha ? 4 : 3) * (bits / 8) }

    /// Packs row `y` of `planes` into `row`, which has room for `rowBytes` and is aligned for its components.
    func pack(_ planes: PicturePlanes, row y: Int, into row: UnsafeMutableRawPointer) {
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

    /// Hands each row of `picture`, packed, to `body`, from the top.
    func forEachRow(
        of picture: Picture, watch: TaskWatch, _ body: (UnsafeRawPointer) throws(MediaError) -> Void
    ) throws(MediaError) {
        let row = try AlignedMemory(uninitialized: rowBytes(width: picture.width), step: "encode")
        try picture.withPlanes { (planes) throws(MediaError) in
            for y in 0..<planes.height {
                if y % 64 == 0 { try watch.check() }
                pack(planes, row: y, into: row.base)
                try body(row.base)
            }
        }
    }
}
