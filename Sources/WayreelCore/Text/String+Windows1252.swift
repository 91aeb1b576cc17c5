extension String {
    /// The characters of code page 1252 at 0x80 to 0x9F, where Latin-1 has control characters; 0 if undefined.
    private static let windows1252: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    /// Decodes Latin-1 with Windows characters in place of control characters.
    package init(windows1252 bytes: some Sequence<UInt8>) {
        self.init(
            String.UnicodeScalarView(
                bytes.lazy.compactMap { byte in
                    let isReplaced = (0x80...0x9F).contains(byte)
                    let code = isReplaced ? Self.windows1252[Int(byte) - 0x80] : UInt16(byte)
                    return code == 0 && isReplaced ? nil : Unicode.Scalar(code)
                }))
    }

    /// Decodes UTF-8, or code page 1252 if the bytes are not UTF-8.
    package init(utf8OrWindows1252 bytes: some Collection<UInt8>) {
        self = String(validating: bytes, as: UTF8.self) ?? String(windows1252: bytes)
    }
}
