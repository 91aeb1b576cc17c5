internal import Glibc
package import WayreelCore

/// Where a reader's bytes come from, in order: a file, a pipe, memory.
package protocol ByteSource: AnyObject {
    /// Puts the next bytes into `buffer` and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int
}

/// The bytes of a file, or of standard input for `-`.
package final class FileSource: ByteSource {
    private let descriptor: Int32
    private let path: String

    /// Throws an `io` error where the file cannot be opened.
    package init(path: String) throws(MediaError) {
        self.path = path
        descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.fault(path) }
    }

    deinit { close(descriptor) }

    /// The first `count` bytes of what is at `path`, or all of it where it is shorter; nil where that is no file, from which
    /// nothing could be read twice, or cannot be read.
    static func prefix(of path: String, count: Int) -> [UInt8]? {
        var status = stat()
        // Before it is opened, since opening and closing a pipe would take its writer's reader away.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let source = try? FileSource(path: path)
        else { return nil }
        return try? [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        while true {
            let count = systemRead(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.fault(path) }
        }
    }

    private static func fault(_ path: String) -> MediaError {
        MediaError(
            .io, step: "read", subject: path == "-" ? "standard input" : path, reason: systemReason(errno))
    }
}

/// `read(2)`, apart from the method of the same name.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, memory, count)
}

/// Bytes in memory, and those that follow them elsewhere: the beginning of a pipe that was looked at, and the rest of it.
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

/// A source that ends with an error once a task may not go on: one may never end by itself.
final class WatchedSource: ByteSource {
    private let source: any ByteSource
    private let watch: TaskWatch

    init(_ source: any ByteSource, _ watch: TaskWatch) {
        self.source = source
        self.watch = watch
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        try watch.check()
        return try source.read(into: buffer)
    }
}

/// A source's bytes one by one, read in large pieces, with a look at the next one.
final class ByteReader {
    private let source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var place = 0
    private var end = 0
    private var piecesBefore = 0
    private static let capacity = 1 << 16

    init(_ source: any ByteSource) {
        self.source = source
        memory = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// How many bytes were taken.
    var offset: Int { piecesBefore + place }

    /// The next byte, which stays; nil at the end.
    @inline(__always)
    func peek() throws(MediaError) -> UInt8? {
        if place == end { try refill() }
        return place < end ? memory[place] : nil
    }

    /// Takes the byte that was looked at.
    @inline(__always)
    func skip() { place += 1 }

    /// Takes the next byte; nil at the end.
    @inline(__always)
    func next() throws(MediaError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        skip()
        return byte
    }

    /// Takes a whole number, the lowest byte first; nil where the end comes before that of the number.
    func next<Number: FixedWidthInteger>(_: Number.Type) throws(MediaError) -> Number? {
        let size = Number.bitWidth / 8
        if end - place >= size {
            defer { place += size }
            return Number(littleEndian: memory.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
        var number: Number = 0
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            guard let byte = try next() else { return nil }
            number |= Number(truncatingIfNeeded: byte) << shift
        }
        return number
    }

    /// Takes a number of up to eight digits before and eight behind the point, without an exponent, together with the comma
    /// that follows it; nil, with nothing taken, where the next bytes are anything else or not at hand.
    @inline(__always)
    func nextListedNumber() -> Double? {
        guard end - place >= 20 else { return nil }
        var next = place
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
        place = next + 1
        return Double(isNegative ? -mantissa : mantissa) / scale
    }

    private func refill() throws(MediaError) {
        piecesBefore += end
        (place, end) = (0, 0)
        end = try source.read(into: memory)
    }
}
