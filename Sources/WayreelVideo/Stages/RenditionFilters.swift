internal import WayreelAV
internal import WayreelCore

/// Applies the filters of one rendition to frames that have passed the shared filters.
///
/// Frames that are only scaled bypass FFmpeg's filters, which are set up for the first other frame. Must be used from a
/// single thread at a time.
final class RenditionFilters: MediaStage {
    private let plan: RenditionPlan
    private let timeBase: Rational
    private let task: TaskContext
    private let scaler: ZimgScaler?
    private var graph: FilterGraph?
    /// A frame that was only scaled.
    private var scaled: Frame?
    private(set) var hasEnded = false

    init(_ plan: RenditionPlan, timeBase: Rational, task: TaskContext) throws(MediaError) {
        (self.plan, self.timeBase, self.task) = (plan, timeBase, task)
        if let from = plan.plainSource {
            scaler = try ZimgScaler(from: from, to: plan.size, b: FilterChains.cubic.b, c: FilterChains.cubic.c)
        } else {
            scaler = nil
        }
    }

    /// Sends a frame, or nil at the end.
    func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        scaled = try frame.flatMap { (frame) throws(MediaError) in try scaler?.scale(frame) }
        guard scaled == nil else {
            try graph?.send(nil)
            return
        }
        if graph == nil, frame != nil { graph = try FilterGraph(plan.chain, timeBase: timeBase, task: task) }
        try graph?.send(frame)
    }

    /// Returns the next filtered frame.
    func next() throws(MediaError) -> Frame? {
        if let frame = try graph?.next() { return frame }
        if graph?.hasEnded == true { graph = nil }
        defer { scaled = nil }
        return scaled
    }
}
