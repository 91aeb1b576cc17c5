internal import Glibc

/// Rejects paths that are not files before they are opened: a named pipe may never get a writer, and a device may be
/// endless.
package enum RegularFile {
    /// Throws an `io` error if `path` is a directory, a named pipe, a socket or a device. Accepts `-` (standard input)
    /// and unnamed pipes, which have a writer. A missing file is accepted; opening it reports the error.
    package static func require(_ path: String, step: MediaError.Step = .read) throws(MediaError) {
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

/// Identifies a file by device and inode, whichever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Returns nil if nothing exists at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns nil if the descriptor is closed.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}

/// The properties that change with a file's content: its inode, size, and times of modification and of status change,
/// in nanoseconds.
package struct FileStamp: Hashable, Sendable {
    package let text: String
    package let bytes: Int
    /// Nanoseconds since 1970 of the last change.
    private let changed: Int64
    /// Whether the file system stores whole seconds only.
    private let isCoarse: Bool

    /// Returns nil if there is no regular file at `path`.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Returns nil if `descriptor` is not a regular file.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let times = [status.st_mtim, status.st_ctim]
        let nanoseconds = times.map { Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec) }
        text = "\(status.st_dev):\(status.st_ino):\(status.st_size):\(nanoseconds[0]):\(nanoseconds[1])"
        bytes = Int(status.st_size)
        changed = nanoseconds.max() ?? 0
        isCoarse = times.allSatisfy { $0.tv_nsec == 0 }
    }

    /// Returns whether a read at `time`, in nanoseconds since 1970, is reliable. An edit within one tick of the file
    /// system's clock leaves the stamp unchanged, and a clock that was set back may hide an edit.
    package func isSettled(at time: Int64) -> Bool {
        let tick: Int64 = isCoarse ? 2_000_000_000 : 20_000_000
        return changed < time - tick
    }
}
