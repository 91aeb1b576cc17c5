package import WayreelCore

/// A sink that fails once it has received a number of bytes.
package final class FailingSink: ByteSink {
    package static let fault = MediaError(.io, step: .write, reason: "the disk is full")
    private var room: Int

    package init(after room: Int) { self.room = room }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        room -= bytes.count
        if room < 0 { throw Self.fault }
    }
}
