internal import CFFmpeg
internal import Glibc
internal import Synchronization
internal import WayreelCore

/// An encoder: FFmpeg's AVCodecContext, owned. Belongs to one thread at a time.
final class Encoder: MediaStage {
    let context: UnsafeMutablePointer<AVCodecContext>
    /// FFmpeg's name of the encoder.
    let name: String
    private(set) var hasEnded = false
    /// Whether the context is not freed, because freeing it would not return.
    private var isLeaked = false

    /// Opens the encoder that FFmpeg calls `name`. `configure` sets fields of the context before it is opened.
    ///
    /// Throws an `unsupported` error if FFmpeg lacks the encoder, a `parameter` error for an unknown option, an
    /// `encoding` error if it refuses the settings.
    init(
        named name: String, advice: MediaError.Advice? = nil, options: [String: String] = [:],
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError(
                .unsupported, step: .encode, reason: "this build of FFmpeg has no encoder \(name)", advice: advice)
        }
        guard let context = avcodec_alloc_context3(codec) else {
            throw MediaError(.limit, step: .encode, reason: "\(name): no memory")
        }
        // From here on, deinit frees the context, even if the initialiser throws.
        self.context = context
        self.name = name
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        configure(context)
        var settings: OpaquePointer?
        defer { av_dict_free(&settings) }
        for (key, value) in options { av_dict_set(&settings, key, value, 0) }
        FFmpeg.forgetLog()
        try check(try EncoderThreadPriority.keep { () throws(MediaError) in avcodec_open2(context, codec, &settings) })
        if let unknown = av_dict_get(settings, "", nil, AV_DICT_IGNORE_SUFFIX)?.pointee {
            throw MediaError(
                .parameter, step: .encode, reason: "\(name) has no option '\(String(cString: unknown.key))'")
        }
    }

    deinit {
        guard !isLeaked else { return }
        var context: UnsafeMutablePointer<AVCodecContext>? = self.context
        avcodec_free_context(&context)
    }

    func leak() { isLeaked = true }

    /// Sends a frame, or nil at the end of the stream.
    func send(_ frame: Frame?) throws(MediaError) {
        hasEnded = frame == nil
        let status = avcodec_send_frame(context, frame?.pointer)
        if status != ffmpeg_end { try check(status) }
    }

    /// Returns the next packet in decoding order.
    func next() throws(MediaError) -> Packet? {
        let packet = try Packet()
        let status = avcodec_receive_packet(context, packet.pointer)
        if status == ffmpeg_again || status == ffmpeg_end { return nil }
        try check(status)
        return packet
    }

    private func check(_ status: Int32) throws(MediaError) {
        if status == ffmpeg_no_memory {
            throw MediaError(.limit, step: .encode, reason: "\(name): no memory")
        }
        try FFmpeg.check(status, .encoding, step: .encode, subject: name)
    }
}

/// Prevents encoders from using real-time scheduling for their threads.
///
/// In a process of root, SVT-AV1 schedules the thread that opens it and its own threads in real time, which starves
/// other processes.
enum EncoderThreadPriority {
    private static let folder = "/proc/self/task"
    private static let openings = Atomic<UInt32>(0)

    /// Runs `body`, and resets the scheduling of the calling thread and of the threads that `body` has started. Other
    /// threads of the process are not changed.
    static func keep<Result>(_ body: () throws(MediaError) -> Result) throws(MediaError) -> Result {
        let name = ThreadName.current
        let (policy, priority) = current
        // Threads inherit the name of the thread that starts them. A unique name thus identifies the threads of this
        // encoder.
        let mark = "encoder-\(openings.wrappingAdd(1, ordering: .relaxed).newValue % 1_000_000)"
        defer {
            set(0, policy, priority)
            for thread in Directory.entries(of: folder) where threadName(thread) == mark {
                guard let number = pid_t(thread) else { continue }
                if sched_getscheduler(number) != SCHED_OTHER { set(number, SCHED_OTHER, 0) }
                rename(thread, to: name)
            }
        }
        return try ThreadName.inherited(mark, body)
    }

    private static var current: (policy: Int32, priority: Int32) {
        var parameters = sched_param()
        sched_getparam(0, &parameters)
        return (sched_getscheduler(0), parameters.sched_priority)
    }

    /// `thread` 0 is the calling thread.
    private static func set(_ thread: pid_t, _ policy: Int32, _ priority: Int32) {
        var parameters = sched_param()
        parameters.sched_priority = priority
        sched_setscheduler(thread, policy, &parameters)
    }

    private static func threadName(_ thread: String) -> String? {
        let file = open("\(folder)/\(thread)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        // A newline follows the name.
        return count > 0 ? String(decoding: bytes[..<(count - 1)], as: UTF8.self) : nil
    }

    private static func rename(_ thread: String, to name: String) {
        let file = open("\(folder)/\(thread)/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(name.utf8)
        _ = write(file, bytes, bytes.count)
    }
}
