internal import WayreelCore

/// Reads a frame of an animation as displayed: composited on the canvas over earlier frames.
///
/// Decodes only the earlier frames that are still visible.
final class AnimationReader: WholeImageReader {
    let header: ImageHeader
    private(set) var damage: Damage?

    private let source: any FrameSource
    private let index: Int
    /// The first frame that is still visible.
    private let start: Int
    private let task: TaskContext
    var pixels: DecodedPixels?
    var nextRow = 0

    /// Reads frame `index` (from 0) of `source`. `header` describes the canvas; `task` is checked before each frame.
    init(_ source: any FrameSource, frame index: Int, header: ImageHeader, task: TaskContext) {
        self.source = source
        self.index = index
        self.task = task
        let (frames, size) = (source.frames, header.size)
        start =
            (0...index).last { i in
                frames[i].covers(size) && !(frames[i].hasAlpha && frames[i].blends)
                    || i > 0 && frames[i - 1].covers(size) && frames[i - 1].disposal == .clear
            } ?? 0
        var header = header
        header.layout = Self.isOpaque(frames[start...index], size) ? .rgb : .rgba
        self.header = header
    }

    /// Returns whether the last of `frames` is fully opaque when the first is drawn on an empty canvas.
    private static func isOpaque(_ frames: ArraySlice<AnimationFrame>, _ size: PixelSize) -> Bool {
        guard let first = frames.first, first.covers(size), !first.hasAlpha else { return false }
        return frames.dropFirst().allSatisfy { $0.blends || !$0.hasAlpha }
            && (frames.count == 1 || first.disposal == .keep)
            && frames.dropLast().allSatisfy { $0.disposal != .clear }
    }

    func decode(into canvas: DecodedPixels) throws(MediaError) {
        for i in start...index {
            try task.check()
            switch i == index ? .keep : source.frames[i].disposal {
            case .keep: try draw(i, on: canvas)
            case .clear: erase(i, on: canvas)
            case .restore: continue
            }
        }
    }

    private func draw(_ i: Int, on canvas: DecodedPixels) throws(MediaError) {
        let frame = source.frames[i]
        guard let visible = visible(frame) else { return }
        let pixelBytes = header.layout.components * header.rowBits / 8
        let (left, top, count) = (visible.columns.lowerBound * pixelBytes, visible.rows.lowerBound, visible.size.width)
        let (isWide, hasAlpha) = (header.rowBits == 16, header.layout == .rgba)
        let found = try source.decode(i) { y, row in
            guard y < visible.rows.count else { return }
            let target = canvas.row(top + y) + left
            if isWide {
                Self.composite(row, on: target, of: UInt16.self, count, blends: frame.blends, hasAlpha: hasAlpha)
            } else {
                Self.composite(row, on: target, of: UInt8.self, count, blends: frame.blends, hasAlpha: hasAlpha)
            }
        }
        guard let found else { return }
        let share = found.missingShare * Double(visible.size.pixels) / Double(header.size.pixels)
        if share >= damage?.missingShare ?? 0 {
            let name = source.frames.count > 1 ? "frame \(i + 1): " : ""
            damage = Damage(missingShare: share, description: name + found.description)
        }
    }

    private func erase(_ i: Int, on canvas: DecodedPixels) {
        guard let visible = visible(source.frames[i]) else { return }
        let pixelBytes = header.layout.components * header.rowBits / 8
        for y in visible.rows {
            let start = canvas.row(y) + visible.columns.lowerBound * pixelBytes
            start.initializeMemory(as: UInt8.self, repeating: 0, count: visible.columns.count * pixelBytes)
        }
    }

    /// Returns the part of a frame inside the canvas; nil if there is none.
    private func visible(_ frame: AnimationFrame) -> PixelRectangle? {
        let columns = frame.area.columns.clamped(to: 0..<header.size.width)
        let rows = frame.area.rows.clamped(to: 0..<header.size.height)
        return columns.isEmpty || rows.isEmpty ? nil : PixelRectangle(columns: columns, rows: rows)
    }

    /// Blends `count` pixels with straight alpha over others, with or without alpha.
    private static func composite<Component: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafeRawPointer, on canvas: UnsafeMutableRawPointer, of type: Component.Type, _ count: Int,
        blends: Bool,
        hasAlpha: Bool
    ) {
        let full = Int(Component.max)
        var from = row.assumingMemoryBound(to: type)
        var to = canvas.assumingMemoryBound(to: type)
        let components = hasAlpha ? 4 : 3
        for _ in 0..<count {
            let alpha = Int(from[3])
            if alpha == full || !blends {
                to.update(from: from, count: components)
            } else if alpha > 0 {
                // The contribution of the pixel below; an opaque canvas has no alpha component.
                let below = (hasAlpha ? Int(to[3]) : full) * (full - alpha)
                let sum = alpha * full + below
                for c in 0..<3 {
                    to[c] = Component((Int(from[c]) * alpha * full + Int(to[c]) * below + sum / 2) / sum)
                }
                if hasAlpha { to[3] = Component((sum + full / 2) / full) }
            }
            from += 4
            to += components
        }
    }
}

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
