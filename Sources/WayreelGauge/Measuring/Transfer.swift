/// I/O of a program from `/proc/PID/io`, including reaped children.
public struct Transfer: Hashable, Sendable, Codable {
    /// Bytes read by system calls, including page cache, pipes and sockets.
    public var bytesRead: Int
    /// Bytes written by system calls.
    public var bytesWritten: Int
    /// Bytes read from storage.
    public var storageBytesRead: Int
    /// Bytes written to storage, now or later.
    public var storageBytesWritten: Int

    static func - (later: Transfer, earlier: Transfer) -> Transfer {
        Transfer(
            bytesRead: later.bytesRead &- earlier.bytesRead, bytesWritten: later.bytesWritten &- earlier.bytesWritten,
            storageBytesRead: later.storageBytesRead &- earlier.storageBytesRead,
            storageBytesWritten: later.storageBytesWritten &- earlier.storageBytesWritten)
    }
}

extension Transfer {
    /// Reads the I/O of `process`, up to its end if it has not been reaped.
    package init(of process: Int32, _ roots: SystemRoots = SystemRoots()) throws(SystemFault) {
        let path = "\(roots.proc)/\(process)/io"
        let text = try SystemText(path)
        func count(_ name: StaticString) throws(SystemFault) -> Int {
            guard let number = text.number(after: name) else { throw SystemFault(path, "contains no \(name)") }
            return number
        }
        bytesRead = try count("rchar:")
        bytesWritten = try count("wchar:")
        storageBytesRead = try count("read_bytes:")
        storageBytesWritten = try count("write_bytes:")
    }
}
