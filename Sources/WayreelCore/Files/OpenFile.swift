internal import Glibc

/// A file that is open for reading until this value ends.
package struct OpenFile: ~Copyable {
    package let descriptor: Int32
    /// The size when the file was opened; nil if it is not a regular file.
    package let byteCount: Int?

    /// Does not wait for the writer of a named pipe.
    package init(_ path: String) throws(SystemError) {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw SystemError(code: errno) }
        let status = try? FileStatus(descriptor: opened)
        descriptor = opened
        byteCount = status?.kind == .file ? status?.byteCount : nil
    }

    deinit { close(descriptor) }

    /// Reads at `offset` until `bytes` is full. Returns the number of bytes read, which is smaller only at the end.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
        try readAll(into: bytes, from: descriptor, at: offset)
    }

    /// Returns `count` bytes at `offset`. Throws EIO if the file ends before that.
    package func bytes(_ count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
        try readBytes(count, from: descriptor, at: offset)
    }
}

/// Writes all of `bytes` to a file, in as many calls as needed.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError(code: count < 0 ? errno : EIO) }
        done += count
    }
}

package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    try bytes.withBytes { (bytes) throws(SystemError) in try writeAll(bytes, to: descriptor) }
}

/// Reads at `offset` of a file until `bytes` is full, in as many calls as needed. Returns the number of bytes read,
/// which is smaller only at the end of the file.
package func readAll(
    into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
) throws(SystemError) -> Int {
    var done = 0
    while done < bytes.count {
        let count = pread(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SystemError(code: errno) }
        if count == 0 { break }
        done += count
    }
    return done
}

/// Returns `count` bytes at `offset` of a file. Throws EIO if it ends before that.
package func readBytes(_ count: Int, from descriptor: Int32, at offset: Int = 0) throws(SystemError) -> [UInt8] {
    var result = Result<Int, SystemError>.success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        result = Result { () throws(SystemError) in
            try readAll(into: UnsafeMutableRawBufferPointer(buffer), from: descriptor, at: offset)
        }
        filled = (try? result.get()) ?? 0
    }
    guard try result.get() == count else { throw SystemError(code: EIO) }
    return bytes
}

/// Flushes an open file to the disk.
package func flushToDisk(_ descriptor: Int32) throws(SystemError) {
    while fsync(descriptor) != 0 {
        // EINVAL: the file system has nothing to flush.
        if errno == EINVAL { return }
        guard errno == EINTR else { throw SystemError(code: errno) }
    }
}

/// Flushes the content of the file at `path` to the disk.
package func flushToDisk(_ path: String) throws(SystemError) {
    let file = try OpenFile(path)
    try flushToDisk(file.descriptor)
}

/// Receives the bytes of a writer in order: a file, a pipe or memory.
package protocol ByteSink: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError)
}

extension ByteSink {
    package func write(_ bytes: [UInt8]) throws(MediaError) {
        try bytes.withBytes { (bytes) throws(MediaError) in try write(bytes) }
    }

    package func write(_ text: String) throws(MediaError) { try write(Array(text.utf8)) }
}

/// Collects bytes in memory.
package final class MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
}
