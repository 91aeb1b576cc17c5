internal import Glibc

/// The first bytes of a file, which identify its decoder.
package enum FileHead {
    /// Enough for the item table of a HEIC with some hundred tiles.
    private static let length = 1 << 16

    /// Returns whether `path` is neither a file nor a folder, and may be readable only once.
    package static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return path == "-" || stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Passes the first bytes of a regular file to `body`. Returns nil for pipes, which cannot be read twice, and
    /// unreadable files.
    package static func withFirstBytes<Result>(of path: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        // Opening a named pipe and closing it again would end its writer.
        guard !path.utf8.contains(0), !isPipe(path) else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { memory in
            let count = pread(file, memory.baseAddress, memory.count, 0)
            return count < 0 ? nil : body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }
}
