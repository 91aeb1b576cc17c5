extension Int {
    /// The number of bytes as text, in powers of 1000: `84 kB`, `1.5 MB`.
    package var asSize: String {
        let value = Double(self)
        if value < 1000 { return "\(self) B" }
        if value < 999_500 { return "\((value / 1000).formatted(value < 9950 ? 1 : 0)) kB" }
        if value < 999_500_000 { return "\((value / 1e6).formatted(value < 9_950_000 ? 1 : 0)) MB" }
        return "\((value / 1e9).formatted(1)) GB"
    }
}
