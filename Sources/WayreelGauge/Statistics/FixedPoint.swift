extension Double {
    /// With so many digits behind the point: `0.80`.
    func fixed(_ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (self * scale).rounded()
        guard let whole = Int(exactly: scaled) else { return "\(self)" }
        guard digits > 0 else { return String(whole) }
        let text = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return (whole < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
