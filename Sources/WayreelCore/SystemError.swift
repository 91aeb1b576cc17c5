internal import Glibc

/// An errno value.
package struct SystemError: Error {
    package var code: Int32

    package init(code: Int32) { self.code = code }
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
    try bytes.withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
    }.get()
}
