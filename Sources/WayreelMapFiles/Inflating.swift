internal import CInflate
package import WayreelCore

/// Decompresses zlib and gzip in memory.
package enum Inflating {
    /// Returns what `bytes` were compressed from, at most `limit` bytes, below 2 GB. Bytes that do not begin as gzip or zlib
    /// are damaged.
    ///
    /// `takesBeginning`: whether the beginning is enough if there is more, or if the bytes end too early.
    ///
    /// Throws a `decoding` error for damaged bytes, a `limit` error if there is more, and an `io` error if zlib is not
    /// installed.
    package static func bytes(
        _ bytes: UnsafeRawBufferPointer, limit: Int, takesBeginning: Bool = false, step: MediaError.Step
    ) throws(MediaError) -> [UInt8] {
        try zlib.require(step: step)
        // Few files become more than four times as large; those are decompressed again with more room.
        var room = max(1, min(limit, max(4 * bytes.count, 1 << 14)))
        while true {
            var status = CINFLATE_DONE
            let made = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                status = cinflate(bytes.baseAddress, bytes.count, buffer.baseAddress, room, &filled)
            }
            switch status {
            case CINFLATE_DONE: return made
            case CINFLATE_CUT where takesBeginning: return made
            case CINFLATE_FULL where room < limit: room = min(limit, room * 4)
            case CINFLATE_FULL where takesBeginning: return made
            case CINFLATE_FULL:
                throw MediaError(
                    .limit, code: .tooManyBytes, step: step, reason: "it decompresses to more than \(limit.asSize)")
            case CINFLATE_NO_MEMORY:
                throw MediaError(.limit, code: .outOfMemory, step: step, reason: "no memory to decompress it")
            default:
                throw MediaError(
                    .decoding, code: .damaged, step: step,
                    reason: "its compressed data are \(status == CINFLATE_CUT ? "cut off" : "damaged")")
            }
        }
    }

    private static let zlib = SharedLibrary("zlib", packages: "zlib1g", load: cinflate_load)
}
