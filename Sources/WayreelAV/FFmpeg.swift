internal import CFFmpeg
internal import WayreelCore

/// FFmpeg's libraries, loaded on first use, and their log messages.
enum FFmpeg {
    /// A library beside libavcodec and libavutil.
    enum Part: CaseIterable {
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

    /// Throws an `io` error if they are not installed.
    static func load(_ part: Part, step: String) throws(MediaError) {
        try SharedLibrary.check(
            ffmpeg_codecs_load() ?? part.load(), "FFmpeg",
            packages: "libavcodec\(LIBAVCODEC_VERSION_MAJOR) \(part.package)", step: step)
    }

    /// The first error that FFmpeg has logged on this thread since ``forgetLog()``: the part of its first line that is
    /// intended for users.
    static var firstLogged: String? { forUsers(String(cString: ffmpeg_log_first())) }

    /// Returns the first line of `message` without remarks for FFmpeg's developers; nil if nothing is left.
    static func forUsers(_ message: String) -> String? {
        let lines = message.replacing("\\n", with: "\n").split(whereSeparator: \.isNewline)
        guard var text = lines.first(where: { $0.contains { !$0.isWhitespace } }) else { return nil }
        for phrase in forDevelopers {
            if let found = text.lowercased().firstRange(of: phrase) {
                text = text.prefix(text.lowercased().distance(from: text.lowercased().startIndex, to: found.lowerBound))
            }
        }
        while let last = text.last, last.isWhitespace || ".,;:-(".contains(last) { text.removeLast() }
        text = text.drop(while: \.isWhitespace)
        return text.isEmpty ? nil : String(text)
    }

    /// Lower-case prefixes of remarks for FFmpeg's developers.
    private static let forDevelopers = [
        "patches welcome", "patch welcome", "patches are welcome", "trying to decode anyway", "trying anyway",
        "if you want to help", "update your ffmpeg version", "please report", "please contact", "please upload",
        "consider uploading",
    ]

    static func forgetLog() { ffmpeg_log_reset() }

    /// The frame size that FFmpeg refused to decode, which it reports only in its log.
    static var refusedSize: PixelSize? {
        guard let log = firstLogged, log.hasPrefix("Picture size ") else { return nil }
        return PixelSize(log.dropFirst("Picture size ".count).prefix { $0 != " " })
    }

    /// Throws a `kind` error for a negative return code, with the logged error or else the meaning of the code.
    static func check(
        _ code: Int32, _ kind: MediaError.Kind, step: String, subject: String
    ) throws(MediaError) {
        guard code < 0 else { return }
        throw MediaError(kind, step: step, reason: "\(subject): \(firstLogged ?? meaning(of: code))")
    }

    static func meaning(of code: Int32) -> String {
        var text = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        _ = av_strerror(code, &text, text.count)
        let meaning = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return forUsers(meaning)?.lowercased() ?? "error \(code)"
    }
}
