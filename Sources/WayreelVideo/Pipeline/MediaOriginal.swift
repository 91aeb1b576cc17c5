package import WayreelAV
package import WayreelCore

/// A video as it came, in a form that can be read several times: what comes through a pipe is kept in a file without a name.
package final class MediaOriginal: Sendable {
    package let name: String
    package let source: AudioSource
    /// Where it can be read as often as wanted, as long as this object lives.
    package var path: String { copy?.path ?? name }
    private let copy: SpooledFile?

    /// Of any path, or standard input for `-`.
    package init(_ path: String, watch: TaskWatch) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        let given = AudioSource(path, raw: nil)
        copy = try SpooledFile(of: given, watch: watch)
        source = copy.map { .path($0.path) } ?? given
    }

    /// The error with the name that the caller knows, in the place of that of a copy.
    package func named(_ error: MediaError) -> MediaError {
        var named = error
        if named.subject == copy?.path { named.subject = nil }
        return named.naming(name)
    }
}
