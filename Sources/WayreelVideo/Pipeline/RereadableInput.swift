package import WayreelAV
package import WayreelCore

/// A video as it came, in a form that can be read several times: what comes through a pipe is kept in a file without a name.
package final class RereadableInput: Sendable {
    package let name: String
    private let source: AudioSource
    private let copy: SpooledFile?

    /// Of any path, or standard input for `-`.
    package init(_ path: String, watch: TaskWatch) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        let given = AudioSource(path, raw: nil)
        copy = try SpooledFile(of: given, watch: watch)
        source = copy.map { .path($0.path) } ?? given
    }

    /// Calls `body` with what can be read as often as wanted as long as it runs. Its errors get the name that the caller knows.
    package func read<Result>(
        _ body: (AudioSource) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) {
            return try withExtendedLifetime(self) { () throws(MediaError) in try body(source) }
        } catch {
            var named = error
            if named.subject == copy?.path { named.subject = nil }
            throw named.naming(name)
        }
    }
}
