internal import CLinux
internal import Glibc
internal import Synchronization

/// Writes a whole file, or none: what stands at a path is either what was there before or the complete new file.
public enum OutputFile {
    /// Writes `bytes` beside `path`, flushes them to the disk, checks their length and renames them into place.
    ///
    /// A symbolic link to a file stays; the file that it leads to is replaced. What is not a file (a pipe, a device as
    /// `/dev/null`) stays too and takes the bytes as they come.
    ///
    /// Throws an `io` error, with nothing left behind, where any of that fails: no such folder, no permission, disk full.
    /// Even a killed process leaves nothing where the file system has unnamed files (`O_TMPFILE`; ext4, XFS, Btrfs, tmpfs).
    public static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let place = try place(path)
        do throws(SystemError) {
            if place.isFile {
                let file = try TemporaryFile(beside: place.path)
                try file.write(bytes)
                try file.flush(expecting: bytes.count)
                try file.rename(to: place.path)
            } else {
                let descriptor = open(place.path, O_WRONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw SystemError(code: errno) }
                defer { close(descriptor) }
                try writeAll(bytes, to: descriptor)
            }
        } catch { throw fault(path, error.code) }
    }

    /// Throws the error that ``write(_:to:)`` would throw where no file can be made beside `path`.
    package static func checkPlace(_ path: String) throws(MediaError) {
        let place = try place(path)
        do throws(SystemError) {
            if place.isFile {
                _ = try TemporaryFile(beside: place.path)
            } else if access(place.path, W_OK) != 0 {
                throw SystemError(code: errno)
            }
        } catch { throw fault(path, error.code) }
    }

    /// Where the bytes for `path` go: to a file, or to something that must not be replaced by one.
    private static func place(_ path: String) throws(MediaError) -> (path: String, isFile: Bool) {
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: "write", subject: path, reason: "the path holds a NUL byte")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return (path, true) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw fault(path, EISDIR)
        case S_IFREG:
            guard let resolved = realpath(path, nil) else { throw fault(path, errno) }
            defer { free(resolved) }
            return (String(cString: resolved), true)
        default: return (path, false)
        }
    }

    private static func fault(_ path: String, _ code: Int32) -> MediaError {
        let advice: String? =
            switch code {
            case ENOENT: "make the folder first"
            case ENOSPC, EDQUOT: "free some space and run again"
            default: nil
            }
        return MediaError(.io, step: "write", subject: path, reason: systemReason(code), advice: advice)
    }

    /// Writes `bytes` to standard output. Throws an `io` error where its reader has gone or its disk is full.
    public static func writeToStandardOutput(_ bytes: [UInt8]) throws(MediaError) {
        do { try writeAll(bytes, to: 1) } catch {
            throw MediaError(.io, step: "write", subject: "standard output", reason: systemReason(error.code))
        }
    }

    /// Removes what unfinished writes have left under a hidden name, for a process that is about to end in the middle of them.
    package static func discardUnfinished() { TemporaryFile.discardAll() }

    /// Whether two paths lead to the same file.
    public static func isSame(_ a: String, _ b: String) -> Bool {
        FileIdentity(of: a).map { $0 == FileIdentity(of: b) } ?? false
    }
}

private struct SystemError: Error {
    var code: Int32
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var done = 0
    while done < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + done, $0.count - done) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError(code: count < 0 ? errno : EIO) }
        done += count
    }
}

/// A file that has no name yet, or a hidden one, and vanishes with this object unless it is renamed.
private final class TemporaryFile {
    private let descriptor: Int32
    /// nil while the file has no name at all.
    private var name: String?
    private let hiddenName: String

    /// The hidden names of this process.
    private static let names = Mutex<Set<String>>([])

    static func discardAll() {
        names.withLock { names in
            for name in names { unlink(name) }
        }
    }

    init(beside path: String) throws(SystemError) {
        let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        let folder = cut == path.startIndex ? "." : String(path[..<cut])
        // Short enough for any file system, whatever the script.
        let start = Substring(path[cut...].unicodeScalars.prefix(48))
        hiddenName = "\(folder)/.\(start).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
        let unnamed = wr_open_unnamed(folder, 0o666)
        if unnamed >= 0 {
            descriptor = unnamed
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { throw SystemError(code: errno) }
        descriptor = open(hiddenName, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        take(hiddenName)
    }

    deinit {
        close(descriptor)
        guard let name else { return }
        unlink(name)
        take(nil)
    }

    private func take(_ newName: String?) {
        Self.names.withLock { names in
            if let name { names.remove(name) }
            if let newName { names.insert(newName) }
        }
        name = newName
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        try writeAll(bytes, to: descriptor)
    }

    func flush(expecting count: Int) throws(SystemError) {
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw SystemError(code: errno) }
        guard Int(status.st_size) == count else { throw SystemError(code: EIO) }
    }

    func rename(to path: String) throws(SystemError) {
        if name == nil {
            // Before there is such a file, so that one that has just been made is not missed at the end of the process.
            take(hiddenName)
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, hiddenName, AT_SYMLINK_FOLLOW) == 0 else {
                throw SystemError(code: errno)
            }
        }
        guard renameFile(hiddenName, path) == 0 else { throw SystemError(code: errno) }
        take(nil)
    }
}

/// `rename(2)`, apart from the method of the same name.
private func renameFile(_ old: String, _ new: String) -> Int32 { rename(old, new) }
