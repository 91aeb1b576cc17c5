internal import CFFmpeg
package import WayreelCore

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
    static func load(_ part: Part, step: MediaError.Step) throws(MediaError) {
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
        _ code: Int32, _ kind: MediaError.Kind, step: MediaError.Step, subject: String
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

/// Loads FFmpeg's libraries ahead of their first use, while the calling thread does something else.
package enum FFmpegPreload {
    package enum Purpose: Sendable {
        /// Decoding images: libavcodec, libswscale.
        case images
        /// Reading audio and video: libavcodec, libavformat.
        case media
    }

    /// Starts to load the libraries on another thread. Their first use waits until they are loaded, and reports those
    /// that are not installed.
    package static func start(for purpose: Purpose) {
        try? WorkThread.startDetached("load") {
            guard ffmpeg_codecs_load() == nil else { return }
            switch purpose {
            case .images: _ = ffmpeg_scaler_load()
            case .media: _ = ffmpeg_formats_load()
            }
        }
    }
}

/// The versions of FFmpeg's libraries that Wayreel was built for.
package enum FFmpegVersions {
    /// The versions by library: `libavcodec` is 59.37.100 in FFmpeg 5.1.
    package static let all: [String: String] = [
        "libavcodec": text(LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR, LIBAVCODEC_VERSION_MICRO),
        "libavfilter": text(LIBAVFILTER_VERSION_MAJOR, LIBAVFILTER_VERSION_MINOR, LIBAVFILTER_VERSION_MICRO),
        "libavformat": text(LIBAVFORMAT_VERSION_MAJOR, LIBAVFORMAT_VERSION_MINOR, LIBAVFORMAT_VERSION_MICRO),
        "libswscale": text(LIBSWSCALE_VERSION_MAJOR, LIBSWSCALE_VERSION_MINOR, LIBSWSCALE_VERSION_MICRO),
    ]

    /// The release of FFmpeg that the libraries are of: `5.1`.
    static let release =
        releases.last { $0.codecs <= (LIBAVCODEC_VERSION_MAJOR, LIBAVCODEC_VERSION_MINOR) }?.name ?? "4"

    /// The first versions of libavcodec in each release.
    private static let releases: [(codecs: (Int32, Int32), name: String)] = [
        ((59, 18), "5.0"), ((59, 37), "5.1"), ((60, 3), "6.0"), ((60, 31), "6.1"), ((61, 3), "7.0"), ((61, 19), "7.1"),
        ((62, 11), "8.0"),
    ]

    /// Loads the libraries and their dependencies: encoders, decoders.
    package static func load() throws(MediaError) {
        for part in FFmpeg.Part.allCases { try FFmpeg.load(part, step: .load) }
    }

    private static func text(_ major: Int32, _ minor: Int32, _ micro: Int32) -> String { "\(major).\(minor).\(micro)" }
}

extension AVRational {
    /// Converts to the nearest positive ratio whose terms fit into 32 bits.
    init(_ value: Rational) {
        self.init()
        if let n = Int32(exactly: value.numerator), let d = Int32(exactly: value.denominator) {
            (num, den) = (n, d)
        } else {
            av_reduce(&num, &den, Int64(value.numerator), Int64(value.denominator), Int64(Int32.max))
            if num <= 0 { (num, den) = (1, .max) }
        }
    }
}

extension Rational {
    /// Returns nil for a ratio that is not positive.
    init?(_ value: AVRational) { self.init(Int(value.num), Int(value.den)) }

    /// Converts a time base in seconds. A ratio that is not positive counts as one second.
    init(timeBase: AVRational) { self = Rational(timeBase) ?? 1 }
}

/// A stage of the media graph, with the contract of FFmpeg's decoders, filters and encoders: inputs are sent to it, and
/// its outputs are pulled.
package protocol MediaStage<Input, Output>: AnyObject {
    associatedtype Input
    associatedtype Output

    /// Whether the end of the input was sent.
    var hasEnded: Bool { get }

    /// Sends the next input, or nil at the end. The outputs of the previous input must have been pulled.
    func send(_ input: Input?) throws(MediaError)

    /// Returns the next output; nil if the stage needs another input or, after the end, has no more outputs.
    func next() throws(MediaError) -> Output?
}

extension MediaStage {
    /// Returns the next output, or nil at the end. Sends the inputs that it needs, which `source` returns in order and
    /// then nil.
    package func next(from source: () throws(MediaError) -> Input?) throws(MediaError) -> Output? {
        while true {
            if let output = try next() { return output }
            guard !hasEnded else { return nil }
            try send(try source())
        }
    }
}

extension MediaError.Step {
    package static let convert = MediaError.Step(rawValue: "convert")
    package static let encrypt = MediaError.Step(rawValue: "encrypt")
    package static let load = MediaError.Step(rawValue: "load")
    package static let quality = MediaError.Step(rawValue: "quality")
    package static let scale = MediaError.Step(rawValue: "scale")
}
