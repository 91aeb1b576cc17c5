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
        var status = stat()
        let isRegular = fstat(opened, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        descriptor = opened
        byteCount = isRegular ? Int(status.st_size) : nil
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
