internal import WayreelCore

extension ImageOverlay {
    /// What a recipe or an option may set on a picture drawn over a picture, its path apart.
    package static let settings: [Setting<ImageOverlay>] = [
        .choice("gravity", \.gravity),
        .length("x", isSigned: true, \.x),
        .length("y", isSigned: true, \.y),
        .value("scale", "a factor such as 0.5, or a share of the picture's width such as 20%", \.scale) {
            OverlayScale(parsing: $0)
        },
        .number("opacity", 0...1, \.opacity),
        .choice("blend", \.blend),
        .flag("tile", \.tile),
    ]
}

extension TextOverlay {
    /// What a recipe or an option may set on a text drawn over a picture, the words apart.
    package static let settings: [Setting<TextOverlay>] = [
        .text("font", "a font by name, such as DejaVu Serif Bold", \.font),
        .length("size", \.size),
        .color("color", \.color),
        .choice("gravity", \.gravity),
        .length("margin", isSigned: true, \.margins),
        .length("margin-x", isSigned: true, \.marginX),
        .length("margin-y", isSigned: true, \.marginY),
        .length("width", \.width),
        .choice("alignment", \.alignment),
        .group("outline", \.outline, default: Outline(color: .black, width: .percent(0.4)), Outline.settings),
        .group(
            "shadow", \.shadow,
            default: Shadow(color: .halfBlack, x: .pixels(0), y: .percent(0.4), blur: .percent(0.8)), Shadow.settings),
        .group("box", \.box, default: Box(color: .halfBlack, padding: .percent(2)), Box.settings),
        .number("rotation", -360...360, unit: " degrees", \.rotation),
        .number("opacity", 0...1, \.opacity),
        .choice("blend", \.blend),
    ]

    /// Both margins at once.
    private var margins: Length {
        get { marginX }
        set { (marginX, marginY) = (newValue, newValue) }
    }
}

extension TextOverlay.Outline {
    fileprivate static let settings: [Setting<Self>] = [.color("color", \.color), .length("width", \.width)]
}

extension TextOverlay.Shadow {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color", \.color), .length("x", isSigned: true, \.x), .length("y", isSigned: true, \.y),
        .length("blur", \.blur),
    ]
}

extension TextOverlay.Box {
    fileprivate static let settings: [Setting<Self>] = [
        .color("color", \.color), .length("padding", \.padding), .length("radius", \.radius),
    ]
}

extension RGBColor {
    fileprivate static let halfBlack = RGBColor(red: 0, green: 0, blue: 0, alpha: 0.5)
}

extension OverlayScale {
    /// `0.5` is a factor, `20%` a share of the picture's width; both more than nothing.
    init?(parsing text: String) {
        let isShare = text.hasSuffix("%")
        guard let number = Double(isShare ? text.dropLast() : text[...]), number > 0, number <= (isShare ? 100 : 1000)
        else { return nil }
        self = isShare ? .widthShare(number / 100) : .factor(number)
    }
}
