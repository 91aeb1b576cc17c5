internal import Glibc

/// Writes files atomically: a path holds either its previous content or the complete new file.
public enum OutputFile {
    /// Writes `bytes` to a temporary file, flushes and verifies it, and renames it to `path`.
    ///
    /// The target of a symbolic link is replaced, not the link. Pipes and devices such as `/dev/null` receive the bytes
    /// directly.
    ///
    /// Throws an `io` error and leaves nothing behind if the folder is missing or not writable, or the disk is full. A
    /// killed process leaves nothing behind either on file systems with `O_TMPFILE` (ext4, XFS, Btrfs, tmpfs).
    public static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let sink = try OutputSink(path)
        try sink.write(bytes)
        try sink.finish()
    }

    /// Throws the error that ``write(_:to:)`` would throw if no file can be created beside `path`.
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

    /// Resolves `path` to a file to replace, or to a device or pipe to write to.
    static func place(_ path: String) throws(MediaError) -> (path: String, isFile: Bool) {
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: "write", subject: path, reason: "the path contains a NUL byte")
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

    static func fault(_ path: String, _ code: Int32) -> MediaError {
        let advice: String? =
            switch code {
            case ENOENT: "create the folder first"
            case ENOSPC, EDQUOT: "free some space and run again"
            default: nil
            }
        return MediaError(.io, step: "write", subject: path, reason: systemReason(code), advice: advice)
    }

    /// Writes `bytes` to standard output. Throws an `io` error if its reader is gone or its disk is full.
    public static func writeToStandardOutput(_ bytes: [UInt8]) throws(MediaError) {
        let sink = OutputSink.standardOutput()
        try sink.write(bytes)
        try sink.finish()
    }

    /// Removes unfinished outputs of this process before it exits early.
    package static func discardUnfinished() {
        TemporaryFile.discardAll()
        OutputFolder.discardAll()
    }

    /// Removes unfinished outputs of another process, which has ended, for these paths.
    package static func discardUnfinished(of process: Int32, beside paths: [String]) {
        for path in paths where path != "-" {
            HiddenName.removeLeft(by: process, beside: OutputFolder.resolved(path))
        }
    }

    /// Removes unfinished outputs of ended processes in a folder.
    package static func discardUnfinished(in folder: String) { HiddenName.removeLeft(in: folder) }

    /// Whether two paths lead to the same file.
    public static func isSame(_ a: String, _ b: String) -> Bool {
        FileIdentity(of: a).map { $0 == FileIdentity(of: b) } ?? false
    }
}
