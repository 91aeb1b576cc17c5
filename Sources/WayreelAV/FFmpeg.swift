internal import CFFmpeg
internal import WayreelCore

/// FFmpeg's libraries, loaded on first use.
enum FFmpeg {
    /// What is needed beside libavcodec and libavutil.
    enum Part {
        case scaler, formats, resampler, filters

        fileprivate var package: String {
            switch self {
            case .scaler: "libswscale\(LIBSWSCALE_VERSION_MAJOR)"
            case .formats: "libavformat\(LIBAVFORMAT_VERSION_MAJOR)"
            case .filters: "libavfilter\(LIBAVFILTER_VERSION_MAJOR)"
            case .resampler: "libswresample\(LIBSWRESAMPLE_VERSION_MAJOR)"
            }
        }

        fileprivate func load() -> UnsafePointer<CChar>? {
            switch self {
            case .scaler: ffmpeg_scaler_load()
            case .formats: ffmpeg_formats_load()
            case .filters: ffmpeg_filters_load()
            case .resampler: ffmpeg_resampler_load()
            }
        }
    }

    /// Throws an `io` error where they are not installed.
    static func load(_ part: Part, step: String) throws(MediaError) {
        try SharedLibrary.check(
            ffmpeg_codecs_load() ?? part.load(), "FFmpeg",
            packages: "libavcodec\(LIBAVCODEC_VERSION_MAJOR) \(part.package)", step: step)
    }

    /// The first error that FFmpeg has logged on this thread since `forgetLog`, without spaces around it and a full stop.
    static var firstLogged: String? {
        var text = Substring(String(cString: ffmpeg_log_first()))
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        text = text.drop(while: \.isWhitespace)
        return text.isEmpty ? nil : String(text)
    }

    static func forgetLog() { ffmpeg_log_reset() }

    /// Throws a `kind` error for a negative return code, with what was logged or else what the code means.
    static func check(
        _ code: Int32, _ kind: MediaError.Kind, step: String, subject: String
    ) throws(MediaError) {
        guard code < 0 else { return }
        throw MediaError(kind, step: step, reason: "\(subject): \(firstLogged ?? meaning(of: code))")
    }

    static func meaning(of code: Int32) -> String {
        var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        _ = av_strerror(code, &text, text.count)
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.lowercased()
    }
}
