internal import CLinux
internal import Glibc
internal import Synchronization

/// A folder that appears at its path only when all of its files are complete. Until then it has a hidden name beside
/// that path (``HiddenName``).
///
/// If it is released before ``finish()``, it leaves nothing behind. Several threads may write files.
package final class AtomicFolder: Sendable {
    /// The path as requested.
    package let path: String
    private let target: String
    private let hiddenPath: String
    private let identity: FileIdentity?
    private let ifExists: ExistingOutput
    private let flushesTogether: Bool
    private let unrecordedNames: @Sendable (_ folder: String) -> Set<String>
    private let isFinished = Atomic<Bool>(false)
    /// Whether the folder replaced none, or one that still has the hidden name.
    private let canWithdraw = Atomic<Bool>(true)
    private let written = Mutex<[String: Int]>([:])

    /// The hidden folders, with the locks that show that this process is alive; nil for one that cannot be locked.
    private static let hiddenPaths = Mutex<[String: OwnerLock?]>([:])

    /// Begins a folder at `path`. An existing folder is replaced if it holds only files that Wayreel has recorded as
    /// its own (``FolderRecord``) or, without a record, files named in `unrecordedNames`.
    ///
    /// `flushesTogether` is for thousands of small files: the file system is then flushed once, and not each of them.
    ///
    /// Throws an `io` error if no folder can be created at `path`, or if the existing folder holds other files.
    package init(
        _ path: String, unrecordedNames: @escaping @Sendable (_ folder: String) -> Set<String> = { _ in [] },
        ifExists: ExistingOutput = .replace, flushesTogether: Bool = false
    ) throws(MediaError) {
        self.path = path
        self.unrecordedNames = unrecordedNames
        self.ifExists = ifExists
        self.flushesTogether = flushesTogether
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .write, subject: path, reason: "the path contains a NUL byte")
        }
        let target = Directory.resolved(path)
        self.target = target
        try Self.checkReplaceable(target, unrecordedNames, path)
        hiddenPath = try Self.makeHidden(beside: target, mode: 0o777, for: path)
        identity = FileIdentity(of: hiddenPath)
    }

    deinit {
        guard !isFinished.load(ordering: .acquiring) else { return }
        Self.discard(hiddenPath)
    }

    /// Creates a hidden folder beside `target`, removed at exit unless it is discarded or finished before. Errors name
    /// it `path`.
    static func makeHidden(beside target: String, mode: mode_t, for path: String) throws(MediaError) -> String {
        let hidden = HiddenName.beside(target)
        hiddenPaths.withLock { _ = $0.updateValue(nil, forKey: hidden) }
        guard mkdir(hidden, mode) == 0 else {
            let code = errno
            forget(hidden)
            throw OutputFile.fault(path, code)
        }
        hiddenPaths.withLock { _ = $0.updateValue(OwnerLock.taking(hidden), forKey: hidden) }
        return hidden
    }

    /// Removes a folder made by ``makeHidden(beside:mode:for:)``.
    static func discard(_ hidden: String) {
        Directory.remove(hidden)
        forget(hidden)
    }

    private static func forget(_ hidden: String) { hiddenPaths.withLock { _ = $0.removeValue(forKey: hidden) } }

    /// Names and sizes of the files written so far.
    package var files: [(name: String, bytes: Int)] {
        written.withLock { files in files.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }
    }

    /// Returns the name in the folder of a file at `path`; nil for a path outside the folder.
    package func name(of path: String) -> String? {
        let name = Self.absolute(path)
        let folder = Self.absolute(target) + "/"
        return name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : nil
    }

    /// Returns the path without links, `.` and `..`. The path and its folder need not exist.
    private static func absolute(_ path: String) -> String {
        if let real = try? Directory.realPath(path) { return real }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        let parent = path.dropLast(name.count)
        // A process may run in a folder that was removed.
        guard parent != "/", path != "." else { return path }
        let folder = absolute(parent.isEmpty ? "." : String(parent.dropLast()))
        // What does not exist is no link, so that `..` leaves it for its parent.
        switch name {
        case "", ".": return folder
        case "..": return folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? folder
        default: return "\(folder)/\(name)"
        }
    }

    /// Writes a file. `name` may begin with folders, which are created. ``finish()`` flushes the file to the disk.
    ///
    /// Throws an `io` error, for example if the disk is full.
    package func write(_ parts: [UnsafeRawBufferPointer], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        do throws(SystemError) {
            let descriptor = try create(name, mode)
            defer { close(descriptor) }
            for part in parts { try writeAll(part, to: descriptor) }
        } catch { throw OutputFile.fault("\(path)/\(name)", error.code) }
        written.withLock { $0[name] = parts.reduce(0) { $0 + $1.count } }
    }

    package func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        try bytes.withBytes { (bytes) throws(MediaError) in try write([bytes], to: name, mode: mode) }
    }

    private func create(_ name: String, _ mode: UInt32) throws(SystemError) -> Int32 {
        let file = "\(hiddenPath)/\(name)"
        let flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC
        var descriptor = open(file, flags, mode)
        if descriptor < 0, errno == ENOENT {
            for cut in name.indices where name[cut] == "/" {
                guard mkdir("\(hiddenPath)/\(name[..<cut])", 0o777) == 0 || errno == EEXIST else {
                    throw SystemError(code: errno)
                }
            }
            descriptor = open(file, flags, mode)
        }
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        return descriptor
    }

    /// Flushes the files to the disk and renames the folder to its path, replacing an existing one.
    package func finish() throws(MediaError) { try OutputGroup.publish([self]) }

    /// The hidden folder and its subfolders, innermost first.
    private var folders: [String] {
        let inner = Set(
            files.flatMap { name, _ in name.indices.filter { name[$0] == "/" }.map { String(name[..<$0]) } })
        return inner.sorted(by: >).map { "\(hiddenPath)/\($0)" } + [hiddenPath]
    }

    /// Renames the folder to its path. The hidden name is then that of the folder that it replaced, if there was one.
    private func rename() throws(SystemError) {
        if wr_rename_new(hiddenPath, target) == 0 { return }
        if errno == EEXIST {
            guard ifExists == .replace else { throw SystemError(code: EEXIST) }
            return try exchange()
        }
        // Some file systems lack this rename. A plain rename replaces an empty folder only.
        guard errno == EINVAL || errno == ENOSYS else { throw SystemError(code: errno) }
        guard mkdir(target, 0o777) == 0 || errno == EEXIST && ifExists == .replace else {
            throw SystemError(code: errno)
        }
        if Glibc.rename(hiddenPath, target) == 0 { return }
        guard errno == ENOTEMPTY || errno == EEXIST, ifExists == .replace else { throw SystemError(code: errno) }
        try exchange()
    }

    /// Exchanges the hidden folder and the one at the path.
    private func exchange() throws(SystemError) {
        if wr_rename_exchange(hiddenPath, target) == 0 { return }
        // The file system cannot exchange two names.
        let aside = hiddenPath + ".old"
        guard Glibc.rename(target, aside) == 0 else { throw SystemError(code: errno) }
        guard Glibc.rename(hiddenPath, target) == 0 else {
            let code = errno
            Glibc.rename(aside, target)
            throw SystemError(code: code)
        }
        Glibc.rename(aside, hiddenPath)
    }

    private static func flush(_ path: String, expecting count: Int) throws(SystemError) {
        let file = try OpenFile(path)
        try OutputFlushing.flush(file.descriptor)
        guard file.byteCount == count else { throw SystemError(code: EIO) }
    }

    // MARK: The existing folder

    private static func checkReplaceable(
        _ target: String, _ unrecordedNames: (String) -> Set<String>, _ path: String
    ) throws(MediaError) {
        guard let status = try? FileStatus(target) else { return }
        guard status.kind == .directory else {
            throw MediaError(
                .io, step: .write, subject: path, reason: "is a file, but the output is a folder",
                advice: "choose another folder")
        }
        let files = Self.files(in: target)
        guard !files.isEmpty else { return }
        let own = FolderRecord.names(in: target) ?? unrecordedNames(target)
        if let stranger = files.first(where: { $0 != FolderRecord.name && !own.contains($0) }) {
            throw MediaError(
                .io, step: .write, subject: path,
                reason: "the folder contains '\(stranger)', which Wayreel did not write",
                advice: "choose another folder, or empty this one")
        }
    }

    /// Returns the names of all files in a folder and its subfolders, sorted. Does not follow links.
    private static func files(in folder: String) -> [String] {
        Directory.entries(of: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            return Directory.isDirectory(path, followingLinks: false)
                ? files(in: path).map { "\(name)/\($0)" } : [name]
        }.sorted()
    }

    /// Removes all unfinished folders before an early exit.
    static func discardAll() {
        hiddenPaths.withLock { paths in
            for path in paths.keys { Directory.remove(path) }
        }
    }
}

extension AtomicFolder: UnpublishedOutput {
    package var folder: String? { HiddenName.folder(of: target) }

    package func complete() throws(MediaError) {
        try write(FolderRecord.bytes(of: files.map(\.name)), to: FolderRecord.name)
        if flushesTogether { return try flushTogether() }
        for (name, count) in files {
            do throws(SystemError) { try Self.flush("\(hiddenPath)/\(name)", expecting: count) } catch {
                throw OutputFile.fault("\(path)/\(name)", error.code)
            }
        }
        do throws(SystemError) {
            for folder in folders where OutputFlushing.isDone { try Directory.flushNow(folder) }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    /// Flushes the file system, which has no errors to tell of single files, and then checks their sizes.
    private func flushTogether() throws(MediaError) {
        do throws(SystemError) {
            if OutputFlushing.isDone {
                let folder = try OpenFile(hiddenPath)
                guard wr_flush_file_system(folder.descriptor) == 0 else { throw SystemError(code: errno) }
            }
            for (name, count) in files {
                guard try FileStatus("\(hiddenPath)/\(name)").byteCount == count else { throw SystemError(code: EIO) }
            }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    package func deliver() {}

    package func publish(keepingReplaced: Bool) throws(MediaError) {
        try Self.checkReplaceable(target, unrecordedNames, path)
        do throws(SystemError) { try rename() } catch { throw OutputFile.fault(path, error.code) }
        isFinished.store(true, ordering: .releasing)
    }

    package func withdraw() {
        guard isFinished.load(ordering: .acquiring), canWithdraw.exchange(false, ordering: .acquiringAndReleasing)
        else { return }
        if identity == FileIdentity(of: target) {
            if access(hiddenPath, F_OK) != 0 {
                Glibc.rename(target, hiddenPath)
            } else if (try? exchange()) == nil {
                // The replaced folder must not be removed.
                return Self.forget(hiddenPath)
            }
        }
        Self.discard(hiddenPath)
    }

    package func discardReplaced() {
        guard isFinished.load(ordering: .acquiring) else { return }
        canWithdraw.store(ifExists != .replace, ordering: .releasing)
        Self.discard(hiddenPath)
    }
}

/// The record of the files that Wayreel made in a folder, stored in a hidden file there. A later run replaces these
/// files and no others.
enum FolderRecord {
    static let name = ".wayreel-files"
    private static let header = "# Wayreel made these files of the folder, and may replace them."
    private static let maxBytes = 64 << 20

    static func bytes(of names: some Collection<String>) -> [UInt8] {
        Array(([header] + names.sorted()).map { $0 + "\n" }.joined().utf8)
    }

    /// Returns the names in the record of a folder, or nil if it has no record.
    static func names(in folder: String) -> Set<String>? {
        let path = "\(folder)/\(name)"
        // Reading a named pipe might never end.
        guard RegularFile.byteCount(path) != nil, let bytes = try? MediaBytes.read(path: path, limit: maxBytes) else {
            return nil
        }
        let text = withExtendedLifetime(bytes) { String(validating: bytes.buffer, as: UTF8.self) }
        guard let lines = text?.split(separator: "\n").map(String.init), lines.first == header else { return nil }
        return Set(lines.dropFirst())
    }
}
