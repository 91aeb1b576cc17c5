extension String {
    /// A number, not negative, in at least `count` digits: `007` for 7 and 3.
    package init(_ number: some BinaryInteger, paddedTo count: Int, radix: Int = 10, uppercase: Bool = false) {
        let digits = String(number, radix: radix, uppercase: uppercase)
        self.init(repeating: "0", count: Swift.max(0, count - digits.utf8.count))
        self += digits
    }
}
