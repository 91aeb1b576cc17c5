internal import CFFmpeg
internal import WayreelCore

/// The libavformat interface to an input file: an AVIOContext, owned.
final class InputIOContext {
    let pointer: UnsafeMutablePointer<AVIOContext>
    private let state: State

    /// Bytes that FFmpeg reads in place of the file's.
    var replacements: [ByteReplacement] {
        get { state.replacements }
        set { state.replacements = newValue }
    }

    /// The state of the callbacks, which outlives the AVIOContext.
    private final class State {
        let file: InputFile
        /// The first error of the file. The callbacks can only return a code.
        var failure: MediaError?
        var replacements: [ByteReplacement] = []

        init(_ file: InputFile) { self.file = file }

        func read(into memory: UnsafeMutablePointer<UInt8>, count: Int32) -> Int32 {
            do throws(MediaError) {
                let start = file.position
                let got = try file.read(into: memory, count: Int(count))
                for replacement in replacements {
                    for (index, byte) in zip(replacement.offset..., replacement.bytes) {
                        if (start..<start + got).contains(index) { memory[index - start] = byte }
                    }
                }
                return got == 0 ? ffmpeg_end : Int32(got)
            } catch {
                failure = failure ?? error
                return error.kind == .io ? ffmpeg_io_error : ffmpeg_exit
            }
        }

        func seek(to offset: Int64, whence: Int32) -> Int64 {
            guard let size = file.size else {
                // FFmpeg would use an error code as the length, for example to reject a LAME tag.
                return whence & AVSEEK_SIZE != 0 ? 0 : Int64(ffmpeg_no_such_call)
            }
            let origin: Int64
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return Int64(size)
            case 0: origin = 0
            case 1: origin = Int64(file.position)
            case 2: origin = Int64(size)
            default: return Int64(ffmpeg_bad_argument)
            }
            let (target, overflow) = origin.addingReportingOverflow(offset)
            guard !overflow, target >= 0, target < 1 << 62 else { return Int64(ffmpeg_bad_argument) }
            file.seek(to: Int(target))
            return target
        }
    }

    private static let bufferSize: Int32 = 1 << 16

    init(_ file: InputFile) throws(MediaError) {
        state = State(file)
        let opaque = Unmanaged.passUnretained(state).toOpaque()
        let buffer = av_malloc(Int(Self.bufferSize))
        let context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, opaque,
            { opaque, memory, count in
                Unmanaged<State>.fromOpaque(opaque!).takeUnretainedValue().read(into: memory!, count: count)
            }, nil,
            { opaque, offset, whence in
                Unmanaged<State>.fromOpaque(opaque!).takeUnretainedValue().seek(to: offset, whence: whence)
            })
        guard buffer != nil, let context else {
            var context = context
            avio_context_free(&context)
            av_free(buffer)
            throw MediaError(.limit, step: "read", subject: file.name, reason: "no memory")
        }
        context.pointee.seekable = file.size == nil ? 0 : AVIO_SEEKABLE_NORMAL
        pointer = context
    }

    deinit {
        // FFmpeg may have replaced the buffer.
        av_freep(&pointer.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&context)
    }

    /// Throws the error that stopped reading, if any.
    func check() throws(MediaError) {
        if let failure = state.failure { throw failure }
    }
}
