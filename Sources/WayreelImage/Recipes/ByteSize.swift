/// The size of a file as people write it.
package enum ByteSize {
    /// Powers of 1000 (IEC 80000-13), and of 1024 with an i.
    private static let units: [(suffix: String, bytes: Double)] = [
        ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824),
        ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("b", 1), ("", 1),
    ]

    /// Parses `200000`, `200kB`, `200 KB`, `1.5MB` or `512KiB`, regardless of case, rounded down; 1 byte to 1 TB.
    package static func parse(_ text: String) -> Int? {
        let lowercase = text.lowercased()
        guard let unit = units.first(where: { lowercase.hasSuffix($0.suffix) }) else { return nil }
        let digits = lowercase.dropLast(unit.suffix.count)
        guard digits.utf8.allSatisfy({ "0123456789. ".utf8.contains($0) }),
            let number = Double(digits.hasSuffix(" ") ? digits.dropLast() : digits),
            (1...1e12).contains(number * unit.bytes)
        else { return nil }
        return Int(number * unit.bytes)
    }
}
