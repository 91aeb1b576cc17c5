extension Int {
    /// A pixel count for messages: `8.3 megapixels`, `640 pixels`.
    package var inMegapixels: String {
        self < 100_000 ? "\(self) pixels" : "\(((Double(self) / 1e5).rounded() / 10).shortDescription) megapixels"
    }
}
