internal import WayreelCore

/// Checks on what overlays may be asked for, which throw `parameter` errors.
enum OverlayChecks {
    /// The longest length that makes sense on any picture, in pixels; beyond it sums are no longer exact.
    static let longest = 1_000_000.0

    static func opacity(_ value: Double) throws(MediaError) {
        guard (0...1).contains(value) else { throw fault("opacity", "0 to 1", value.shortDescription) }
    }

    static func color(_ color: RGBColor, _ name: String) throws(MediaError) {
        for component in [color.red, color.green, color.blue, color.alpha] where !(0...1).contains(component) {
            throw fault("a component of \(name)", "0 to 1", component.shortDescription)
        }
    }

    /// A length that must be finite and, unless `signed`, not below 0.
    static func length(_ length: Length, _ name: String, signed: Bool = false) throws(MediaError) {
        let value =
            switch length {
            case .pixels(let pixels): pixels
            case .percent(let percent): percent
            }
        guard value.isFinite, signed || value >= 0 else {
            throw fault(name, signed ? "a number" : "0 or more", length.description)
        }
    }

    /// Lengths that set how far from a letter one has to draw; the memory for it grows with their square.
    static func reach(_ pixels: Double, _ name: String) throws(MediaError) {
        guard pixels <= 500 else { throw fault(name, "at most 500 pixels", pixels.shortDescription) }
    }

    static func fault(_ name: String, _ range: String, _ value: String) -> MediaError {
        MediaError(.parameter, step: "overlay", reason: "\(name) is \(range), not \(value)")
    }
}

extension Length {
    /// The length in pixels on a picture of `size`, kept within what coordinates can hold.
    func bounded(on size: PixelSize) -> Double {
        min(max(inPixels(on: size), -OverlayChecks.longest), OverlayChecks.longest)
    }
}
