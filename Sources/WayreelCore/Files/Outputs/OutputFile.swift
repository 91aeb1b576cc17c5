internal import Glibc

/// Writes files atomically: a path holds either its previous content or the complete new file.
public enum OutputFile {
    /// Throws the error that ``write(_:to:)`` would throw if no file can be created beside `path`.
    package static func checkWritable(_ path: String) throws(MediaError) {
        let target = try destination(of: path)
        do throws(SystemError) {
            if let target {
                _ = try TemporaryFile(beside: target)
            } else if path != "-", access(path, W_OK) != 0 {
                throw SystemError(code: errno)
            }
        } catch { throw fault(path, error.code) }
    }

    /// Returns the path of the file to make or replace; nil for standard output, a device or a pipe, which is written
    /// to.
    static func destination(of path: String) throws(MediaError) -> String? {
        guard path != "-" else { return nil }
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .write, subject: path, reason: "the path contains a NUL byte")
        }
        switch (try? FileStatus(path))?.kind {
        case nil: return path
        case .directory: throw fault(path, EISDIR)
        case .file: do { return try Directory.realPath(path) } catch { throw fault(path, error.code) }
        default: return nil
        }
    }

    /// Returns the error for an output that exists and must not be replaced.
    package static func existsAlready(_ path: String) -> MediaError {
        MediaError(
            .io, code: .outputExists, step: .write, subject: path, reason: "already exists",
            advice: "use \(.ifExistsReplace) to overwrite it")
    }

    static func fault(_ path: String, _ code: Int32) -> MediaError {
        if code == EEXIST { return existsAlready(path) }
        return MediaError(
            system: code, step: .write, subject: path, advice: code == ENOENT ? "create the folder first" : nil)
    }

    /// Writes `bytes` to standard output. Throws an `io` error if its reader is gone or its disk is full.
    public static func writeToStandardOutput(_ bytes: [UInt8]) throws(MediaError) {
        try write(bytes, to: "-")
    }

    /// Removes unfinished outputs of this process before it exits early.
    package static func discardUnfinished() {
        TemporaryFile.discardAll()
        AtomicFolder.discardAll()
    }

    /// Removes unfinished outputs of another process, which has ended, beside these paths.
    package static func discardUnfinished(of process: Int32, beside paths: [String]) {
        for path in paths where path != "-" {
            HiddenName.removeLeft(by: process, beside: Directory.resolved(path))
        }
    }

    /// Removes unfinished outputs of ended processes in a folder.
    package static func discardUnfinished(in folder: String) { HiddenName.removeLeft(in: folder) }

    /// Returns whether `name` is the name of an incomplete output.
    package static func isUnfinished(_ name: String) -> Bool { HiddenName.isOne(name) }

    /// Returns whether two paths lead to the same file.
    public static func isSame(_ a: String, _ b: String) -> Bool {
        FileIdentity(of: a).map { $0 == FileIdentity(of: b) } ?? false
    }
}
