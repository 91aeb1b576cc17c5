internal import WayreelCore

/// A frame of an animation, as its file describes it before anything is decoded.
struct AnimationFrame {
    /// What becomes of the frame's area before the next frame is drawn.
    enum Disposal {
        /// The frame stays.
        case keep
        /// The area becomes transparent.
        case clear
        /// What was there before the frame comes back.
        case restore
    }

    /// Where on the canvas the frame lies; it may reach beyond.
    let area: PixelRectangle
    /// Whether some of its pixels may be less than opaque.
    let hasAlpha: Bool
    /// Whether it is laid over what is there, not put in its stead.
    let blends: Bool
    let disposal: Disposal

    /// Whether the frame covers all of a canvas of `size`.
    func covers(_ size: PixelSize) -> Bool {
        area.columns.lowerBound == 0 && area.rows.lowerBound == 0 && area.columns.upperBound >= size.width
            && area.rows.upperBound >= size.height
    }
}

/// Frames that can be decoded each on its own.
protocol FrameSource: AnyObject {
    var frames: [AnimationFrame] { get }

    /// Decodes frame `index` and hands its rows to `use`, each with its number, counted from the frame's own top: red, green, blue
    /// and alpha (straight), with as many bits as the file's header says.
    ///
    /// Returns what is missing, as a share of the frame; rows that are missing are not handed out. Throws a `decoding` error where
    /// all are.
    func decode(_ index: Int, use: (_ y: Int, _ row: UnsafeRawPointer) -> Void) throws(MediaError) -> Damage?
}
