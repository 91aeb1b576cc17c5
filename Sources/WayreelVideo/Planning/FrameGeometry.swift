internal import WayreelCore
internal import WayreelImage

/// How coded pictures become upright ones of the size that is delivered.
struct FrameGeometry: Hashable, Sendable {
    /// A part of a coded picture, as shares of its sides.
    struct Part: Hashable, Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// As coded, in pixels.
    let coded: PixelSize
    let pixelAspect: Rational
    let orientation: Orientation
    /// Upright, in square pixels: as a player would show the source.
    let displayed: PixelSize
    /// What is kept of a coded picture; nil for all.
    let part: Part?
    /// Upright, even, never larger than ``displayed``, but at least 2×2.
    let size: PixelSize

    /// `box`, turned for upright pictures, is more than all decoders can do.
    init(_ picture: VideoProperties, framing: Framing, box: PixelSize) {
        coded = picture.size
        pixelAspect = picture.pixelAspect
        orientation = picture.orientation
        displayed = picture.displayedSize
        let square = orientation.upright(displayed)
        let plan = framing.plan(for: square, orientation: orientation)
        let (width, height) = (Double(square.width), Double(square.height))
        let part = Part(
            x: plan.region.x / width, y: plan.region.y / height, width: plan.region.width / width,
            height: plan.region.height / height)
        self.part = part == Part(x: 0, y: 0, width: 1, height: 1) ? nil : part
        size = Self.fitted(orientation.upright(plan.output), into: box)
    }

    /// The size of the picture before it is turned.
    var stored: PixelSize { orientation.upright(size) }

    /// A size brought into a box, which turns with it, and made even.
    static func fitted(_ size: PixelSize, into box: PixelSize) -> PixelSize {
        Framing(screen: box, fit: .contain).plan(for: size, orientation: .upright).output.even
    }
}

extension PixelSize {
    /// Rounded down to even sides, as 4:2:0 needs them; at least 2×2.
    var even: PixelSize { PixelSize(width: max(2, width & ~1), height: max(2, height & ~1)) }
}
