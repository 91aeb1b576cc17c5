package import WayreelAV
package import WayreelCore

/// A video as it came, in a form that can be read several times: what comes through a pipe is kept in a file without a name.
package final class MediaOriginal: Sendable {
    package let name: String
    package let source: AudioSource
    private let copy: SpooledFile?

    /// Of a path that is a file, or is read only once.
    init(_ path: String) {
        name = path == "-" ? "standard input" : path
        source = .path(path)
        copy = nil
    }

    /// Of any path, or standard input for `-`.
    package init(_ path: String, watch: TaskWatch) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        if let copy = try SpooledFile(copyOf: path == "-" ? .standardInput : .path(path), watch: watch) {
            self.copy = copy
            source = .path(copy.path)
        } else {
            copy = nil
            source = .path(path)
        }
    }
}
