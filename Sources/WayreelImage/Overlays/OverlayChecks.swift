internal import WayreelCore

/// Range checks for overlays, which throw `parameter` errors.
enum OverlayChecks {
    /// Max length in pixels; sums of larger values are inexact.
    static let longest = 1_000_000.0

    static func opacity(_ value: Double) throws(MediaError) {
        guard (0...1).contains(value) else { throw fault("opacity", "0 to 1", value.shortDescription) }
    }

    static func color(_ color: RGBColor, _ name: String) throws(MediaError) {
        for component in [color.red, color.green, color.blue, color.alpha] where !(0...1).contains(component) {
            throw fault("a component of \(name)", "0 to 1", component.shortDescription)
        }
    }

    /// Checks that a length is finite and, unless `signed`, not negative.
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

    /// Checks blur and outline radii; memory grows with their square.
    static func radius(_ pixels: Double, _ name: String) throws(MediaError) {
        guard pixels <= 500 else { throw fault(name, "at most 500 pixels", pixels.shortDescription) }
    }

    static func fault(_ name: String, _ range: String, _ value: String) -> MediaError {
        MediaError(.parameter, step: "overlay", reason: "\(name) is \(range), not \(value)")
    }
}

extension Length {
    /// Returns the length in pixels on an image of `size`, clamped to the range of coordinates.
    func bounded(on size: PixelSize) -> Double {
        min(max(inPixels(on: size), -OverlayChecks.longest), OverlayChecks.longest)
    }
}
