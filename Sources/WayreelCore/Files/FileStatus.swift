internal import Glibc

/// What stat(2) reports about a path: a file, a directory or something else.
package struct FileStatus: Sendable {
    /// The raw value is what an error calls it.
    package enum Kind: String, Sendable {
        case file = "a file"
        case directory = "a directory"
        case link = "a link"
        case pipe = "a named pipe"
        case socket = "a socket"
        case device = "a device"
        case other = "something else"
    }

    package let kind: Kind
    /// The size of a file.
    package let byteCount: Int
    /// Seconds since 1970 of the last modification.
    package let modified: Int
    package let identity: FileIdentity
    /// Nanoseconds since 1970 of the last modification, and of the last change of the status.
    fileprivate let times: (modified: Int64, changed: Int64)

    /// Throws the error of stat(2). `followingLinks`: whether a symbolic link stands for what it leads to. A relative
    /// path begins in the directory with the descriptor `folder`.
    package init(_ path: String, followingLinks: Bool = true, in folder: Int32 = AT_FDCWD) throws(SystemError) {
        // Without the check, the part before the NUL byte would be the path.
        guard !path.utf8.contains(0) else { throw SystemError(code: ENOENT) }
        var status = stat()
        guard fstatat(folder, path, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            throw SystemError(code: errno)
        }
        self.init(status)
    }

    package init(descriptor: Int32) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError(code: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR, S_IFBLK: .device
            default: .other
            }
        byteCount = Int(status.st_size)
        modified = status.st_mtim.tv_sec
        identity = FileIdentity(device: status.st_dev, inode: status.st_ino)
        let nanoseconds = { (time: timespec) in Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        times = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
    }
}

/// Rejects paths that are not files before they are opened: a named pipe may never get a writer, and a device may be
/// endless.
package enum RegularFile {
    /// Throws an `io` error if `path` is a directory, a named pipe, a socket or a device. Accepts `-` (standard input)
    /// and unnamed pipes, which have a writer. A missing file is accepted; opening it reports the error.
    package static func require(_ path: String, step: MediaError.Step = .read) throws(MediaError) {
        guard path != "-", let kind = (try? FileStatus(path))?.kind, kind != .file,
            !(kind == .pipe && isUnnamedPipe(path))
        else { return }
        throw MediaError(
            .io, step: step, subject: path, reason: "is \(kind.rawValue)",
            advice: kind == .directory ? "name a file in it" : "name a file")
    }

    /// The bytes of a file; nil if there is none at `path`, but a symbolic link or something else.
    package static func byteCount(_ path: String) -> Int? {
        guard let status = try? FileStatus(path, followingLinks: false), status.kind == .file else { return nil }
        return status.byteCount
    }

    /// Matches a path as a shell's `<(…)` passes it: `/dev/fd/63` links to `pipe:[1234]`, which is not a path.
    private static func isUnnamedPipe(_ path: String) -> Bool { (try? Directory.realPath(path)) == nil }
}

/// The first bytes of a file, which identify its decoder.
package enum FileHead {
    /// Enough for the item table of a HEIC with some hundred tiles.
    private static let length = 1 << 16

    /// Returns whether `path` is neither a file nor a folder, and may be readable only once.
    package static func isPipe(_ path: String) -> Bool {
        guard path != "-" else { return true }
        guard let kind = (try? FileStatus(path))?.kind else { return false }
        return kind != .file && kind != .directory
    }

    /// Passes the first bytes of a regular file to `body`. Returns nil for pipes, which cannot be read twice, and
    /// unreadable files.
    package static func withFirstBytes<Result>(of path: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        // Opening a named pipe and closing it again would end its writer.
        guard !path.utf8.contains(0), !isPipe(path), let file = try? OpenFile(path), file.byteCount != nil else {
            return nil
        }
        return withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { memory in
            let count = pread(file.descriptor, memory.baseAddress, memory.count, 0)
            return count < 0 ? nil : body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }
}

/// Identifies a file by device and inode, whichever path leads to it.
package struct FileIdentity: Hashable, Sendable {
    fileprivate let device: dev_t
    fileprivate let inode: ino_t

    fileprivate init(device: dev_t, inode: ino_t) { (self.device, self.inode) = (device, inode) }

    /// Returns nil if nothing exists at `path`.
    package init?(of path: String) {
        guard let status = try? FileStatus(path) else { return nil }
        self = status.identity
    }

    /// Returns nil if the descriptor is closed.
    init?(of descriptor: Int32) {
        guard let status = try? FileStatus(descriptor: descriptor) else { return nil }
        self = status.identity
    }
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
    package init?(of path: String) { self.init(try? FileStatus(path)) }

    /// Returns nil if `descriptor` is not a regular file.
    package init?(descriptor: Int32) { self.init(try? FileStatus(descriptor: descriptor)) }

    private init?(_ status: FileStatus?) {
        guard let status, status.kind == .file else { return nil }
        let (id, times) = (status.identity, status.times)
        text = "\(id.device):\(id.inode):\(status.byteCount):\(times.modified):\(times.changed)"
        bytes = status.byteCount
        changed = max(times.modified, times.changed)
        isCoarse = times.modified % 1_000_000_000 == 0 && times.changed % 1_000_000_000 == 0
    }

    /// Returns whether a read at `time`, in nanoseconds since 1970, is reliable. An edit within one tick of the file
    /// system's clock leaves the stamp unchanged, and a clock that was set back may hide an edit.
    package func isSettled(at time: Int64) -> Bool {
        let tick: Int64 = isCoarse ? 2_000_000_000 : 20_000_000
        return changed < time - tick
    }
}
