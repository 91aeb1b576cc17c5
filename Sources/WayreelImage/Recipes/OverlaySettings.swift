internal import WayreelCore

extension ImageOverlay {
    /// Keys of an image overlay in recipes and options, except its path.
    package static let settings: [Setting<ImageOverlay>] = [
        .choice("gravity", Gravity.self) { $0.gravity = $1 },
        .length("x", isSigned: true) { $0.x = $1 },
        .length("y", isSigned: true) { $0.y = $1 },
        .value(
            "scale", "a factor such as 0.5, or a percentage of the image's width such as 20%",
            read: { OverlayScale(parsing: $0) }, store: { $0.scale = $1 }),
        .number("rotation", -360...360, unit: " degrees") { $0.rotation = $1 },
        .number("opacity", 0...1) { $0.opacity = $1 },
        .choice("blend", BlendMode.self) { $0.blend = $1 },
        .flag("tile") { $0.tile = $1 },
    ]
}

extension TextOverlay {
    /// Keys of a text overlay in recipes and options, except its text.
    package static let settings: [Setting<TextOverlay>] = [
        .text("font", "a font by name, such as DejaVu Serif Bold") { $0.font = $1 },
        .length("size") { $0.size = $1 },
        .color("color") { $0.color = $1 },
        .choice("gravity", Gravity.self) { $0.gravity = $1 },
        .length("margin", isSigned: true) { ($0.marginX, $0.marginY) = ($1, $1) },
        .length("margin-x", isSigned: true) { $0.marginX = $1 },
        .length("margin-y", isSigned: true) { $0.marginY = $1 },
        .length("width") { $0.width = $1 },
        .choice("alignment", Alignment.self) { $0.alignment = $1 },
        .group("outline", Outline(color: .black, width: .percent(0.4)), Outline.settings) { $0.outline = $1 },
        .group(
            "shadow", Shadow(color: .halfBlack, x: .pixels(0), y: .percent(0.4), blur: .percent(0.8)), Shadow.settings
        ) { $0.shadow = $1 },
        .group("box", Box(color: .halfBlack, padding: .percent(2)), Box.settings) { $0.box = $1 },
        .number("rotation", -360...360, unit: " degrees") { $0.rotation = $1 },
        .number("opacity", 0...1) { $0.opacity = $1 },
        .choice("blend", BlendMode.self) { $0.blend = $1 },
    ]
}

extension TextOverlay.Outline {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("width") { $0.width = $1 },
    ]
}

extension TextOverlay.Shadow {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("x", isSigned: true) { $0.x = $1 },
        .length("y", isSigned: true) { $0.y = $1 }, .length("blur") { $0.blur = $1 },
    ]
}

extension TextOverlay.Box {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color") { $0.color = $1 }, .length("padding") { $0.padding = $1 },
        .length("radius") { $0.radius = $1 },
    ]
}

extension RGBColor {
    fileprivate static let halfBlack = RGBColor(red: 0, green: 0, blue: 0, alpha: 0.5)
}

extension OverlayScale {
    /// `0.5` is a factor, `20%` is relative to the image's width; both must be positive.
    init?(parsing text: String) {
        let isShare = text.hasSuffix("%")
        guard let number = Double(isShare ? text.dropLast() : text[...]), number > 0, number <= (isShare ? 100 : 1000)
        else { return nil }
        self = isShare ? .widthShare(number / 100) : .factor(number)
    }
}
