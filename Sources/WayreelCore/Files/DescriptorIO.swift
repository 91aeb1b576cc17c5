internal import Glibc

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
