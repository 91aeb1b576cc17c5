/// Receives the bytes of a writer in order: a file, a pipe or memory.
package protocol ByteSink: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError)
}

extension ByteSink {
    package func write(_ bytes: [UInt8]) throws(MediaError) {
        // A typed throw does not pass through the standard library's rethrowing closures of the same array.
        var failure: MediaError?
        bytes.withUnsafeBytes { buffer in
            do throws(MediaError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    package func write(_ text: String) throws(MediaError) { try write(Array(text.utf8)) }
}

/// Collects bytes in memory.
package final class MemorySink: ByteSink {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
}
