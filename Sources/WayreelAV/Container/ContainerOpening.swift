internal import CFFmpeg
internal import WayreelCore

/// Opening what FFmpeg reads, without ever opening anything else for it.
enum ContainerOpening {
    /// Bytes to be looked at for finding out what a file is, and microseconds of it.
    private static let probeSize: Int64 = 4 << 20
    private static let analyzeDuration: Int64 = 5_000_000

    /// How files begin that only name others: M3U and HLS, FFmpeg's concat script, SDP.
    private static let lists = ["#EXTM3U", "ffconcat", "v=0"].map { Array($0.utf8) }

    /// Reads the beginning of a file, as what it is or as the container `forced`. To be closed with ``close(_:)``.
    ///
    /// Throws a `decoding` error where it is none, an `unsupported` one where it is a list of others.
    static func open(
        _ io: InputIOContext, _ file: InputFile, as forced: String? = nil
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let context = avformat_alloc_context() else {
            throw MediaError(.limit, step: "read", subject: file.name, reason: "no memory")
        }
        context.pointee.pb = io.context
        context.pointee.probesize = probeSize
        context.pointee.max_analyze_duration = analyzeDuration
        ffmpeg_forbid_opening(context)
        // Freed by FFmpeg on failure.
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        let status = avformat_open_input(&opened, nil, forced.flatMap { av_find_input_format($0) }, &options)
        do throws(MediaError) { try io.check() } catch {
            if status >= 0 { avformat_close_input(&opened) }
            throw error
        }
        guard status >= 0, let opened else {
            try EncryptedStream.refuseUnopened(file)
            throw unknown(file, FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))
        }
        return opened
    }

    /// Seconds beyond which a gap is no gap but a jump of the clock, in containers of broadcasts, whose clock may start anew;
    /// nil in others, whose times mean what they say.
    static func maxTimestampGap(in container: String) -> Double? {
        ["mpegts", "mpeg", "mpegvideo"].contains(container) ? 10 : nil
    }

    /// Seconds of its own clock at which a part of a fragmented MP4 file begins at least. What is less may be the delay of a codec.
    private static let lateStart = 1.0

    /// When the streams of a fragmented MP4 file begin that is a part of a longer one, whose times it has kept; nil for any other
    /// file. `timed`: its audio and video.
    static func lateStart(_ container: String, _ timed: [UnsafeMutablePointer<AVStream>]) -> Timestamp? {
        let starts = timed.map(\.startTime)
        guard isMovie(container), !starts.contains(nil), let first = starts.compactMap(\.self).min(),
            timed.allSatisfy({ $0.pointee.nb_frames == 0 }), first.value >= lateStart
        else { return nil }
        return first
    }

    /// Whether FFmpeg's name of a container is that of MP4 and QuickTime.
    static func isMovie(_ container: String) -> Bool { container.hasPrefix("mov,") }

    static func close(_ context: UnsafeMutablePointer<AVFormatContext>) {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    static func unknown(_ file: InputFile, _ detail: String) -> MediaError {
        if let start = try? file.peek(8), lists.contains(where: start.starts) {
            return MediaError(
                .unsupported, step: "read", subject: file.name,
                reason: "is a list that only names other media; they are not opened",
                advice: "name the media themselves")
        }
        return MediaError(
            .decoding, step: "read", subject: file.name,
            reason: "\(Demuxer.unknown), or its beginning is damaged (\(detail))")
    }
}
