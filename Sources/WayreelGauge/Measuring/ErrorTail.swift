internal import Glibc

/// The end of what a program writes to standard error.
final class ErrorTail {
    private let reader: Descriptor
    private let limit: Int
    private var bytes: [UInt8] = []

    init(_ reader: Descriptor, limit: Int) {
        self.reader = reader
        self.limit = limit
        _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
    }

    /// -1 once nobody can write to it any more.
    var descriptor: Int32 { reader.number }

    /// Takes what is there, without waiting, and no more than a pipe holds: who never stops writing does not keep this here.
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
