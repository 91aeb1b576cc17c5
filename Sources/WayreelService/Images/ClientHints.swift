internal import HTTPTypes
internal import WayreelCore

/// The size at which a browser shows an image, from client hints (`Sec-CH-DPR`, `Sec-CH-Width`, and their old names
/// without the prefix). Pixel ratios are rounded up to halves and widths to 64 pixels, so that one image has few sizes.
struct ClientHints: Hashable, Sendable {
    /// Physical pixels per CSS pixel, 1 to 4.
    var pixelRatio: Double?
    /// The width in physical pixels, at most 4096.
    var width: Int?

    /// The value of `Accept-CH`.
    static let accepted = "Sec-CH-DPR, Sec-CH-Width"
    static let names = ["Sec-CH-DPR", "DPR", "Sec-CH-Width", "Width"]

    /// Ignores invalid values.
    init(_ headers: HTTPFields) {
        func number(_ first: Int) -> Double? {
            let text = Self.names[first...first + 1].lazy.compactMap { headers[HTTPField.Name($0)!] }.first
            return text.flatMap(Double.init).flatMap { $0 > 0 && $0 <= 1_000_000 ? $0 : nil }
        }
        pixelRatio = number(0).map { min(4, max(1, ($0 * 2).rounded(.up) / 2)) }
        width = number(2).map { min(4096, Int(($0 / 64).rounded(.up)) * 64) }
    }

    /// Adds the hints that the address leaves open: the ratio, and the width if neither the address nor a recipe has
    /// one.
    func apply(to options: inout ImageOptions) throws(MediaError) {
        if let width, !options.has("screen"), options.recipe == nil {
            try options.set("screen", "\(width)x")
        } else if let pixelRatio, !options.has("dpr"), options.has("screen") || options.recipe != nil {
            try options.set("dpr", "\(pixelRatio)")
        }
    }
}

extension HTTPField.Name {
    static var acceptCH: Self { Self("Accept-CH")! }
}
