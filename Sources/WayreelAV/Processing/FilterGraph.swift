internal import CFFmpeg
package import WayreelCore

/// Filters the frames of a stream: FFmpeg's AVFilterGraph, owned. Belongs to one thread at a time.
///
/// The graph is configured for the first frame, and again whenever size or format change.
package final class FilterGraph: MediaStage, @unchecked Sendable {
    /// Seconds in a unit of the timestamps of input and output frames.
    package let timeBase: Rational
    private let description: String
    private let frameRate: Rational?
    private let threads: Int
    /// The graph of the current format, after those of former formats that hold outputs.
    private var graphs: [Configured] = []
    package private(set) var hasEnded = false
    private let task: TaskContext?

    /// `description` is in FFmpeg's notation: `scale=960:540,format=yuv420p`.
    package init(
        _ description: String, timeBase: Rational, frameRate: Rational? = nil, threads: Int = 1,
        task: TaskContext? = nil
    ) throws(MediaError) {
        try FFmpeg.load(.filters, step: .filter)
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
                throw MediaError(.limit, step: .filter, reason: "no memory for filters")
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
                throw MediaError(.limit, step: .filter, reason: "no memory for filters")
            }
            (ends.pointee.name, ends.pointee.filter_ctx) = (av_strdup("in"), source)
            (starts.pointee.name, starts.pointee.filter_ctx) = (av_strdup("out"), sink)
            try check(avfilter_graph_parse_ptr(graph, description, &inputs, &outputs, nil), description)
            try check(avfilter_graph_config(graph, nil), description)
        }

        deinit { avfilter_graph_free(&graph) }

        func send(_ frame: Frame?) throws(MediaError) {
            try FFmpeg.check(
                av_buffersrc_add_frame_flags(source, frame?.pointer, 0), .decoding, step: .filter,
                subject: "FFmpeg's filters")
        }

        func next(_ timeBase: Rational) throws(MediaError) -> Frame? {
            let frame = try Frame()
            let status = av_buffersink_get_frame(sink, frame.pointer)
            if status == ffmpeg_again || status == ffmpeg_end { return nil }
            try FFmpeg.check(status, .decoding, step: .filter, subject: "FFmpeg's filters")
            if frame.pointer.pointee.pts != ffmpeg_no_pts {
                frame.pointer.pointee.pts = av_rescale_q(
                    frame.pointer.pointee.pts, av_buffersink_get_time_base(sink), AVRational(timeBase))
            }
            return frame
        }

        private func check(_ status: Int32, _ description: String) throws(MediaError) {
            try FFmpeg.check(status, .unsupported, step: .filter, subject: "FFmpeg's filters '\(description)'")
        }
    }

    /// Sends a frame, or nil at the end of the stream.
    package func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        let format = frame.map(Format.init)
        if let last = graphs.last, last.format != format { try last.send(nil) }
        guard let frame, let format else { return }
        if graphs.last?.format != format {
            graphs.append(try Configured(format, description, timeBase, frameRate, threads: threads))
        }
        // The graph takes ownership of the reference.
        try graphs.last?.send(frame.copy())
    }

    /// Returns the next filtered frame.
    package func next() throws(MediaError) -> Frame? {
        while let graph = graphs.first {
            try task?.check()
            if let frame = try graph.next(timeBase) { return frame }
            guard graphs.count > 1 || hasEnded else { return nil }
            graphs.removeFirst()
        }
        return nil
    }
}
