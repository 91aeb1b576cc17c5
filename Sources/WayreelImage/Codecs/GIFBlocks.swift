internal import WayreelCore

/// The blocks of a GIF, walked without decoding any (GIF89a specification, sections 18 to 27).
enum GIFBlocks {
    /// The number of frames; checks it and the size of the canvas.
    static func facts(_ bytes: UnsafeRawBufferPointer, limits: Limits) throws(MediaError) -> StillFormat.Facts {
        guard bytes.count >= 13 else {
            throw MediaError(
                .decoding, step: "decode", reason: "GIF: the file ends within its header", advice: "send the whole file"
            )
        }
        let size = PixelSize(width: Int(bytes.littleEndian16(at: 6)), height: Int(bytes.littleEndian16(at: 8)))
        try limits.check(size: size)
        let frames = max(1, count(bytes))
        try limits.check(frames: frames)
        return StillFormat.Facts(frames: frames)
    }

    /// Frames whose descriptors are there, up to the trailer or the first byte that begins no block.
    private static func count(_ bytes: UnsafeRawBufferPointer) -> Int {
        var frames = 0
        var place = 13 + colorTableBytes(bytes[10])
        while place < bytes.count {
            switch bytes[place] {
            case 0x21: place += 2
            case 0x2C where place + 10 <= bytes.count:
                frames += 1
                // The descriptor, its colours, the size of LZW's codes.
                place += 10 + colorTableBytes(bytes[place + 9]) + 1
            default: return frames
            }
            // Sub-blocks, each behind its length, up to an empty one.
            while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
            place += 1
        }
        return frames
    }

    private static func colorTableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
