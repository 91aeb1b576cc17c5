internal import WayreelDrawing

/// A lane of a plot and its channels.
struct PlotLane {
    enum Course {
        /// Upwards from the bottom of the lane or, if mirrored, from its middle.
        case up
        /// Downwards from the middle.
        case down
        /// Both ways from the middle.
        case both
    }

    struct Voice {
        let channel: Int
        let course: Course
    }

    let voices: [Voice]
    /// Whether 0 is in the middle.
    let isMirrored: Bool

    /// Returns the lanes for a number of channels. `risesOnly` determines whether unmirrored layouts extend from the
    /// bottom by default.
    static func lanes(_ layout: LevelsPlot.Layout, channelCount: Int, risesOnly: Bool) -> [PlotLane] {
        let course: Course = risesOnly ? .up : .both
        switch layout {
        case .split:
            return (0..<channelCount).map {
                PlotLane(voices: [Voice(channel: $0, course: course)], isMirrored: !risesOnly)
            }
        case .overlaid:
            let voices = (0..<channelCount).map { Voice(channel: $0, course: course) }
            return [PlotLane(voices: voices, isMirrored: !risesOnly)]
        case .mirrored:
            return stride(from: 0, to: channelCount, by: 2).map { first in
                let pair = [Voice(channel: first, course: .up), Voice(channel: first + 1, course: .down)]
                let single = [Voice(channel: first, course: .both)]
                return PlotLane(voices: first + 1 < channelCount ? pair : single, isMirrored: true)
            }
        }
    }
}

/// Vertical positions in a lane in pixels.
struct LaneHeights {
    let top: Double
    let bottom: Double
    /// Position of 0: a whole pixel.
    let zero: Double

    init(_ area: Rectangle, isMirrored: Bool) {
        (top, bottom) = (area.y, area.maxY)
        zero = isMirrored ? area.midY.rounded() : area.maxY
    }

    /// Returns the position of a fraction of the height: −1 at the bottom of a mirrored lane to 1 at the top.
    func y(_ share: Double) -> Double { zero - share * (share < 0 ? bottom - zero : zero - top) }
}
