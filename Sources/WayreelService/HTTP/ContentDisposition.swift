internal import WayreelCore

/// The header that names a file for a browser to save.
enum ContentDisposition {
    /// `attachment` with the name to save it under, also beyond ASCII (RFC 6266, RFC 8187).
    static func attachment(_ name: String) -> String {
        let plain = name.filter { $0.isASCII && $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }
}
