internal import CLinux
internal import Glibc
internal import Synchronization

/// A file without a name, or with a hidden one, that is removed with this object unless it is published.
final class TemporaryFile {
    /// A descriptor for reading and writing.
    let descriptor: Int32
    /// The hidden name; nil for an unnamed file.
    private var name: String?
    private let hiddenName: String
    /// Whether the hidden name is that of the file that was replaced.
    private var holdsReplaced = false
    /// Whether the published file replaced none, or one that is kept.
    private var canWithdraw = false

    /// Hidden names used by this process.
    private static let names = Mutex<Set<String>>([])

    static func discardAll() {
        names.withLock { names in
            for name in names { unlink(name) }
        }
    }

    /// `mode` contains the permissions before the umask.
    init(beside path: String, mode: mode_t = 0o666) throws(SystemError) {
        hiddenName = HiddenName.beside(path)
        let unnamed = wr_open_unnamed(HiddenName.folder(of: path), mode)
        if unnamed >= 0 {
            descriptor = unnamed
            return
        }
        guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else { throw SystemError(code: errno) }
        descriptor = open(hiddenName, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        take(hiddenName)
        OwnerLock.lock(descriptor)
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

    /// The size in bytes; 0 if unknown.
    var byteCount: Int { (try? FileStatus(descriptor: descriptor))?.byteCount ?? 0 }

    /// Flushes the file to the disk. Throws EIO if its size is not `count`.
    func flush(expecting count: Int) throws(SystemError) {
        try OutputFlushing.flush(descriptor)
        guard byteCount == count else { throw SystemError(code: EIO) }
    }

    /// Gives the file the name `path`; the caller flushes the folder. Unless `replacing`, it fails with EEXIST if a
    /// file of that name exists, and keeps that file.
    func publish(as path: String, replacing: Bool) throws(SystemError) {
        canWithdraw = !replacing
        if replacing {
            try takeHiddenName()
            guard rename(hiddenName, path) == 0 else { throw SystemError(code: errno) }
            take(nil)
        } else if name == nil {
            try link(to: path)
        } else {
            guard renameNew(hiddenName, path) == 0 else { throw SystemError(code: errno) }
            take(nil)
        }
    }

    /// Gives the file the name `path`, and keeps the file that it replaces under a hidden name until
    /// ``withdraw(from:)`` or ``discardReplaced()``.
    func publishKeepingReplaced(as path: String) throws(SystemError) {
        try takeHiddenName()
        // Each attempt fails only if another process makes or removes the file at `path` meanwhile.
        for _ in 0..<8 {
            if wr_rename_exchange(hiddenName, path) == 0 {
                // The hidden name now belongs to the replaced file.
                guard !Directory.isDirectory(hiddenName, followingLinks: false) else {
                    wr_rename_exchange(hiddenName, path)
                    throw SystemError(code: EISDIR)
                }
                (holdsReplaced, canWithdraw) = (true, true)
                return
            }
            if errno == EINVAL || errno == ENOSYS { return try publishMovingReplaced(as: path) }
            guard errno == ENOENT else { throw SystemError(code: errno) }
            if renameNew(hiddenName, path) == 0 {
                take(nil)
                canWithdraw = true
                return
            }
            guard errno == EEXIST else { throw SystemError(code: errno) }
        }
        throw SystemError(code: EBUSY)
    }

    /// Does the same on file systems that cannot exchange two names.
    private func publishMovingReplaced(as path: String) throws(SystemError) {
        guard !Directory.isDirectory(path, followingLinks: false) else { throw SystemError(code: EISDIR) }
        let aside = HiddenName.beside(path)
        Self.names.withLock { _ = $0.insert(aside) }
        // Without links, there is no file at `path` for a moment.
        let isKept = Glibc.link(path, aside) == 0 || rename(path, aside) == 0
        guard rename(hiddenName, path) == 0 else {
            let code = errno
            if isKept {
                rename(aside, path)
                // Renaming a link to another one of the same file does nothing.
                unlink(aside)
            }
            Self.names.withLock { _ = $0.remove(aside) }
            throw SystemError(code: code)
        }
        if !isKept { Self.names.withLock { _ = $0.remove(aside) } }
        take(isKept ? aside : nil)
        (holdsReplaced, canWithdraw) = (isKept, true)
    }

    /// Removes the published file, unless another one has taken its name, and gives the name back to the file that it
    /// replaced, if that was kept.
    func withdraw(from path: String) {
        guard canWithdraw else { return }
        canWithdraw = false
        guard FileIdentity(of: path) == FileIdentity(of: descriptor) else { return discardReplaced() }
        guard let replaced = name, holdsReplaced else {
            unlink(path)
            return
        }
        guard rename(replaced, path) == 0 else { return }
        holdsReplaced = false
        take(nil)
    }

    /// Removes the file that the published one has replaced.
    func discardReplaced() {
        guard let replaced = name, holdsReplaced else { return }
        unlink(replaced)
        (holdsReplaced, canWithdraw) = (false, false)
        take(nil)
    }

    /// Links the file to a hidden name, since an unnamed file cannot be renamed over another one.
    private func takeHiddenName() throws(SystemError) {
        guard name == nil else { return }
        OwnerLock.lock(descriptor)
        // The name is recorded before the file exists, so that an exit in between removes it.
        take(hiddenName)
        try link(to: hiddenName)
    }

    private func link(to path: String) throws(SystemError) {
        guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 else {
            throw SystemError(code: errno)
        }
    }
}

/// Renames a file unless a file exists at `new`. Returns -1 and sets errno on failure.
private func renameNew(_ old: String, _ new: String) -> Int32 {
    if wr_rename_new(old, new) == 0 { return 0 }
    // Some file systems lack this rename. A link also fails if the file exists.
    guard errno == EINVAL || errno == ENOSYS, link(old, new) == 0 else { return -1 }
    return unlink(old)
}

/// Folders for temporary files.
package enum TemporaryFolders {
    /// $TMPDIR and the system's folders, starting with the one for large files.
    private static var all: [String] {
        [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"].compactMap(\.self)
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
