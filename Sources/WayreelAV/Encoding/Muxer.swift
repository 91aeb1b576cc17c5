internal import CFFmpeg
package import WayreelCore

/// Writes encoded streams into a file: FFmpeg's AVFormatContext, owned. Belongs to one thread at a time.
package final class Muxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    /// The output; nil if the muxer writes to memory.
    private let output: AtomicOutput?
    private var options: OpaquePointer?
    /// Seconds in a unit of the timestamps of written packets, by stream.
    private var timeBases: [Rational] = []
    /// Seconds that are added to the timestamps, by stream.
    private var offsets: [Double] = []

    /// Writes FFmpeg's format `format` (`mp4`), with options of its muxer (`movflags`), to `output`, which the caller
    /// finishes.
    package convenience init(
        _ format: String, options: [String: String] = [:], to output: AtomicOutput
    ) throws(MediaError) {
        try self.init(format, options, output)
        guard ffmpeg_write_to(context, output.descriptor) >= 0 else { throw Self.noMemory }
    }

    /// Writes to memory; ``takeBytes()`` returns the bytes.
    package convenience init(intoMemory format: String, options: [String: String] = [:]) throws(MediaError) {
        try self.init(format, options, nil)
        guard avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw Self.noMemory }
    }

    private static var noMemory: MediaError { MediaError(.limit, step: .write, reason: "no memory") }

    private init(_ format: String, _ options: [String: String], _ output: AtomicOutput?) throws(MediaError) {
        try SharedLibrary.libavformat.require(step: .write)
        var made: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&made, nil, format, nil) >= 0, let context = made else {
            throw MediaError(.unsupported, step: .write, reason: "this build of FFmpeg cannot write \(format)")
        }
        self.context = context
        self.output = output
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        for (key, value) in options { av_dict_set(&self.options, key, value, 0) }
    }

    deinit {
        av_dict_free(&options)
        if output == nil { _ = dropBytes() }
        ffmpeg_free_output(context)
    }

    /// Adds the stream of `encoder`, with `offset` seconds added to its timestamps. Returns its index.
    package func add(_ encoder: VideoEncoder, offset: Double = 0) throws(MediaError) -> Int {
        let stream = try addStream(encoder.settings.timeBase, offset: offset)
        try FFmpeg.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .encoding, step: .write,
            subject: "codec parameters")
        stream.pointee.avg_frame_rate = AVRational(encoder.settings.frameRate)
        return timeBases.count - 1
    }

    package func add(_ encoder: AudioEncoder) throws(MediaError) -> Int {
        let stream = try addStream(Rational(1, encoder.settings.sampleRate) ?? 1)
        try FFmpeg.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .encoding, step: .write,
            subject: "codec parameters")
        return timeBases.count - 1
    }

    /// Adds a copy of a stream of `file`. Returns its index.
    package func add(copyOf index: Int, of file: Demuxer) throws(MediaError) -> Int {
        let stream = try addStream(file.timeBase(of: index))
        let source = file.parameters(of: index)
        try FFmpeg.check(
            avcodec_parameters_copy(stream.pointee.codecpar, source), .encoding, step: .write,
            subject: "codec parameters")
        // The codec tag of the source container may denote another codec in this one.
        stream.pointee.codecpar.pointee.codec_tag = 0
        return timeBases.count - 1
    }

    func addStream(
        _ timeBase: Rational, offset: Double = 0
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else {
            throw MediaError(.limit, step: .write, reason: "no memory for a stream")
        }
        stream.pointee.time_base = AVRational(timeBase)
        timeBases.append(timeBase)
        offsets.append(offset)
        return stream
    }

    /// Sets the language of a stream by three letters (ISO 639-2), and its title.
    package func name(_ stream: Int, language: String?, title: String?) {
        let metadata = [("language", language), ("handler_name", title)]
        for (key, value) in metadata {
            if let value { av_dict_set(&context.pointee.streams[stream]!.pointee.metadata, key, value, 0) }
        }
    }

    /// Marks a stream as the default one of its kind.
    package func makeDefault(_ stream: Int) {
        context.pointee.streams[stream]!.pointee.disposition |= AV_DISPOSITION_DEFAULT
    }

    /// Sets the codec tag of a stream: `hvc1`.
    package func setTag(_ tag: String, of stream: Int) {
        let code = tag.utf8.prefix(4).enumerated().reduce(UInt32(0)) {
            $0 | UInt32($1.element) << (8 * UInt32($1.offset))
        }
        context.pointee.streams[stream]!.pointee.codecpar.pointee.codec_tag = code
    }

    /// FFmpeg's name of a stream's codec.
    package func codec(of stream: Int) -> String {
        String(cString: avcodec_get_name(context.pointee.streams[stream]!.pointee.codecpar.pointee.codec_id))
    }

    /// Returns the codec configuration of a stream (FFmpeg's extradata).
    package func extraData(of stream: Int) -> [UInt8] { context.pointee.streams[stream]!.pointee.codecpar.extraData }

    /// Sets an option of the muxer, before ``begin()``.
    package func set(_ option: String, to value: String) { av_dict_set(&options, option, value, 0) }

    /// Writes the header. Call it once, after adding all streams.
    package func begin() throws(MediaError) {
        FFmpeg.forgetLog()
        try check(avformat_write_header(context, &options))
    }

    /// Writes the next packet of a stream, in decoding order, and releases its data. Packets of several streams are
    /// interleaved.
    package func write(_ packet: Packet, stream: Int) throws(MediaError) {
        prepare(packet, stream)
        try check(av_interleaved_write_frame(context, packet.pointer))
    }

    /// Writes the next packet of a stream before all packets that are waiting to be interleaved.
    package func writeAtOnce(_ packet: Packet, stream: Int) throws(MediaError) {
        prepare(packet, stream)
        try check(av_write_frame(context, packet.pointer))
    }

    /// Converts the times of a packet to those of its stream in the file.
    private func prepare(_ packet: Packet, _ stream: Int) {
        packet.stream = stream
        let timeBase = Rational(timeBase: context.pointee.streams[stream]!.pointee.time_base)
        packet.rescale(from: timeBases[stream], to: timeBase)
        packet.delay(by: Int64(exactly: (offsets[stream] / timeBase.value).rounded()) ?? 0)
        FFmpeg.forgetLog()
    }

    /// Ends a fragment of a fragmented file.
    package func flushFragment() throws(MediaError) {
        try check(av_interleaved_write_frame(context, nil))
        try check(av_write_frame(context, nil))
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error)
    }

    /// Takes the bytes that were written to memory since the last call.
    package func takeBytes() throws(MediaError) -> [UInt8] {
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error)
        let bytes = dropBytes()
        guard avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw Self.noMemory }
        return bytes
    }

    private func dropBytes() -> [UInt8] {
        guard context.pointee.pb != nil else { return [] }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = avio_close_dyn_buf(context.pointee.pb, &bytes)
        context.pointee.pb = nil
        defer { av_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Writes the trailer, or moves the index to the front.
    package func finish() throws(MediaError) {
        FFmpeg.forgetLog()
        try check(av_write_trailer(context))
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error)
    }

    private func check(_ status: Int32) throws(MediaError) {
        guard status < 0 else { return }
        // An error of the file system causes other errors.
        let system = context.pointee.pb?.pointee.error ?? 0
        if let output {
            if system < 0, system > -200 { throw output.fault(-system) }
            if status > -200, status != ffmpeg_bad_argument, status != ffmpeg_no_memory { throw output.fault(-status) }
        }
        throw MediaError(
            .encoding, step: .write, reason: "FFmpeg's muxer: \(FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))")
    }

    /// The time base of timed text, in seconds.
    package static let textTimeBase = Rational(1, 1000) ?? 1

    /// Adds a stream of timed text (`tx3g`) whose sample description starts with `description`. Returns its index.
    package func addText(_ description: [UInt8]) throws(MediaError) -> Int {
        let stream = try addStream(Self.textTimeBase)
        guard let memory = av_malloc(description.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw MediaError(.limit, step: .write, reason: "no memory for a stream")
        }
        memory.initializeMemory(
            as: UInt8.self, repeating: 0, count: description.count + Int(AV_INPUT_BUFFER_PADDING_SIZE))
        description.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        let parameters = stream.pointee.codecpar!
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(clamping: description.count)
        return Int(stream.pointee.index)
    }

    /// Adds chapters, before ``begin()``.
    package func set(_ chapters: [MediaChapter]) throws(MediaError) {
        for chapter in chapters {
            guard let start = Int64(exactly: (chapter.start * 1000).rounded()),
                let end = Int64(exactly: (chapter.end * 1000).rounded())
            else { throw MediaError(.parameter, step: .write, reason: "a chapter has impossible times") }
            let status = ffmpeg_add_chapter(context, start, end, chapter.title ?? "")
            guard status >= 0 else { throw MediaError(.limit, step: .write, reason: "no memory for a chapter") }
        }
    }
}
