internal import CFFmpeg
package import WayreelCore

/// Filters the frames of a stream: FFmpeg's AVFilterGraph, owned. Belongs to one thread at a time.
///
/// The graph is configured for the first frame, and again whenever size or format change.
package final class FilterGraph: @unchecked Sendable {
    /// Seconds in a unit of the timestamps of input and output frames.
    package let timeBase: Rational
    private let description: String
    private let frameRate: Rational?
    private let threads: Int
    private var graph: Configured?
    private let task: TaskContext?

    /// `description` is in FFmpeg's notation: `scale=960:540,format=yuv420p`.
    package init(
        _ description: String, timeBase: Rational, frameRate: Rational? = nil, threads: Int = 1,
        task: TaskContext? = nil
    ) throws(MediaError) {
        try FFmpeg.load(.filters, step: "filter")
        self.description = description.isEmpty ? "null" : description
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.threads = threads
        self.task = task
    }

    /// The properties that all frames of one graph share.
    private struct Format: Equatable {
        var size: PixelSize
        var pixels: Int32
        var aspect: Rational?

        init(_ frame: Frame) {
            size = frame.size
            pixels = frame.pointer.pointee.format
            aspect = Rational(frame.pointer.pointee.sample_aspect_ratio)
        }
    }

    private final class Configured {
        let format: Format
        var graph: UnsafeMutablePointer<AVFilterGraph>?
        var source: UnsafeMutablePointer<AVFilterContext>?
        var sink: UnsafeMutablePointer<AVFilterContext>?

        init(
            _ format: Format, _ description: String, _ timeBase: Rational, _ frameRate: Rational?, threads: Int
        ) throws(MediaError) {
            self.format = format
            guard let graph = avfilter_graph_alloc() else {
                throw MediaError(.limit, step: "filter", reason: "no memory for filters")
            }
            self.graph = graph
            graph.pointee.nb_threads = Int32(clamping: threads)
            FFmpeg.forgetLog()
            let base = AVRational(timeBase)
            let aspect = format.aspect ?? 1
            var arguments =
                "video_size=\(format.size.width)x\(format.size.height):pix_fmt=\(format.pixels)"
                + ":time_base=\(base.num)/\(base.den):pixel_aspect=\(aspect.numerator)/\(aspect.denominator)"
            if let frameRate { arguments += ":frame_rate=\(frameRate.numerator)/\(frameRate.denominator)" }
            try check(
                avfilter_graph_create_filter(
                    &source, avfilter_get_by_name("buffer"), "in", arguments, nil, graph), description)
            try check(
                avfilter_graph_create_filter(&sink, avfilter_get_by_name("buffersink"), "out", nil, nil, graph),
                description)
            var outputs = avfilter_inout_alloc()
            var inputs = avfilter_inout_alloc()
            defer {
                avfilter_inout_free(&outputs)
                avfilter_inout_free(&inputs)
            }
            guard let ends = outputs, let starts = inputs else {
                throw MediaError(.limit, step: "filter", reason: "no memory for filters")
            }
            (ends.pointee.name, ends.pointee.filter_ctx) = (av_strdup("in"), source)
            (starts.pointee.name, starts.pointee.filter_ctx) = (av_strdup("out"), sink)
            try check(avfilter_graph_parse_ptr(graph, description, &inputs, &outputs, nil), description)
            try check(avfilter_graph_config(graph, nil), description)
        }

        deinit { avfilter_graph_free(&graph) }

        private func check(_ status: Int32, _ description: String) throws(MediaError) {
            try FFmpeg.check(status, .unsupported, step: "filter", subject: "FFmpeg's filters '\(description)'")
        }
    }

    /// Filters a frame, or for nil flushes the graph at the end of the stream, and emits the output.
    package func filter(
        _ frame: Frame?, _ body: (Frame) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let frame else { return try finish(body) }
        let format = Format(frame)
        if let graph, graph.format != format { try finish(body) }
        let current: Configured
        if let graph {
            current = graph
        } else {
            current = try Configured(format, description, timeBase, frameRate, threads: threads)
            graph = current
        }
        // The graph takes ownership of the reference.
        let reference = try frame.copy()
        try FFmpeg.check(
            av_buffersrc_add_frame_flags(current.source, reference.pointer, 0), .decoding, step: "filter",
            subject: "FFmpeg's filters")
        try drain(current, body)
    }

    private func finish(_ body: (Frame) throws(MediaError) -> Void) throws(MediaError) {
        guard let last = graph else { return }
        graph = nil
        try FFmpeg.check(
            av_buffersrc_add_frame_flags(last.source, nil, 0), .decoding, step: "filter", subject: "FFmpeg's filters")
        try drain(last, body)
    }

    private func drain(
        _ configured: Configured, _ body: (Frame) throws(MediaError) -> Void
    ) throws(MediaError) {
        while true {
            if let task { try task.check() }
            let frame = try Frame()
            let status = av_buffersink_get_frame(configured.sink, frame.pointer)
            if status == ffmpeg_again || status == ffmpeg_end { return }
            try FFmpeg.check(status, .decoding, step: "filter", subject: "FFmpeg's filters")
            let base = av_buffersink_get_time_base(configured.sink)
            if frame.pointer.pointee.pts != ffmpeg_no_pts {
                frame.pointer.pointee.pts = av_rescale_q(frame.pointer.pointee.pts, base, AVRational(timeBase))
            }
            try body(frame)
        }
    }
}
