internal import Glibc
package import WayreelCore

/// Provides bytes in order: from a file, a pipe or memory.
package protocol ByteSource: AnyObject {
    /// Fills `buffer` and returns the number of bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
}

/// Reads a file, or standard input for `-`.
///
/// Waiting for a pipe ends when the task is cancelled or exceeds its time limit.
package final class FileSource: ByteSource {
    private let descriptor: Int32
    private let path: String
    private let task: TaskContext

    /// Throws an `io` error if the file cannot be opened.
    package init(path: String, task: TaskContext) throws(MediaError) {
        self.path = path
        self.task = task
        // Without O_NONBLOCK, opening a named pipe blocks until a writer opens it.
        descriptor =
            path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.fault(path) }
    }

    deinit { close(descriptor) }

    /// Returns the first `count` bytes of a regular file, or all if it is shorter; nil for pipes, which cannot be read
    /// twice, and unreadable files.
    static func prefix(of path: String, count: Int) -> [UInt8]? {
        // Checked before opening: opening and closing a pipe would end its writer.
        guard (try? FileStatus(path))?.kind == .file,
            let source = try? FileSource(path: path, task: TaskContext())
        else { return nil }
        return try? [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        while true {
            // Returns at once for a regular file.
            try awaitInput(descriptor, task)
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw Self.fault(path) }
        }
    }

    private static func fault(_ path: String) -> MediaError {
        MediaError(
            .io, step: .read, subject: path == "-" ? "standard input" : path, reason: systemReason(errno))
    }
}

/// Bytes in memory followed by another source: the inspected start of a pipe and its rest.
package final class MemorySource: ByteSource {
    private var bytes: ArraySlice<UInt8>
    private let rest: (any ByteSource)?

    package init(_ bytes: [UInt8], then rest: (any ByteSource)? = nil) {
        self.bytes = bytes[...]
        self.rest = rest
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        if bytes.isEmpty, let rest { return try rest.read(into: buffer) }
        let part = bytes.prefix(buffer.count)
        buffer.copyBytes(from: part)
        bytes = bytes.dropFirst(part.count)
        return part.count
    }
}

/// A source that throws on cancellation or deadline, because other sources may never end.
final class CancellableSource: ByteSource {
    private let source: any ByteSource
    private let task: TaskContext

    init(_ source: any ByteSource, _ task: TaskContext) {
        self.source = source
        self.task = task
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        try task.check()
        return try source.read(into: buffer)
    }
}

/// Reads a source byte by byte from large chunks, with one byte of lookahead.
final class ByteReader {
    private let source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var position = 0
    private var end = 0
    private var piecesBefore = 0
    private static let capacity = 1 << 16

    init(_ source: any ByteSource) {
        self.source = source
        memory = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Number of consumed bytes.
    var offset: Int { piecesBefore + position }

    /// Returns the next byte without consuming it; nil at the end.
    @inline(__always)
    func peek() throws(MediaError) -> UInt8? {
        if position == end { try refill() }
        return position < end ? memory[position] : nil
    }

    /// Consumes the peeked byte.
    @inline(__always)
    func skip() { position += 1 }

    /// Consumes the next byte; nil at the end.
    @inline(__always)
    func next() throws(MediaError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        skip()
        return byte
    }

    /// Consumes a little-endian integer; nil if the source ends before it does.
    func next<Number: FixedWidthInteger>(_: Number.Type) throws(MediaError) -> Number? {
        let size = Number.bitWidth / 8
        if end - position >= size {
            defer { position += size }
            return Number(littleEndian: memory.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
        var number: Number = 0
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            guard let byte = try next() else { return nil }
            number |= Number(truncatingIfNeeded: byte) << shift
        }
        return number
    }

    /// Consumes a number with up to eight digits before and after the point, without exponent, and the comma after it;
    /// nil, without consuming anything, for other syntax or at a chunk boundary.
    @inline(__always)
    func nextListedNumber() -> Double? {
        guard end - position >= 20 else { return nil }
        var next = position
        let isNegative = memory[next] == UInt8(ascii: "-")
        if isNegative { next += 1 }
        let firstDigit = next
        var mantissa = 0
        var scale = 1.0
        while memory[next] &- UInt8(ascii: "0") < 10, next < firstDigit + 9 {
            mantissa = mantissa &* 10 &+ Int(memory[next] &- UInt8(ascii: "0"))
            next += 1
        }
        guard next > firstDigit, next < firstDigit + 9 else { return nil }
        if memory[next] == UInt8(ascii: ".") {
            next += 1
            let firstDecimal = next
            while memory[next] &- UInt8(ascii: "0") < 10, next < firstDecimal + 9 {
                mantissa = mantissa &* 10 &+ Int(memory[next] &- UInt8(ascii: "0"))
                scale *= 10
                next += 1
            }
            guard next > firstDecimal, next < firstDecimal + 9 else { return nil }
        }
        guard memory[next] == UInt8(ascii: ",") else { return nil }
        position = next + 1
        return Double(isNegative ? -mantissa : mantissa) / scale
    }

    private func refill() throws(MediaError) {
        piecesBefore += end
        (position, end) = (0, 0)
        end = try source.read(into: memory)
    }
}
