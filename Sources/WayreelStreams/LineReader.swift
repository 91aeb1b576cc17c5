internal import Glibc
package import WayreelCore

/// What lines are read from, if that is no file of its own.
protocol LineInput: AnyObject {
    /// Reads the next bytes into `buffer`, which is not empty. Returns how many, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
}

/// Reads the lines of a file, or of standard input as they arrive.
package final class LineReader {
    /// The name of the input in error messages.
    package let name: String
    /// The number of the last line that was read, counted from 1.
    package private(set) var number = 0

    /// -1 if there is an ``input``.
    private let descriptor: Int32
    private let input: (any LineInput)?
    private let isFile: Bool
    private let maxLineBytes: Int
    package let cancellation: Cancellation
    /// Makes ``next()`` throw a `cancelled` error; any thread may set it.
    let stopping: Cancellation
    private var buffer: [UInt8] = []
    /// The start of the unread part of the buffer.
    private var start = 0
    /// The start of the last line that was read, until more input is read.
    private var lastStart = 0
    /// The position before which the unread part of the buffer has no line end.
    private var searched = 0
    private var isAtEnd = false
    /// Whether the input ends with the last line that was returned, without an LF.
    private(set) var isCutOff = false
    /// Whether the rest of a line that is too long is being skipped.
    private var isSkipping = false

    private static let chunk = 1 << 17

    /// Opens the file at `path`, or standard input for `-`.
    ///
    /// Throws an `io` error if it cannot be read.
    package init(
        _ path: String, maxLineBytes: Int = 1 << 20, cancellation: Cancellation = Cancellation(),
        stopping: Cancellation = Cancellation()
    ) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        self.maxLineBytes = maxLineBytes
        self.cancellation = cancellation
        self.stopping = stopping
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .read, subject: path, reason: "the path contains a NUL byte")
        }
        try RegularFile.require(path)
        input = nil
        descriptor = path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw MediaError(
                .io, code: code == ENOENT ? .notFound : nil, step: .read, subject: name, reason: systemReason(code))
        }
        isFile = (try? FileStatus(descriptor: descriptor))?.kind == .file
    }

    /// Reads the lines of `input`, whose name in errors is `name`.
    init(_ input: any LineInput, name: String, cancellation: Cancellation, stopping: Cancellation) {
        (self.input, self.name, descriptor, isFile) = (input, name, -1, true)
        maxLineBytes = 1 << 20
        (self.cancellation, self.stopping) = (cancellation, stopping)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether a complete line or the end of the input is buffered, so that ``next()`` does not block.
    package var hasNext: Bool { isAtEnd || lineEnd != nil }

    /// The index of the next line end in the buffer.
    private var lineEnd: Int? {
        let start = searched
        return buffer.withBytes { bytes in
            guard start < bytes.count, let found = memchr(bytes.baseAddress! + start, 0x0A, bytes.count - start) else {
                return nil
            }
            return found - UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
        }
    }

    /// Returns the next line without its terminator, which is LF or CR LF, or nil at the end of the input.
    ///
    /// Throws a `limit` error for a line that is too long, after which the next line can be read, an `io` error if
    /// the input cannot be read, and a `cancelled` error.
    package func next() throws(MediaError) -> ArraySlice<UInt8>? {
        while true {
            if let end = lineEnd {
                guard isSkipping else { return try line(until: end, next: end + 1) }
                isSkipping = false
                (start, searched) = (end + 1, end + 1)
                continue
            }
            if isSkipping { start = buffer.count }
            searched = buffer.count
            if isAtEnd { return start < buffer.count ? try line(until: buffer.count, next: buffer.count) : nil }
            guard buffer.count - start <= maxLineBytes else {
                isSkipping = true
                number += 1
                throw tooLong
            }
            try fill()
        }
    }

    /// Makes ``next()`` return the last line again, which it has just returned.
    func putBack() {
        (start, searched) = (lastStart, lastStart)
        number -= 1
    }

    // MARK: What is no text

    /// Returns the first bytes before any line is read: up to `count` of them or, of a text, what is there with its first
    /// line. Throws as ``next()``.
    func peek(_ count: Int) throws(MediaError) -> [UInt8] {
        while !isAtEnd, buffer.count < count, !(lineEnd.map { beginsAsText($0) } ?? false) { try fill() }
        return Array(buffer.prefix(count))
    }

    /// Whether the bytes up to a line end are of JSON or a table: a mark-up and control characters are not.
    private func beginsAsText(_ end: Int) -> Bool {
        let line = buffer[..<end].drop { $0 == UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains($0) }
        return line.first != UInt8(ascii: "<") && line.allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0D }
    }

    /// Writes all that was not read yet to a file.
    ///
    /// Throws a `limit` error for more than `maxBytes`, an `io` error if it cannot be read or written, and a `cancelled`
    /// error.
    func copyRest(to file: Int32, maxBytes: Int) throws(MediaError) {
        var total = 0
        while true {
            total += buffer.count - start
            guard total <= maxBytes else {
                throw MediaError(
                    .limit, step: .read, subject: name,
                    reason: "has more than \(maxBytes) bytes, and is of a format that is read from a copy",
                    advice: "name the file")
            }
            do throws(SystemError) { try writeAll(Array(buffer[start...]), to: file) } catch {
                throw MediaError(
                    .io, code: MediaError.Code(disk: error.code), step: .read, subject: name,
                    reason: "cannot be copied to a temporary file: \(systemReason(error.code))",
                    advice: "name the file, or free some space in $TMPDIR")
            }
            (start, searched) = (buffer.count, buffer.count)
            guard !isAtEnd else { return }
            try fill()
        }
    }

    /// Returns an error with the name of this input and the number of a line.
    package func fault(
        _ reason: String, kind: MediaError.Kind = .decoding, advice: MediaError.Advice? = nil, line: Int? = nil
    ) -> MediaError {
        MediaError(kind, step: .read, subject: "\(name), line \(line ?? number)", reason: reason, advice: advice)
    }

    private var tooLong: MediaError { fault("is longer than \(maxLineBytes) bytes", kind: .limit) }

    private func line(until end: Int, next: Int) throws(MediaError) -> ArraySlice<UInt8> {
        var line = buffer[start..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        // Skip a UTF-8 byte order mark, which Windows editors write.
        if number == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        number += 1
        isCutOff = next == end
        lastStart = start
        (start, searched) = (next, next)
        guard line.count <= maxLineBytes else { throw tooLong }
        return line
    }

    /// Blocks until input is available.
    private func awaitInput() throws(MediaError) {
        while true {
            guard !cancellation.isCancelled, !stopping.isCancelled else {
                throw .cancelled(step: .read).naming(name)
            }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if isFile || poll(&wait, 1, 50) > 0 { return }
        }
    }

    private func fill() throws(MediaError) {
        if start > 0 {
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
        }
        while true {
            try awaitInput()
            let begin = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
            if let input {
                var result = Result<Int, MediaError>.success(0)
                buffer.withUnsafeMutableBytes { bytes in
                    result = Result { () throws(MediaError) in
                        try input.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[begin...]))
                    }
                }
                buffer.removeLast(Self.chunk - ((try? result.get()) ?? 0))
                isAtEnd = try result.get() == 0
                return
            }
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + begin, Self.chunk) }
            buffer.removeLast(Self.chunk - max(0, count))
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw MediaError(.io, step: .read, subject: name, reason: systemReason(errno))
            }
            isAtEnd = count == 0
            return
        }
    }
}
