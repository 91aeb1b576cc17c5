/// The syntax of NAL units, of H.264 (ITU-T H.264, 7.4.1) and HEVC (ITU-T H.265, 7.4.2).
package enum NALSyntax {
    /// Whether the NAL units of an access unit could have been written by an encoder, which inserts a 3 between two
    /// zero bytes and a byte below 4, so that no data looks like a start code. This detects zeros that replaced data,
    /// which decoders often show as a frame.
    ///
    /// NAL units are preceded by lengths of `lengthSize` bytes or, if that is nil, by start codes.
    package static func isValid(_ bytes: UnsafeRawBufferPointer, lengthSize: Int?) -> Bool {
        guard let lengthSize else { return !holdsForbiddenBytes(bytes[...], startCodes: true) }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count > lengthSize else { return false }
            let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(lengthSize)
            guard length > 0, length <= rest.count, !holdsForbiddenBytes(rest.prefix(length), startCodes: false) else {
                return false
            }
            rest = rest.dropFirst(length)
        }
        return true
    }

    /// Zeros at the end are ignored: a muxer may have copied them from a stream with start codes.
    private static func holdsForbiddenBytes(_ bytes: Slice<UnsafeRawBufferPointer>, startCodes: Bool) -> Bool {
        var zeros = 0
        for byte in bytes {
            guard byte != 0 else {
                zeros += 1
                continue
            }
            if zeros > 1, !(startCodes && byte == 1), zeros > 2 || byte < 3 { return true }
            zeros = 0
        }
        return false
    }
}
