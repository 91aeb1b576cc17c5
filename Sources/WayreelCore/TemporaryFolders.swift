internal import Glibc

/// Where files without a place of their own may be kept.
package enum TemporaryFolders {
    /// $TMPDIR, and those of the system, whose first one is for what may be large.
    private static var all: [String] {
        [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"].compactMap(\.self)
    }

    /// What `make` gives for the first folder that it succeeds in. Throws an `io` error where there is none: no place for
    /// `purpose`.
    static func first<Made>(
        for purpose: String, step: String, subject: String? = nil,
        _ make: (_ folder: String) throws(SystemError) -> Made
    ) throws(MediaError) -> Made {
        var failure = SystemError(code: ENOENT)
        for folder in all {
            do throws(SystemError) { return try make(folder) } catch { failure = error }
        }
        throw MediaError(
            .io, step: step, subject: subject,
            reason: "there is no place for \(purpose) (\(systemReason(failure.code)))",
            advice: "set TMPDIR to a folder that is writable")
    }

    /// An empty file that nobody else can open, which goes with the object.
    static func file(step: String, subject: String) throws(MediaError) -> TemporaryFile {
        try first(for: "a temporary file", step: step, subject: subject) { (folder) throws(SystemError) in
            try TemporaryFile(beside: "\(folder)/wayreel", mode: 0o600)
        }
    }

    /// An empty file without a name, which the caller closes.
    package static func unnamedFile(step: String, subject: String) throws(MediaError) -> Int32 {
        let file = try file(step: step, subject: subject)
        let descriptor = withExtendedLifetime(file) { fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0) }
        guard descriptor >= 0 else {
            throw MediaError(.io, step: step, subject: subject, reason: systemReason(errno))
        }
        return descriptor
    }
}

/// A folder that goes with this object, and all that is in it.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Throws an `io` error where there is no place for `purpose`.
    package init(for purpose: String, step: String) throws(MediaError) {
        path = try TemporaryFolders.first(for: purpose, step: step) { (folder) throws(SystemError) in
            var template = Array("\(folder)/wayreel-XXXXXX".utf8CString)
            return try template.withUnsafeMutableBufferPointer { (name) throws(SystemError) in
                guard mkdtemp(name.baseAddress!) != nil else { throw SystemError(code: errno) }
                return String(cString: name.baseAddress!)
            }
        }
    }

    /// Beside the output at `output`, under a hidden name by which it is found again where the process is killed. Throws an `io`
    /// error where none can be made there.
    package init(beside output: String) throws(MediaError) {
        path = try OutputFolder.makeHidden(beside: OutputFolder.resolved(output), mode: 0o700, for: output)
    }

    deinit { OutputFolder.discard(path) }
}
