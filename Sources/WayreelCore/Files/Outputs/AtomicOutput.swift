internal import CLinux
internal import Glibc
internal import Synchronization

/// An output that appears at its path only when it is complete. Standard output (`-`), pipes and devices are streams,
/// which receive the bytes instead.
///
/// If it is released before ``finish()``, it leaves nothing behind. It must be used by one thread only.
package final class AtomicOutput: ByteSink {
    package enum Access: Sendable {
        /// ``write(_:)`` writes. A stream receives the bytes as they come.
        case sequential
        /// The caller writes through ``descriptor``, at any position. A stream receives a copy of the finished file.
        case seekable
    }

    private let path: String
    /// The path of the file to make or replace; nil for a stream.
    private let target: String?
    private let replaces: Bool
    private let access: Access
    private let content: Content
    private var pending: [UInt8] = []
    private var writtenCount = 0

    /// Where the bytes go until the output is complete.
    private enum Content {
        case file(TemporaryFile)
        /// The stream itself.
        case stream(Int32)
    }

    /// Write buffer size in bytes.
    private static let batch = 1 << 16

    /// Begins an output at `path`, or to standard output for `-`. Unless `ifExists` is `replace`, ``finish()`` throws
    /// if a file exists there by then.
    ///
    /// Throws an `io` error if no file can be created there: no such folder, no permission.
    package init(
        _ path: String, ifExists: ExistingOutput = .replace, access: Access = .sequential
    ) throws(MediaError) {
        self.path = path
        self.access = access
        replaces = ifExists == .replace
        target = try OutputFile.destination(of: path)
        if target == nil, access == .seekable {
            content = .file(try TemporaryFolders.file(step: .write, subject: Self.name(of: path)))
            return
        }
        do throws(SystemError) {
            if let target {
                content = .file(try TemporaryFile(beside: target))
            } else {
                let stream = path == "-" ? 1 : open(path, O_WRONLY | O_CLOEXEC)
                guard stream >= 0 else { throw SystemError(code: errno) }
                content = .stream(stream)
            }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    deinit {
        if case .stream(let stream) = content, path != "-" { close(stream) }
    }

    private static func name(of path: String) -> String { path == "-" ? "standard output" : path }

    /// A descriptor for reading and writing a seekable output; valid as long as this object lives.
    package var descriptor: Int32 {
        switch content {
        case .file(let file): file.descriptor
        case .stream(let stream): stream
        }
    }

    /// Bytes written so far.
    package var byteCount: Int {
        if access == .seekable, case .file(let file) = content { file.byteCount } else { writtenCount }
    }

    /// Returns the error for a failed system call on the output.
    package func fault(_ code: Int32) -> MediaError { OutputFile.fault(Self.name(of: path), code) }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        writtenCount += bytes.count
        if access == .seekable { return try pass(bytes) }
        if pending.count + bytes.count >= Self.batch {
            try flush()
            if bytes.count >= Self.batch { return try pass(bytes) }
        }
        pending.append(contentsOf: bytes)
    }

    /// Flushes the buffer, so that the reader of a pipe receives it now.
    package func flush() throws(MediaError) {
        guard !pending.isEmpty else { return }
        // Clears the buffer first: failed bytes are not written again.
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        try bytes.withBytes { (bytes) throws(MediaError) in try pass(bytes) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try checked { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
    }

    /// Writes the rest of the buffer. A file is then flushed to the disk, checked for its length and renamed to its
    /// path, and its folder is flushed. Throws an `io` error if any of that fails: the disk is full, the reader of a
    /// pipe is gone.
    package func finish() throws(MediaError) { try OutputGroup.publish([self]) }

    private func checked(_ work: () throws(SystemError) -> Void) throws(MediaError) {
        do { try work() } catch { throw fault(error.code) }
    }
}

extension AtomicOutput: UnpublishedOutput {
    /// Whether it writes to standard output, a pipe or a device, which cannot be taken back.
    package var isStream: Bool { target == nil }

    package var folder: String? { target.map(HiddenName.folder) }

    package func complete() throws(MediaError) {
        guard target != nil, case .file(let file) = content else { return }
        try flush()
        try checked { () throws(SystemError) in try file.flush(expecting: byteCount) }
    }

    package func deliver() throws(MediaError) {
        guard target == nil else { return }
        guard case .file(let file) = content else { return try flush() }
        let stream = try AtomicOutput(path)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { memory.deallocate() }
        let count = byteCount
        var done = 0
        while done < count {
            var got = 0
            try checked { () throws(SystemError) in
                got = try readAll(into: memory, from: file.descriptor, at: done)
                if got == 0 { throw SystemError(code: EIO) }
            }
            try stream.write(UnsafeRawBufferPointer(rebasing: memory[..<got]))
            done += got
        }
        try stream.finish()
    }

    package func publish(keepingReplaced: Bool) throws(MediaError) {
        guard let target, case .file(let file) = content else { return }
        try checked { () throws(SystemError) in
            if keepingReplaced, replaces {
                try file.publishKeepingReplaced(as: target)
            } else {
                try file.publish(as: target, replacing: replaces)
            }
        }
    }

    package func withdraw() {
        if let target, case .file(let file) = content { file.withdraw(from: target) }
    }

    package func discardReplaced() {
        if case .file(let file) = content { file.discardReplaced() }
    }
}

extension OutputFile {
    /// Writes `bytes` to a temporary file, flushes and verifies it, and renames it to `path`; `-` is standard output.
    ///
    /// The target of a symbolic link is replaced, not the link. Pipes and devices such as `/dev/null` receive the bytes
    /// directly.
    ///
    /// Throws an `io` error, with nothing left behind, if any of that fails: no such folder, no permission, disk full.
    /// Even a killed process leaves nothing behind if the file system has unnamed files (`O_TMPFILE`; ext4, XFS, Btrfs,
    /// tmpfs).
    public static func write(
        _ bytes: [UInt8], to path: String, ifExists: ExistingOutput = .replace
    ) throws(MediaError) {
        let output = try AtomicOutput(path, ifExists: ifExists)
        try output.write(bytes)
        try output.finish()
    }
}

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
