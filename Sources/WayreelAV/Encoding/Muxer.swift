internal import CFFmpeg
package import WayreelCore

/// Puts encoded streams into a file: FFmpeg's AVFormatContext, owned. Belongs to one thread at a time.
package final class Muxer {
    let context: UnsafeMutablePointer<AVFormatContext>
    /// nil where it writes into memory.
    private let output: SeekableOutput?
    private var options: OpaquePointer?
    /// Seconds in a unit of the times of the packets that are handed in, for each stream.
    private var timeBases: [Rational] = []
    /// Seconds that are added to them.
    private var offsets: [Double] = []

    /// A file of FFmpeg's format `format` (`mp4`), with options of its muxer (`movflags`), into `output`, which the caller
    /// finishes.
    package convenience init(
        _ format: String, options: [String: String] = [:], to output: SeekableOutput
    ) throws(MediaError) {
        try self.init(format, options, output)
        guard ffmpeg_write_to(context, output.descriptor) >= 0 else { throw Self.noMemory }
    }

    /// Of which ``takeBytes()`` hands out what was written, piece by piece.
    package convenience init(intoMemory format: String, options: [String: String] = [:]) throws(MediaError) {
        try self.init(format, options, nil)
        guard avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw Self.noMemory }
    }

    private static var noMemory: MediaError { MediaError(.limit, step: "write", reason: "no memory") }

    private init(_ format: String, _ options: [String: String], _ output: SeekableOutput?) throws(MediaError) {
        try FFmpeg.load(.formats, step: "write")
        var made: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_alloc_output_context2(&made, nil, format, nil) >= 0, let context = made else {
            throw MediaError(.unsupported, step: "write", reason: "this build of FFmpeg cannot write \(format)")
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

    /// A stream that `encoder` makes, whose time 0 is at `offset` seconds. Returns its number.
    package func add(_ encoder: VideoEncoder, offset: Double = 0) throws(MediaError) -> Int {
        let stream = try addStream(encoder.settings.timeBase, offset: offset)
        try FFmpeg.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .encoding, step: "write",
            subject: "codec parameters")
        if let rate = encoder.settings.frameRate { stream.pointee.avg_frame_rate = AVRational(rate) }
        return timeBases.count - 1
    }

    package func add(_ encoder: AudioEncoder) throws(MediaError) -> Int {
        let stream = try addStream(Rational(1, encoder.settings.sampleRate) ?? 1)
        try FFmpeg.check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), .encoding, step: "write",
            subject: "codec parameters")
        return timeBases.count - 1
    }

    /// A stream that is taken over from `file` as it is.
    package func add(copyOf index: Int, of file: Demuxer) throws(MediaError) -> Int {
        let stream = try addStream(file.timeBase(of: index))
        let source = file.parameters(of: index)
        try FFmpeg.check(
            avcodec_parameters_copy(stream.pointee.codecpar, source), .encoding, step: "write",
            subject: "codec parameters")
        // The source container's own code for the codec may mean another in this one.
        stream.pointee.codecpar.pointee.codec_tag = 0
        return timeBases.count - 1
    }

    func addStream(
        _ timeBase: Rational, offset: Double = 0
    ) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else {
            throw MediaError(.limit, step: "write", reason: "no memory for a stream")
        }
        stream.pointee.time_base = AVRational(timeBase)
        timeBases.append(timeBase)
        offsets.append(offset)
        return stream
    }

    /// Names the language of a stream by three letters (ISO 639-2), and the stream itself.
    package func name(_ stream: Int, language: String?, title: String?) {
        let metadata = [("language", language), ("handler_name", title)]
        for (key, value) in metadata {
            if let value { av_dict_set(&context.pointee.streams[stream]!.pointee.metadata, key, value, 0) }
        }
    }

    /// Has players take a stream unless another of its kind is chosen.
    package func makeDefault(_ stream: Int) {
        context.pointee.streams[stream]!.pointee.disposition |= AV_DISPOSITION_DEFAULT
    }

    /// Sets the four-letter code that the container has for the codec of a stream, as `hvc1`.
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

    /// What the codec of a stream needs before its packets.
    package func extraData(of stream: Int) -> [UInt8] {
        let parameters = context.pointee.streams[stream]!.pointee.codecpar.pointee
        return Array(UnsafeBufferPointer(start: parameters.extradata, count: Int(max(0, parameters.extradata_size))))
    }

    /// Sets an option of the muxer, before it begins.
    package func set(_ option: String, to value: String) { av_dict_set(&options, option, value, 0) }

    /// To be called once, when all streams were added.
    package func begin() throws(MediaError) {
        FFmpeg.forgetLog()
        try check(avformat_write_header(context, &options))
    }

    /// Takes the next packet of a stream, in the order of decoding, and lets go of its data. Packets of several streams are
    /// put into order.
    package func write(_ packet: Packet, stream: Int) throws(MediaError) {
        packet.stream = stream
        let timeBase = Rational(context.pointee.streams[stream]!.pointee.time_base) ?? 1
        packet.rescale(from: timeBases[stream], to: timeBase)
        packet.delay(by: Int64((offsets[stream] / timeBase.value).rounded()))
        FFmpeg.forgetLog()
        try check(av_interleaved_write_frame(context, packet.pointer))
    }

    /// Ends a fragment of a fragmented file.
    package func flushFragment() throws(MediaError) {
        try check(av_interleaved_write_frame(context, nil))
        try check(av_write_frame(context, nil))
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error)
    }

    /// What was written into memory since the last time.
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

    /// Writes what stands at the end, or moves it to the front.
    package func finish() throws(MediaError) {
        FFmpeg.forgetLog()
        try check(av_write_trailer(context))
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error)
    }

    private func check(_ status: Int32) throws(MediaError) {
        guard status < 0 else { return }
        // What the file system says comes first.
        let system = context.pointee.pb?.pointee.error ?? 0
        if let output {
            if system < 0, system > -200 { throw output.fault(-system) }
            if status > -200, status != ffmpeg_bad_argument, status != ffmpeg_no_memory { throw output.fault(-status) }
        }
        throw MediaError(
            .encoding, step: "write", reason: "FFmpeg's muxer: \(FFmpeg.firstLogged ?? FFmpeg.meaning(of: status))")
    }
}
