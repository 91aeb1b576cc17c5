internal import Glibc
internal import WayreelCore
internal import WayreelDrawing

/// A checked text overlay.
struct TextLayerSource: LayerSource {
    private let overlay: TextOverlay

    init(_ overlay: TextOverlay) throws(MediaError) {
        try TextLimits.check(text: overlay.text, font: overlay.font)
        try OverlayChecks.opacity(overlay.opacity)
        try OverlayChecks.length(overlay.size, "a text's size")
        try OverlayChecks.length(overlay.marginX, "the horizontal margin", signed: true)
        try OverlayChecks.length(overlay.marginY, "the vertical margin", signed: true)
        if let width = overlay.width { try OverlayChecks.length(width, "a text's width") }
        try OverlayChecks.color(overlay.color, "a text's colour")
        if let outline = overlay.outline {
            try OverlayChecks.color(outline.color, "an outline's colour")
            try OverlayChecks.length(outline.width, "an outline's width")
        }
        if let shadow = overlay.shadow {
            try OverlayChecks.color(shadow.color, "a shadow's colour")
            try OverlayChecks.length(shadow.x, "a shadow's horizontal offset", signed: true)
            try OverlayChecks.length(shadow.y, "a shadow's vertical offset", signed: true)
            try OverlayChecks.length(shadow.blur, "a shadow's blur")
        }
        if let box = overlay.box {
            try OverlayChecks.color(box.color, "a box's colour")
            try OverlayChecks.length(box.padding, "a box's padding")
            try OverlayChecks.length(box.radius, "the radius of a box's corners")
        }
        guard overlay.rotation.isFinite else {
            throw OverlayChecks.fault("a rotation", "a number of degrees", overlay.rotation.shortDescription)
        }
        self.overlay = overlay
    }

    func layer(for size: PixelSize, task: TaskContext) throws(MediaError) -> OverlayLayer {
        if let outline = overlay.outline {
            try OverlayChecks.radius(outline.width.inPixels(on: size), "an outline's width")
        }
        if let shadow = overlay.shadow { try OverlayChecks.radius(shadow.blur.inPixels(on: size), "a shadow's blur") }
        let layout = try layout(on: size)
        let placed = PositionedText(overlay, layout: layout, on: size)
        var warnings = findings(in: layout)
        if let overflow = placed.overflow(of: size) { warnings.append(overflow) }
        let visible = placed.bounds.intersection(size.area).pixelBounds
        guard !visible.isEmpty else { return OverlayLayer(pixels: .none, warnings: warnings) }
        let surface = try PixelSurface(size: visible.pixelSize)
        try placed.draw(on: Canvas(on: surface), showing: visible, task: task)
        return OverlayLayer(
            pixels: .drawing(FinishedDrawing(surface)), x: Int(visible.x), y: Int(visible.y), warnings: warnings)
    }

    private func layout(on size: PixelSize) throws(MediaError) -> TextLayout {
        try TextLayout(
            overlay.text, font: overlay.font, size: overlay.size.inPixels(on: size),
            width: overlay.width?.bounded(on: size) ?? freeWidth(on: size),
            alignment: (overlay.alignment ?? overlay.gravity.alignment).inLayout)
    }

    /// Line length from margin to margin along the text direction, minus the box's padding.
    private func freeWidth(on size: PixelSize) -> Double {
        let across = max(1, Double(size.width) - 2 * overlay.marginX.bounded(on: size))
        let down = max(1, Double(size.height) - 2 * overlay.marginY.bounded(on: size))
        let (sine, cosine) = (abs(sin(overlay.angle)), abs(cos(overlay.angle)))
        return min(across / cosine, down / sine) - 2 * (overlay.box?.padding.bounded(on: size) ?? 0)
    }

    /// Warnings about the installed fonts.
    private func findings(in layout: TextLayout) -> [String] {
        var findings = [layout.substitutionWarning].compactMap(\.self)
        let missing = layout.missingCharacters
        if !missing.isEmpty { findings.append(MissingCharacters.warning(missing)) }
        if layout.inkBounds.isEmpty, missing.isEmpty { findings.append("the text has no visible characters") }
        return findings
    }
}

extension TextOverlay {
    /// The rotation in radians, within a full turn.
    var angle: Double { rotation.truncatingRemainder(dividingBy: 360) * .pi / 180 }
}

extension TextOverlay.Alignment {
    fileprivate var inLayout: TextLayout.Alignment {
        switch self {
        case .start: .start
        case .center: .center
        case .end: .end
        case .justify: .justify
        case .left: .left
        case .right: .right
        }
    }
}

extension Gravity {
    /// Alignment of lines that corresponds to this gravity.
    fileprivate var alignment: TextOverlay.Alignment { x == 0 ? .left : x == 1 ? .right : .center }
}

/// Warnings about characters missing from all installed fonts.
enum MissingCharacters {
    /// Names up to eight of `characters`, and the Debian package with a font for the first one.
    static func warning(_ characters: [Unicode.Scalar]) -> String {
        let named = characters.prefix(8).map(\.codePoint).joined(separator: ", ")
        let more = characters.count > 8 ? " and \(characters.count - 8) more" : ""
        return "no installed font has \(named)\(more); left blank; the package \(package(for: characters[0])) may help"
    }

    private static func package(for character: Unicode.Scalar) -> String {
        if character.properties.isEmojiPresentation { return "fonts-noto-color-emoji" }
        return packages.first { $0.block.contains(character.value) }?.package ?? "fonts-noto-core"
    }

    /// Packages by Unicode block; `fonts-noto-core` covers most other scripts.
    private static let packages: [(block: ClosedRange<UInt32>, package: String)] = [
        (0x1100...0x11FF, "fonts-noto-cjk"),  // Hangul Jamo
        (0x2E80...0xA4CF, "fonts-noto-cjk"),  // CJK radicals to Yi
        (0xA960...0xA97F, "fonts-noto-cjk"),  // Hangul Jamo Extended-A
        (0xAC00...0xD7FF, "fonts-noto-cjk"),  // Hangul
        (0xF900...0xFAFF, "fonts-noto-cjk"),  // CJK Compatibility Ideographs
        (0xFE30...0xFE4F, "fonts-noto-cjk"),  // CJK Compatibility Forms
        (0xFF00...0xFFEF, "fonts-noto-cjk"),  // Halfwidth and Fullwidth Forms
        (0x1F000...0x1FAFF, "fonts-noto-color-emoji"),
        (0x20000...0x323AF, "fonts-noto-cjk-extra"),  // CJK Extensions B to H
    ]
}
