internal import Glibc
package import WayreelCore

/// Reads the lines of a file, or of standard input as they arrive.
package final class LineReader {
    /// How errors call the input.
    package let name: String
    /// The number of the line that was read last, from 1.
    package private(set) var number = 0

    private let descriptor: Int32
    private let isFile: Bool
    private let maxLineBytes: Int
    package let cancellation: Cancellation
    /// Ends a wait for input, from another thread.
    private let stopping = Cancellation()
    private var buffer: [UInt8] = []
    /// What of the buffer was not given away yet.
    private var start = 0
    /// Up to where the buffer has no line end.
    private var searched = 0
    private var isAtEnd = false
    /// Within the rest of a line that was too long.
    private var isSkipping = false

    private static let chunk = 1 << 16

    /// Opens the file at `path`, or standard input for `-`.
    ///
    /// Throws an `io` error where it cannot be read.
    package init(
        _ path: String, maxLineBytes: Int = 1 << 20, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        self.maxLineBytes = maxLineBytes
        self.cancellation = cancellation
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: "read", subject: path, reason: "the path contains a NUL byte")
        }
        try RegularFile.require(path)
        descriptor = path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let code = errno
            throw MediaError(
                .io, code: code == ENOENT ? .notFound : nil, step: "read", subject: name, reason: systemReason(code))
        }
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    deinit { close(descriptor) }

    /// Whether a whole line was read already, or the end, so that ``next()`` does not wait.
    package var hasNext: Bool { isAtEnd || buffer[searched...].contains(UInt8(ascii: "\n")) }

    /// The next line without its end, which is LF or CR LF; nil at the end of the input.
    ///
    /// Throws a `limit` error for a line that is too long, after which the next line can be read, an `io` one where the input cannot
    /// be read, and `cancelled`.
    package func next() throws(MediaError) -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                guard isSkipping else { return line(until: end, next: end + 1) }
                isSkipping = false
                (start, searched) = (end + 1, end + 1)
                continue
            }
            if isSkipping { start = buffer.count }
            searched = buffer.count
            if isAtEnd { return start < buffer.count ? line(until: buffer.count, next: buffer.count) : nil }
            guard buffer.count - start <= maxLineBytes else {
                isSkipping = true
                number += 1
                throw fault("is longer than \(maxLineBytes) bytes", kind: .limit)
            }
            try fill()
        }
    }

    /// An error of this input, in a line of it.
    package func fault(
        _ reason: String, kind: MediaError.Kind = .decoding, advice: MediaError.Advice? = nil, line: Int? = nil
    ) -> MediaError {
        MediaError(kind, step: "read", subject: "\(name), line \(line ?? number)", reason: reason, advice: advice)
    }

    private func line(until end: Int, next: Int) -> ArraySlice<UInt8> {
        var line = buffer[start..<end]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        // A mark of UTF-8, as editors on Windows write it.
        if number == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        number += 1
        (start, searched) = (next, next)
        return line
    }

    /// Makes ``next()`` throw `cancelled`, from any thread.
    package func stop() { stopping.cancel() }

    /// Blocks until there is something to read.
    private func awaitInput() throws(MediaError) {
        while true {
            guard !cancellation.isCancelled, !stopping.isCancelled else {
                throw MediaError(.cancelled, step: "read", subject: name, reason: "cancelled")
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
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + begin, Self.chunk) }
            buffer.removeLast(Self.chunk - max(0, count))
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else {
                throw MediaError(.io, step: "read", subject: name, reason: systemReason(errno))
            }
            isAtEnd = count == 0
            return
        }
    }
}
