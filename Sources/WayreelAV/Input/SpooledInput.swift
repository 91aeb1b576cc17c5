package import WayreelCore

/// What came through a pipe, kept in a file without a name so that it can be read several times. Never changes.
package final class SpooledInput: @unchecked Sendable {
    private let file: InputFile

    /// Reads `source` to its end; nil where it is a file, which can be opened again.
    ///
    /// Throws an `io` error where it cannot be read or kept, and what `watch` throws.
    package init?(of source: MediaInput, watch: TaskWatch) throws(MediaError) {
        file = try InputFile(source, watch: watch)
        if source.path != nil, file.isRegular { return nil }
        try file.spool()
    }

    /// Where it can be opened, as long as this object lives.
    package var path: String { "/proc/self/fd/\(file.descriptor)" }
}
