internal import WayreelCore

/// A frame of an animation as declared by its file.
struct AnimationFrame {
    /// The treatment of the frame's area before the next frame is drawn.
    enum Disposal {
        /// The frame stays.
        case keep
        /// The area becomes transparent.
        case clear
        /// The previous content is restored.
        case restore
    }

    /// Position on the canvas; may exceed it.
    let area: PixelRectangle
    /// Whether pixels may be transparent.
    let hasAlpha: Bool
    /// Whether it is blended with the canvas rather than replacing it.
    let blends: Bool
    let disposal: Disposal

    /// Returns whether the frame covers all of a canvas of `size`.
    func covers(_ size: PixelSize) -> Bool {
        area.columns.lowerBound == 0 && area.rows.lowerBound == 0 && area.columns.upperBound >= size.width
            && area.rows.upperBound >= size.height
    }
}

/// Provides frames that can be decoded independently.
protocol FrameSource: AnyObject {
    var frames: [AnimationFrame] { get }

    /// Decodes frame `index` and passes each row with its number in the frame to `use`: red, green, blue and straight
    /// alpha, with the bit depth of the header.
    ///
    /// Returns the missing fraction of the frame; missing rows are not passed. Throws a `decoding` error if all rows
    /// are missing.
    func decode(_ index: Int, use: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(MediaError) -> Damage?
}
