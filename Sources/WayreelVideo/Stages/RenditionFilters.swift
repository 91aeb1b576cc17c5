internal import WayreelAV
internal import WayreelCore

/// Applies the filters of one rendition to frames that have passed the shared filters.
///
/// Frames that are only scaled bypass FFmpeg's filters, which are set up for the first other frame. Must be used from a
/// single thread at a time.
final class RenditionFilters {
    private let plan: RenditionPlan
    private let timeBase: Rational
    private let task: TaskContext
    private let scaler: ZimgScaler?
    private var graph: FilterGraph?

    init(_ plan: RenditionPlan, timeBase: Rational, task: TaskContext) throws(MediaError) {
        (self.plan, self.timeBase, self.task) = (plan, timeBase, task)
        if let from = plan.plainSource {
            scaler = try ZimgScaler(from: from, to: plan.size, b: FilterChains.cubic.b, c: FilterChains.cubic.c)
        } else {
            scaler = nil
        }
    }

    /// Filters a frame, and passes the results to `body`; nil flushes the filters.
    func filter(_ frame: Frame?, _ body: (Frame) throws(MediaError) -> Void) throws(MediaError) {
        if let frame, let scaled = try scaler?.scale(frame) {
            try graph?.filter(nil, body)
            graph = nil
            return try body(scaled)
        }
        if graph == nil, frame != nil { graph = try FilterGraph(plan.chain, timeBase: timeBase, task: task) }
        try graph?.filter(frame, body)
    }
}
