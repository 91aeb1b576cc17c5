package import WayreelAV
package import WayreelCore

/// An input that can be read several times: a pipe is spooled into an unnamed file.
package final class RereadableInput: Sendable {
    package let name: String
    private let source: MediaInput
    private let copy: SpooledInput?

    /// `path`: any path, or `-` for standard input.
    package init(_ path: String, task: TaskContext) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        let given = MediaInput(path, raw: nil)
        copy = try SpooledInput(of: given, task: task)
        source = copy.map { .path($0.path) } ?? given
    }

    /// Calls `body` with the source, which is readable during the call. Errors contain the caller's name of the
    /// input.
    package func read<Result>(
        _ body: (MediaInput) throws(MediaError) -> Result
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
