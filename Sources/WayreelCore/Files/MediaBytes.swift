internal import Glibc

/// An encoded file in memory at a stable address, for C decoders.
public final class MediaBytes: Sendable {
    /// The bytes for decoders, valid as long as this object lives: whoever keeps a pointer into them keeps the object.
    /// Nothing writes to them.
    package nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

    public var count: Int { buffer.count }

    /// A copy of the bytes, which does not outlive them as ``buffer`` might.
    package var array: [UInt8] { withExtendedLifetime(self) { Array(buffer) } }

    /// Reads the bytes.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(buffer.bytes)
    }

    /// Copies `bytes`.
    public init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(memory)
    }

    /// Adopts the first `count` bytes of `memory`, which must come from `malloc`.
    fileprivate init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        buffer = UnsafeRawBufferPointer(start: memory, count: count)
    }

    deinit { buffer.deallocate() }

    /// Reads the file at `path`, or standard input for `-`, up to `limit` bytes.
    ///
    /// Throws an `io` error if the file cannot be read (missing, a directory, no permission), a `limit` error if it is
    /// larger than `limit`, a `decoding` error if it is empty.
    public static func read(path: String, limit: Int) throws(MediaError) -> MediaBytes {
        try read(path: path, limit: limit, task: TaskContext())
    }

    /// Reads with the deadline of `task`, which also applies to pipes without a writer. Throws what
    /// ``TaskContext/check()`` throws.
    package static func read(path: String, limit: Int, task: TaskContext) throws(MediaError) -> MediaBytes {
        let fault = ErrorSite(.io, step: .read, subject: path == "-" ? "standard input" : path)
        guard !path.utf8.contains(0) else { throw fault(.io, "the path contains a NUL byte") }
        // Without O_NONBLOCK, opening a named pipe blocks until a writer opens it.
        let descriptor = path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw fault(.io, code: errno == ENOENT ? .notFound : nil, systemReason(errno))
        }
        defer { close(descriptor) }
        let status: FileStatus
        do throws(SystemError) { status = try FileStatus(descriptor: descriptor) } catch {
            throw fault(.io, systemReason(error.code))
        }
        let isFile = status.kind == .file
        if status.kind == .directory { throw fault(.io, "is a directory", "name the files in it") }
        let tooLarge = { (size: String) in
            fault(
                .limit, code: .tooManyBytes, "the file is \(size) bytes; the limit is \(limit)",
                "raise it with \(.maxInputBytes)")
        }
        let noMemory = { (count: Int) in
            fault(.limit, "no memory for \(count) bytes", "run fewer tasks at once")
        }
        if isFile, status.byteCount > limit { throw tooLarge("\(status.byteCount)") }
        // One byte more than expected detects the end without growing. Pipes may be endless.
        var room = max((isFile ? status.byteCount : 1 << 16) + 1, 4096)
        var memory = malloc(room)
        if let memory { mapPages(memory, room) }
        var isOwned = true
        defer { if isOwned { free(memory) } }
        var count = 0
        while true {
            if count == room {
                room *= 2
                guard let larger = realloc(memory, room) else { throw noMemory(room) }
                memory = larger
            }
            guard let memory else { throw noMemory(room) }
            if !isFile {
                do throws(MediaError) { try awaitInput(descriptor, task) } catch {
                    throw fault(error.kind, code: error.code, error.reason, error.advice)
                }
            }
            let got = Glibc.read(descriptor, memory + count, room - count)
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            if got < 0 {
                throw fault(
                    .io, code: MediaError.Code(disk: errno), systemReason(errno), MediaError.Advice(disk: errno))
            }
            if got == 0 { break }
            count += got
            if count > limit { throw tooLarge("more than \(limit)") }
        }
        guard count > 0, let memory else { throw fault(.decoding, "the file is empty") }
        isOwned = false
        return MediaBytes(adopting: memory, count: count)
    }
}

/// An encoded file that arrives in pieces.
package final class MediaBuffer {
    private var memory: UnsafeMutableRawPointer?
    package private(set) var count = 0
    /// The bytes that memory is taken for.
    package private(set) var capacity: Int

    /// Takes memory for `capacity` bytes. Throws a `limit` error if there is none.
    package init(capacity: Int) throws(MediaError) {
        self.capacity = max(1, capacity)
        memory = malloc(self.capacity)
        guard memory != nil else { throw Self.noMemory(capacity) }
    }

    deinit { free(memory) }

    /// Takes memory for `capacity` bytes, if that is more than before. Throws a `limit` error if there is none.
    package func grow(to capacity: Int) throws(MediaError) {
        guard capacity > self.capacity else { return }
        guard let larger = realloc(memory, capacity) else { throw Self.noMemory(capacity) }
        memory = larger
        self.capacity = capacity
    }

    /// Appends `bytes`, for which there must be room.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(count + bytes.count <= capacity, "there is room for a piece")
        guard let start = bytes.baseAddress else { return }
        memory?.advanced(by: count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// The bytes so far, which leave this buffer. It must not be used after that.
    package func finish() -> MediaBytes {
        guard let memory else { return MediaBytes([]) }
        self.memory = nil
        return MediaBytes(adopting: memory, count: count)
    }

    private static func noMemory(_ count: Int) -> MediaError {
        MediaError(.limit, step: .read, reason: "no memory for \(count) bytes", advice: "run fewer tasks at once")
    }
}

/// Blocks until `descriptor` is readable or at its end. Throws when `task` is cancelled or past its deadline.
package func awaitInput(_ descriptor: Int32, _ task: TaskContext) throws(MediaError) {
    while true {
        try task.check()
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&wait, 1, 50)
        if ready > 0 { return }
        guard ready == 0 || errno == EINTR else {
            throw MediaError(.io, step: .read, reason: systemReason(errno))
        }
    }
}

/// Returns the system's message for an error number, in lower case: `no such file or directory`.
package func systemReason(_ code: Int32) -> String {
    var bytes = Array(String(cString: strerror(code)).utf8)
    if let first = bytes.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) { bytes[0] = first | 0x20 }
    return String(decoding: bytes, as: UTF8.self)
}

/// Maps the pages of memory that is about to be filled in one call (MADV_POPULATE_WRITE of Linux 5.14), which takes
/// less than half the time of a fault for each.
private func mapPages(_ memory: UnsafeMutableRawPointer, _ count: Int) {
    let page = 4096
    let start = (Int(bitPattern: memory) + page - 1) / page * page
    let end = (Int(bitPattern: memory) + count) / page * page
    // A few faults take no longer than the call. If the kernel does not know it, the pages fault.
    if end - start >= 32 * page { madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, 23) }
}
