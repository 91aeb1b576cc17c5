internal import CFFmpeg
internal import CLinux
internal import Glibc
internal import WayreelCore

/// The bytes of an open file or pipe, from the position at which it was opened.
///
/// Waiting for a pipe ends when the task is cancelled or exceeds its time limit.
final class InputFile {
    let name: String
    /// The size in bytes; nil for a pipe, which is read once from beginning to end.
    private(set) var size: Int?
    private(set) var descriptor: Int32
    /// Whether the input is a regular file, not a spooled pipe.
    private(set) var isRegular = false
    /// The offset of the first byte in the open file.
    private var base = 0
    private(set) var position = 0
    /// The first bytes of a pipe, read ahead for its signature, or the whole content of an input in memory.
    private var head: [UInt8] = []
    /// The first bytes that were read of a pipe, and how many are kept at most.
    private var kept: [UInt8] = []
    private var keptLength = InputFile.maxKeptLength
    private let maxSpooledBytes: Int
    let task: TaskContext

    /// Throws an `io` error if it cannot be read (missing, a folder, no permission), a `decoding` error if it is empty,
    /// a `limit` error for a pipe of more than `maxSpooledBytes` whose format needs seeking.
    init(
        _ input: MediaInput, maxSpooledBytes: Int = SpooledInput.maxBytes, task: TaskContext
    ) throws(MediaError) {
        name = input.name
        self.maxSpooledBytes = maxSpooledBytes
        self.task = task
        if case .bytes(let bytes, _) = input {
            (descriptor, head, size) = (-1, bytes, bytes.count)
            guard !bytes.isEmpty else { throw fault(.decoding, "the file is empty") }
            return
        }
        if let path = input.path {
            guard !path.utf8.contains(0) else {
                throw MediaError(.io, step: .read, subject: path, reason: "the path holds a NUL byte")
            }
            // Without O_NONBLOCK, opening a named pipe without a writer could not be cancelled.
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        } else {
            descriptor = fcntl(0, F_DUPFD_CLOEXEC, 0)
        }
        guard descriptor >= 0 else {
            throw fault(.io, code: errno == ENOENT ? .notFound : nil, systemReason(errno))
        }
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(descriptor: descriptor) } catch {
            throw fault(.io, systemReason(error.code))
        }
        switch status.kind {
        case .directory: throw fault(.io, "is a directory", "name the files in it")
        case .file:
            isRegular = true
            // The shell may already have read a part of standard input.
            base = max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
            size = max(0, status.byteCount - base)
        default:
            head = try next(Self.signatureLength)
            position = 0
            if Self.needsSeeking(head) { try spool() }
        }
        guard size ?? head.count > 0 else { throw fault(.decoding, "the file is empty") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private var fault: ErrorSite { ErrorSite(.io, step: .read, subject: name) }

    /// Reads up to `count` bytes: the available ones, at least one. Returns 0 at the end.
    func read(into memory: UnsafeMutableRawPointer, count: Int) throws(MediaError) -> Int {
        try task.check()
        if position < head.count {
            let got = min(count, head.count - position)
            head.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress! + position, byteCount: got) }
            position += got
            return got
        }
        guard descriptor >= 0 else { return 0 }
        while true {
            if size == nil {
                do throws(MediaError) { try awaitInput(descriptor, task) } catch { throw error.naming(name) }
            }
            let got =
                size == nil
                ? Glibc.read(descriptor, memory, count) : pread(descriptor, memory, count, off_t(base + position))
            if got >= 0 {
                if size == nil { keep(UnsafeRawBufferPointer(start: memory, count: got)) }
                position += got
                return got
            }
            guard errno == EINTR || errno == EAGAIN else {
                throw fault(.io, code: MediaError.Code(disk: errno), systemReason(errno))
            }
        }
    }

    /// Moves the next read to byte `offset`. Requires a known ``size``.
    func seek(to offset: Int) { position = offset }

    /// Excludes the first `count` bytes from what is read and counted. Requires a known ``size``.
    func drop(first count: Int) {
        base += count
        size = size.map { $0 - count }
        position = 0
    }

    /// Returns `count` bytes from `offset`, or fewer if the file ends earlier. Requires a known ``size``. The position
    /// is kept, because FFmpeg continues there.
    func bytes(at offset: Int, count: Int) throws(MediaError) -> [UInt8] {
        let start = position
        defer { position = start }
        position = offset
        return try next(count)
    }

    /// Returns the first `count` bytes without moving. Of a pipe, only those that were already read, at most
    /// ``keptLength``: 64 KiB once the input is open.
    func peek(_ count: Int) throws(MediaError) -> [UInt8] {
        size == nil ? Array(kept.prefix(count)) : try bytes(at: 0, count: count)
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        kept += bytes.prefix(max(0, keptLength - kept.count))
    }

    /// Returns the same bytes with a position of their own; nil for a pipe, which is read once.
    func reopened() throws(MediaError) -> InputFile? {
        guard size != nil else { return nil }
        let copy = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : -1
        guard copy >= 0 || descriptor < 0 else { throw fault(.io, systemReason(errno)) }
        return InputFile(self, descriptor: copy)
    }

    private init(_ original: InputFile, descriptor: Int32) {
        (name, task, maxSpooledBytes) = (original.name, original.task, original.maxSpooledBytes)
        (size, base, head, isRegular) = (original.size, original.base, original.head, original.isRegular)
        self.descriptor = descriptor
    }

    private func next(_ count: Int) throws(MediaError) -> [UInt8] {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        defer { memory.deallocate() }
        var done = 0
        while done < count {
            let got = try read(into: memory.baseAddress! + done, count: count - done)
            if got == 0 { break }
            done += got
        }
        return Array(memory.prefix(done))
    }

    // MARK: Pipes that hold a file which needs seeking

    private static let signatureLength = 128
    /// Max bytes that are kept until the input is open: what FFmpeg reads to find its streams, and more.
    private static let maxKeptLength = 8 << 20
    private static let spoolBufferSize = 1 << 18

    /// The signature of WTV, recordings of Windows Media Center.
    private static let wtv: [UInt8] = [0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11]

    /// Returns whether these are the first bytes of an MP4 or QuickTime file, whose index may be at its end, or of another
    /// file that FFmpeg does not read from a pipe, or reads differently: CAF, 8SVX, AVI, WTV.
    private static func needsSeeking(_ head: [UInt8]) -> Bool {
        guard head.count >= 12 else { return false }
        let isMovie = ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains { head[4..<8].elementsEqual($0.utf8) }
        let chunked = [("RIFF", "AVI "), ("FORM", "8SVX"), ("FORM", "16SV")].contains { group, type in
            head.starts(with: group.utf8) && head[8..<12].elementsEqual(type.utf8)
        }
        return isMovie || chunked || head.starts(with: "caff".utf8) || head.starts(with: wtv)
    }

    /// Copies all of a pipe into an unnamed file and reads from the beginning of that. Returns false if the first bytes
    /// are no longer kept, or for a file.
    func rewindIntoFile() throws(MediaError) -> Bool {
        guard size == nil, kept.count == max(position, head.count) else { return false }
        (head, position) = (kept, 0)
        try spool()
        return true
    }

    /// Keeps only as many bytes of a pipe as headers need. Call it when the input is open.
    func forgetStart() {
        keptLength = 1 << 16
        kept = Array(kept.prefix(keptLength))
    }

    /// Copies the rest of the input into an unnamed file and reads from that file, unless the input is a complete
    /// regular file.
    func spool() throws(MediaError) {
        guard size == nil || base > 0 else { return }
        let copy = try TemporaryFolders.unnamedFile(step: .read, subject: name)
        var isOwned = true
        defer { if isOwned { close(copy) } }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.spoolBufferSize, alignment: 16)
        defer { memory.deallocate() }
        var total = 0
        while true {
            let got = try read(into: memory, count: Self.spoolBufferSize)
            if got == 0 { break }
            guard got <= maxSpooledBytes - total else {
                throw fault(
                    .limit, "the pipe holds more than the limit of \(maxSpooledBytes) bytes", "give the file itself")
            }
            try write(UnsafeRawBufferPointer(start: memory, count: got), to: copy)
            total += got
        }
        close(descriptor)
        isOwned = false
        (descriptor, base, size, position, head, kept) = (copy, 0, total, 0, [], [])
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(MediaError) {
        do { try writeAll(bytes, to: descriptor) } catch {
            throw fault(
                .io, code: MediaError.Code(disk: error.code),
                "the pipe cannot be copied to a temporary file: \(systemReason(error.code))",
                "give the file itself, or free some space in $TMPDIR")
        }
    }
}

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
            throw MediaError(.limit, step: .read, subject: file.name, reason: "no memory")
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
