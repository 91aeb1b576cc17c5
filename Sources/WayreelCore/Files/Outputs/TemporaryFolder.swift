internal import Glibc

/// Folders for temporary files.
package enum TemporaryFolders {
    /// $TMPDIR and the system's folders, starting with the one for large files.
    private static var all: [String] {
        [getenv("TMPDIR").map { String(cString: $0) } ?? "", "/var/tmp", "/tmp"].filter { !$0.isEmpty }
    }

    /// Returns the result of `make` for the first folder in which it succeeds. Throws an `io` error that names
    /// `purpose` if there is none.
    static func first<Made>(
        for purpose: String, step: MediaError.Step, subject: String? = nil,
        _ make: (_ folder: String) throws(SystemError) -> Made
    ) throws(MediaError) -> Made {
        var failure = SystemError(code: ENOENT)
        for folder in all {
            do throws(SystemError) { return try make(folder) } catch { failure = error }
        }
        throw MediaError(
            .io, code: MediaError.Code(disk: failure.code), step: step, subject: subject,
            reason: "no temporary folder is writable for \(purpose) (\(systemReason(failure.code)))",
            advice: "set TMPDIR to a writable folder")
    }

    /// Creates an empty private file that is removed with the returned object.
    static func file(step: MediaError.Step, subject: String) throws(MediaError) -> TemporaryFile {
        try first(for: "a temporary file", step: step, subject: subject) { (folder) throws(SystemError) in
            try TemporaryFile(beside: "\(folder)/wayreel", mode: 0o600)
        }
    }

    /// Creates an empty unnamed file. The caller closes it.
    package static func unnamedFile(step: MediaError.Step, subject: String) throws(MediaError) -> Int32 {
        let file = try file(step: step, subject: subject)
        let descriptor = withExtendedLifetime(file) { fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0) }
        guard descriptor >= 0 else {
            throw MediaError(.io, step: step, subject: subject, reason: systemReason(errno))
        }
        return descriptor
    }
}

/// A temporary folder that is removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Throws an `io` error that names `purpose` if no folder can be created.
    package init(for purpose: String, step: MediaError.Step) throws(MediaError) {
        path = try TemporaryFolders.first(for: purpose, step: step) { (folder) throws(SystemError) in
            var template = Array("\(folder)/wayreel-XXXXXX".utf8CString)
            return try template.withUnsafeMutableBufferPointer { (name) throws(SystemError) in
                guard mkdtemp(name.baseAddress!) != nil else { throw SystemError(code: errno) }
                return String(cString: name.baseAddress!)
            }
        }
    }

    /// Creates a hidden folder beside `output`, which is cleaned up later if the process is killed. Throws an `io`
    /// error if it cannot be created.
    package init(beside output: String) throws(MediaError) {
        path = try AtomicFolder.makeHidden(beside: Directory.resolved(output), mode: 0o700, for: output)
    }

    deinit { AtomicFolder.discard(path) }
}
