extension Int {
    /// A pixel count for messages: `8.3 megapixels`, `640 pixels`.
    package var inMegapixels: String {
        self < 100_000 ? "\(self) pixels" : "\(((Double(self) / 1e5).rounded() / 10).shortDescription) megapixels"
    }

    /// The count for a message that compares it with `other`: in pixels if both would read the same.
    package func inMegapixels(beside other: Int) -> String {
        self != other && inMegapixels == other.inMegapixels ? "\(self) pixels" : inMegapixels
    }
}
