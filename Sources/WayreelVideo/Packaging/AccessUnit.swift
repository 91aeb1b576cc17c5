/// Whether coded pictures stand for themselves.
enum AccessUnit {
    /// Whether decoding can start with this access unit, nothing before it being needed for what follows, in any order: an
    /// IDR picture of H.264 (NAL unit type 5) or HEVC (19, 20), or for other codecs what is marked as a key frame.
    ///
    /// NAL units have their lengths in front, of `lengthSize` bytes, or for nil start codes.
    static func isIndependent(
        _ bytes: UnsafeRawBufferPointer, codec: String, lengthSize: Int?, isKeyFrame: Bool
    ) -> Bool {
        guard let types = instantRefresh[codec] else { return isKeyFrame }
        return firstPictureType(bytes, isHEVC: codec == "hevc", lengthSize: lengthSize).map(types.contains) ?? false
    }

    private static let instantRefresh: [String: ClosedRange<UInt8>] = ["h264": 5...5, "hevc": 19...20]

    /// The type of the first NAL unit that holds a part of a picture.
    private static func firstPictureType(
        _ bytes: UnsafeRawBufferPointer, isHEVC: Bool, lengthSize: Int?
    ) -> UInt8? {
        var place = 0
        while true {
            var length: Int?
            if let lengthSize {
                guard lengthSize < bytes.count - place else { return nil }
                length = bytes[place..<place + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                place += lengthSize
            } else {
                // Up to and with 00 00 01.
                while bytes.count - place > 3, bytes[place] != 0 || bytes[place + 1] != 0 || bytes[place + 2] != 1 {
                    place += 1
                }
                guard bytes.count - place > 3 else { return nil }
                place += 3
            }
            let type = isHEVC ? bytes[place] >> 1 & 0x3F : bytes[place] & 0x1F
            if isHEVC ? type < 32 : (1...5).contains(type) { return type }
            guard let length else { continue }
            guard length < bytes.count - place else { return nil }
            place += length
        }
    }
}
