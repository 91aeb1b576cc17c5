package import WayreelCore

/// The content of a pipe, copied into an unnamed file so that it can be read several times. Immutable.
package final class SpooledInput: @unchecked Sendable {
    /// Max bytes that are copied from a pipe: 64 GiB.
    package static let maxBytes = 1 << 36

    private let file: InputFile

    /// Reads `input` to its end. Returns nil for a regular file, which can be opened again.
    ///
    /// Throws an `io` error if it cannot be read or copied, a `limit` error for a pipe of more than `maxBytes`, and the
    /// errors of `task`.
    package init?(of input: MediaInput, maxBytes: Int = maxBytes, task: TaskContext) throws(MediaError) {
        file = try InputFile(input, maxSpooledBytes: maxBytes, task: task)
        if input.path != nil, file.isRegular { return nil }
        try file.spool()
    }

    /// A path that opens the copy as long as this object lives.
    package var path: String { "/proc/self/fd/\(file.descriptor)" }
}
