internal import WayreelCore
internal import WayreelImage

/// The conversion of coded frames to upright frames of the output's size.
struct FrameGeometry: Hashable, Sendable {
    /// A region of a coded frame, in fractions of its sides.
    struct Part: Hashable, Sendable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The coded size in pixels.
    let coded: PixelSize
    let pixelAspect: Rational
    let orientation: Orientation
    /// The displayed size of the source: upright, in square pixels.
    let displayed: PixelSize
    /// The part of a coded frame that is kept; nil: all of it.
    let part: Part?
    /// The output's size: upright, even, never larger than ``displayed``, and at least 2×2.
    let size: PixelSize

    /// `box`: the largest size that decoders support, turned for portrait frames.
    init(_ video: VideoProperties, framing: Framing, box: PixelSize) {
        coded = video.size
        pixelAspect = video.pixelAspect
        orientation = video.orientation
        displayed = video.displayedSize
        let square = orientation.upright(displayed)
        let plan = framing.plan(for: square, orientation: orientation)
        let (width, height) = (Double(square.width), Double(square.height))
        let part = Part(
            x: plan.region.x / width, y: plan.region.y / height, width: plan.region.width / width,
            height: plan.region.height / height)
        self.part = part == Part(x: 0, y: 0, width: 1, height: 1) ? nil : part
        size = Self.fitted(orientation.upright(plan.output), into: box)
    }

    /// The output's size before rotation.
    var stored: PixelSize { orientation.upright(size) }

    /// Returns a size fitted into a box, which is rotated to match, rounded to even sides.
    static func fitted(_ size: PixelSize, into box: PixelSize) -> PixelSize {
        Framing(screen: box, fit: .contain).plan(for: size, orientation: .upright).output.even
    }
}

extension PixelSize {
    /// The size rounded down to even sides, as 4:2:0 requires; at least 2×2.
    var even: PixelSize { PixelSize(width: max(2, width & ~1), height: max(2, height & ~1)) }
}
