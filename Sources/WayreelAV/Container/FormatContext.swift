internal import CFFmpeg
internal import WayreelCore

/// An open container and its input: FFmpeg's AVFormatContext, owned. FFmpeg opens no other file for it.
final class FormatContext {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let io: InputIOContext
    let file: InputFile

    /// The limits of streams and pixels. FFmpeg refuses excess before it allocates memory.
    private let limits: VideoLimits?

    /// Bytes of a header in which sizes are replaced.
    private static let headerLength = 1 << 16
    /// Max bytes, and microseconds, read to detect the format and the streams' parameters.
    private static let probeSize: Int64 = 4 << 20
    private static let analyzeDuration: Int64 = 5_000_000

    /// Reads the header of a file, in any container or only in the one that FFmpeg calls `format`.
    ///
    /// Throws a `decoding` error for an unknown or damaged container, an `unsupported` error for a playlist or an image
    /// in HEIF, a `limit` error beyond `limits`.
    init(
        _ io: InputIOContext, _ file: InputFile, as format: String? = nil, limits: VideoLimits? = nil
    ) throws(MediaError) {
        if let brand = try Self.imageBrand(of: file) { throw MediaError.image(brand).naming(file.name) }
        io.replacements = ByteReplacement.replacements(header: try file.peek(Self.headerLength))
        let first = try Self.open(io, file, format, limits)
        // Closed if it is not the one that is kept.
        var opened: UnsafeMutablePointer<AVFormatContext>? = first
        defer { avformat_close_input(&opened) }
        let tags = first.streams.compactMap(\.tag)
        let isReplaced = file.size != nil && !ISOTracks.replacedEntries.isDisjoint(with: tags)
        let replacements = isReplaced ? try ISOTracks(file).replacements() : []
        if replacements.isEmpty {
            (pointer, opened) = (first, nil)
        } else {
            avformat_close_input(&opened)
            io.replacements = replacements
            avio_flush(io.pointer)
            guard avio_seek(io.pointer, 0, 0) >= 0 else { throw Self.unknown(file, "it cannot be read again") }
            pointer = try Self.open(io, file, format, limits)
        }
        (self.io, self.file, self.limits) = (io, file, limits)
        // FFmpeg's decoder of JPEG XL does not return from some truncated images.
        if container == "jpegxl_pipe" { throw MediaError.image("JPEG XL").naming(file.name) }
        if ContainerTraits(demuxer: container).hasPCMLayout {
            try PCMLayoutRepair(file, container: container).apply(to: self)
        }
        try check()
    }

    /// Opens the container. The caller closes the context.
    private static func open(
        _ io: InputIOContext, _ file: InputFile, _ format: String?, _ limits: VideoLimits?
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        // With seeking, FFmpeg takes the last of several runs of samples for the only one. From a pipe, it reads all.
        let start = try file.peek(12)
        let isWave =
            ["RIFF", "RIFX", "RF64", "BW64"].contains { start.starts(with: $0.utf8) }
            && start.dropFirst(8).elementsEqual("WAVE".utf8)
        if isWave { io.pointer.pointee.seekable = 0 }
        guard let context = avformat_alloc_context() else {
            throw MediaError(.limit, step: .read, subject: file.name, reason: "no memory")
        }
        context.pointee.pb = io.pointer
        context.pointee.probesize = probeSize
        context.pointee.max_analyze_duration = analyzeDuration
        // One more than allowed, so that the excess is detected if a demuxer ignores streams beyond the limit.
        if let limits { context.pointee.max_streams = Int32(clamping: min(max(0, limits.streams), .max - 1) + 1) }
        ffmpeg_forbid_opening(context)
        // FFmpeg frees the context on failure.
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        let status = avformat_open_input(&opened, nil, format.flatMap { av_find_input_format($0) }, &options)
        do throws(MediaError) { try io.check() } catch {
            if status >= 0 { avformat_close_input(&opened) }
            throw error
        }
        guard status >= 0, let opened else {
            if isWave, file.size != nil { io.pointer.pointee.seekable = AVIO_SEEKABLE_NORMAL }
            if let limits, FFmpeg.firstLogged?.hasPrefix("Number of streams exceeds") == true {
                throw tooManyStreams(file, "more than \(limits.streams)", limits)
            }
            try EncryptedStream.refuseUnopened(file)
            throw unknown(file, FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))
        }
        return opened
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&context)
    }

    /// Reads packets ahead for the parameters that are missing in the container's header.
    func findStreamInfo() throws(MediaError) {
        var options = [OpaquePointer?](repeating: nil, count: Int(pointer.pointee.nb_streams))
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        let maxPixels = String(Decoder.maxPixels(for: limits?.pixels ?? VideoLimits.standard.pixels))
        for index in options.indices { av_dict_set(&options[index], "max_pixels", maxPixels, 0) }
        let status = avformat_find_stream_info(pointer, &options)
        try io.check()
        guard status >= 0 else { throw Self.unknown(file, FFmpeg.firstLogged ?? FFmpeg.meaning(of: status)) }
        try check()
    }

    /// Throws a `limit` error for more streams or larger frames than allowed.
    private func check() throws(MediaError) {
        guard let limits else { return }
        let streams = streams
        guard streams.count <= limits.streams else {
            throw Self.tooManyStreams(file, "\(streams.count)", limits)
        }
        // If a decoder refuses a frame for its size, the size remains unknown. The refused size may also be that of a
        // cover.
        let refusedSize = streams.contains(where: \.isCover) ? nil : FFmpeg.refusedSize
        for stream in streams where stream.isTimed {
            let parameters = stream.pointee.codecpar.pointee
            guard parameters.codec_type == AVMEDIA_TYPE_VIDEO else { continue }
            let known = PixelSize(width: Int(max(0, parameters.width)), height: Int(max(0, parameters.height)))
            let size = known.pixels > 0 ? known : refusedSize ?? known
            guard size.pixels <= limits.pixels else {
                throw MediaError(
                    .limit, code: .tooManyPixels, step: .read, subject: file.name,
                    reason: "its frames are \(size), \(size.pixels.inMegapixels); "
                        + "the limit is \(limits.pixels.inMegapixels)",
                    advice: "raise it with \(.maxPixels) if you trust the file")
            }
        }
    }

    private static func tooManyStreams(_ file: InputFile, _ count: String, _ limits: VideoLimits) -> MediaError {
        MediaError(
            .limit, step: .read, subject: file.name,
            reason: "has \(count) streams; the limit is \(limits.streams)")
    }

    /// FFmpeg's short name of the container.
    var container: String { String(cString: pointer.pointee.iformat.pointee.name) }

    var streams: [UnsafeMutablePointer<AVStream>] { pointer.streams }

    // MARK: Files that are not opened

    /// The major brands of images in HEIF (ISO/IEC 23008-12, annex B; AV1 Image File Format, 6). Their sequences are
    /// videos to FFmpeg, and have others.
    private static let imageBrands = ["heic": "HEIC", "heix": "HEIC", "mif1": "HEIF", "avif": "AVIF"]

    /// Returns the name of the format if `file` is an image in HEIF. FFmpeg knows only AVIF, as a video of one second.
    private static func imageBrand(of file: InputFile) throws(MediaError) -> String? {
        let start = try file.peek(12)
        guard start.count == 12, start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        return imageBrands[String(decoding: start[8...], as: UTF8.self)]
    }

    /// The beginnings of files that only refer to others: M3U and HLS, FFmpeg's concat script, SDP.
    private static let playlists = ["#EXTM3U", "ffconcat", "v=0"].map { Array($0.utf8) }

    /// Returns the error for a file that FFmpeg does not read, for the reason `detail`.
    static func unknown(_ file: InputFile, _ detail: String) -> MediaError {
        if let start = try? file.peek(8), playlists.contains(where: start.starts) {
            return MediaError(
                .unsupported, step: .read, subject: file.name,
                reason: "is a list that only names other media; they are not opened",
                advice: "name the media themselves")
        }
        return MediaError(
            .decoding, code: .unknownFormat, step: .read, subject: file.name,
            reason: "is not audio or video of a known format, or its beginning is damaged (\(detail))")
    }

    // MARK: Audio after other bytes

    /// Opens `file` or, if its beginning is not audio, the MPEG audio that starts later in it. Also returns the number
    /// of bytes before that.
    static func openSkippingLeadingBytes(
        _ io: InputIOContext, _ file: InputFile
    ) throws(MediaError) -> (context: FormatContext, skippedBytes: Int) {
        var opened: FormatContext?
        var failure: MediaError?
        do throws(MediaError) {
            let context = try FormatContext(io, file)
            if ContainerTraits(demuxer: context.container).hasNoSignature {
                failure = unknown(file, "its beginning is like \(context.container)")
            } else {
                if context.container != "mp3" { return (context, 0) }
                opened = context
            }
        } catch {
            failure = error
        }
        let mayStartLater = if opened == nil { failure?.kind == .decoding } else { try !MPEGAudioSync.begins(file) }
        guard mayStartLater, let offset = try MPEGAudioSync.find(in: file), offset > 0 else {
            if let opened { return (opened, 0) }
            throw failure ?? unknown(file, "nothing in it is like MPEG audio")
        }
        opened = nil
        file.drop(first: offset)
        avio_flush(io.pointer)
        guard avio_seek(io.pointer, 0, 0) >= 0 else { throw unknown(file, "it cannot be read again") }
        return (try FormatContext(io, file, as: "mp3"), offset)
    }
}

extension UnsafeMutablePointer<AVFormatContext> {
    fileprivate var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(pointee.nb_streams)).map { pointee.streams[$0]! }
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Whether the stream is audio or video, not a cover.
    var isTimed: Bool {
        let type = pointee.codecpar.pointee.codec_type
        return (type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_VIDEO) && !isCover
    }

    /// The four characters by which the container identifies the codec; nil if it does so in another way.
    var tag: String? {
        let bytes = withUnsafeBytes(of: pointee.codecpar.pointee.codec_tag.littleEndian) { Array($0) }
        return bytes.allSatisfy { (0x20..<0x7F).contains($0) } ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Whether the stream is a still image that represents the file.
    var isCover: Bool { pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

    /// The PTS of its first packet.
    var startTime: Timestamp? {
        pointee.start_time == ffmpeg_no_pts
            ? nil : Timestamp(pointee.start_time, in: Rational(timeBase: pointee.time_base))
    }
}
