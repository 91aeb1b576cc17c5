/// Inspects coded frames.
enum AccessUnit {
    /// Whether decoding can start with this access unit, and nothing before it is needed for later frames in any
    /// order: an IDR frame of H.264 or HEVC, or for other codecs a packet that is marked as a keyframe.
    ///
    /// NAL units are preceded by lengths of `lengthSize` bytes or, if that is nil, by start codes.
    static func isIndependent(
        _ bytes: UnsafeRawBufferPointer, codec: String, lengthSize: Int?, isKeyFrame: Bool
    ) -> Bool {
        guard let format = NALFormat.all[codec] else { return isKeyFrame }
        return firstSliceType(bytes, format, lengthSize: lengthSize).map(format.idrTypes.contains) ?? false
    }

    /// Returns the type of the first NAL unit that is a slice.
    private static func firstSliceType(
        _ bytes: UnsafeRawBufferPointer, _ format: NALFormat, lengthSize: Int?
    ) -> UInt8? {
        var offset = 0
        while true {
            var length: Int?
            if let lengthSize {
                guard lengthSize < bytes.count - offset else { return nil }
                length = bytes[offset..<offset + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                offset += lengthSize
            } else {
                // Find the start code 00 00 01.
                while bytes.count - offset > 3, bytes[offset] != 0 || bytes[offset + 1] != 0 || bytes[offset + 2] != 1 {
                    offset += 1
                }
                guard bytes.count - offset > 3 else { return nil }
                offset += 3
            }
            let type = format.type(bytes[offset])
            if format.sliceTypes.contains(type) { return type }
            guard let length else { continue }
            guard length < bytes.count - offset else { return nil }
            offset += length
        }
    }
}
