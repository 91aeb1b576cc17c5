/// The bytes that a program has moved, as `/proc/PID/io` counts them, those of its children that it has waited for included.
public struct Transfer: Hashable, Sendable, Codable {
    /// What it has read by any call of the kind of read(2): files in memory, pipes and sockets too.
    public var bytesRead: Int
    /// What it has written by any call of the kind of write(2).
    public var bytesWritten: Int
    /// What was fetched from a disk for it.
    public var storageBytesRead: Int
    /// What it has caused to be written to a disk, now or later.
    public var storageBytesWritten: Int

    static func - (later: Transfer, earlier: Transfer) -> Transfer {
        Transfer(
            bytesRead: later.bytesRead &- earlier.bytesRead, bytesWritten: later.bytesWritten &- earlier.bytesWritten,
            storageBytesRead: later.storageBytesRead &- earlier.storageBytesRead,
            storageBytesWritten: later.storageBytesWritten &- earlier.storageBytesWritten)
    }
}

extension Transfer {
    /// Reads what `process` has moved so far, or, as long as nobody has waited for it, up to its end.
    package init(of process: Int32, _ roots: SystemRoots = SystemRoots()) throws(SystemFault) {
        let path = "\(roots.proc)/\(process)/io"
        let text = try SystemText(path)
        func count(_ name: StaticString) throws(SystemFault) -> Int {
            guard let number = text.number(after: name) else { throw SystemFault(path, "tells no \(name)") }
            return number
        }
        bytesRead = try count("rchar:")
        bytesWritten = try count("wchar:")
        storageBytesRead = try count("read_bytes:")
        storageBytesWritten = try count("write_bytes:")
    }
}
