internal import CQRCode
internal import WayreelCore
internal import WayreelDrawing

/// The dark and light modules of a QR code (ISO/IEC 18004), without the quiet zone around it.
struct QRCode {
    /// Modules of a side.
    let side: Int
    private let modules: [UInt8]

    /// Encodes a text as bytes with error correction Q, which recovers a quarter of the code.
    ///
    /// Throws a `limit` error for a text that is too long, and an `unsupported` error without libqrencode.
    init(_ text: String) throws(MediaError) {
        try SharedLibrary.qrencode.require(step: .draw)
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_Q) else {
            throw MediaError(
                .limit, step: .draw, reason: "no QR code holds the \(bytes.count) bytes of '\(text.prefix(60))…'",
                advice: "use a shorter address")
        }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        modules = (0..<side * side).map { code.pointee.data[$0] & 1 }
    }

    /// The dark runs of each row.
    var runs: [(x: Int, y: Int, length: Int)] {
        (0..<side).flatMap { y in
            var (runs, x) = ([(x: Int, y: Int, length: Int)](), 0)
            while x < side {
                let end = (x..<side).first { modules[y * side + $0] == 0 } ?? side
                if end > x { runs.append((x, y, end - x)) }
                x = end + 1
            }
            return runs
        }
    }
}

extension SharedLibrary {
    static let qrencode = SharedLibrary("libqrencode", packages: "libqrencode4", load: cqrcode_load)
}
