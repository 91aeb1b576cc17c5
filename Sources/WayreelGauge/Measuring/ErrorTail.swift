internal import Glibc

/// Collects the end of a program's standard error.
final class ErrorTail {
    private let reader: Descriptor
    private let limit: Int
    private var bytes: [UInt8] = []

    init(_ reader: Descriptor, limit: Int) {
        self.reader = reader
        self.limit = limit
        _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
    }

    /// The descriptor; -1 once all writers have closed it.
    var descriptor: Int32 { reader.number }

    /// Reads available data without blocking, at most one pipe buffer, so that a busy writer cannot occupy this thread.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(reader.number, &buffer, buffer.count)
        if count > 0 {
            bytes = Array((bytes + buffer[..<count]).suffix(limit))
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            reader.close()
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}
