internal import CFFmpeg
internal import WayreelCore

/// A sound file as libavformat reads it: an AVIOContext, owned.
final class InputIOContext {
    let context: UnsafeMutablePointer<AVIOContext>
    private let state: State

    /// What the callbacks need; outlives the context.
    private final class State {
        let file: InputFile
        /// What the file threw, where only a code could be passed on.
        var failure: MediaError?

        init(_ file: InputFile) { self.file = file }

        func read(into memory: UnsafeMutablePointer<UInt8>, count: Int32) -> Int32 {
            do throws(MediaError) {
                let got = try file.read(into: memory, count: Int(count))
                return got == 0 ? ffmpeg_end : Int32(got)
            } catch {
                failure = failure ?? error
                return error.kind == .io ? ffmpeg_io_error : ffmpeg_exit
            }
        }

        func seek(to offset: Int64, whence: Int32) -> Int64 {
            guard let size = file.size else {
                // FFmpeg takes an error for a length and then, beside others, a LAME tag for that of another file.
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
            let (target, isOver) = origin.addingReportingOverflow(offset)
            guard !isOver, target >= 0, target < 1 << 62 else { return Int64(ffmpeg_bad_argument) }
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
            throw MediaError(.limit, step: "read", subject: file.name, reason: "no memory")
        }
        context.pointee.seekable = file.size == nil ? 0 : AVIO_SEEKABLE_NORMAL
        self.context = context
    }

    deinit {
        // The buffer may be another than the one that was handed in.
        av_freep(&context.pointee.buffer)
        var context: UnsafeMutablePointer<AVIOContext>? = self.context
        avio_context_free(&context)
    }

    /// Throws what stopped the reading of the file, if anything did.
    func check() throws(MediaError) {
        if let failure = state.failure { throw failure }
    }
}
