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
