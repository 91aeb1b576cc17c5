internal import Glibc

/// Rejects paths that are not files before they are opened: a named pipe may never get a writer, and a device may be
/// endless.
package enum RegularFile {
    /// Throws an `io` error if `path` is a directory, a named pipe, a socket or a device. Accepts `-` (standard input)
    /// and unnamed pipes, which have a writer. A missing file is accepted; opening it reports the error.
    package static func require(_ path: String, step: String = "read") throws(MediaError) {
        var status = stat()
        guard path != "-", !path.utf8.contains(0), stat(path, &status) == 0 else { return }
        let type = status.st_mode & S_IFMT
        guard type != S_IFREG, !(type == S_IFIFO && isUnnamedPipe(path)) else { return }
        let name = names[type] ?? "something else"
        throw MediaError(.io, step: step, subject: path, reason: "is \(name)", advice: advice[type] ?? "name a file")
    }

    /// The bytes of a file; nil if there is none at `path`, but a symbolic link or something else.
    package static func byteCount(_ path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private static let names = [
        S_IFDIR: "a directory", S_IFIFO: "a named pipe", S_IFSOCK: "a socket", S_IFCHR: "a device", S_IFBLK: "a device",
    ]

    private static let advice: [mode_t: MediaError.Advice] = [S_IFDIR: "name a file in it"]

    /// Matches a path as a shell's `<(…)` passes it: `/dev/fd/63` links to `pipe:[1234]`, which is not a path.
    private static func isUnnamedPipe(_ path: String) -> Bool {
        guard let resolved = realpath(path, nil) else { return true }
        free(resolved)
        return false
    }
}
