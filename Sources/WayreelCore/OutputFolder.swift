internal import CLinux
internal import Glibc
internal import Synchronization

/// A folder of files that stands at its path only when all of them are complete. Until then it has a hidden name beside it
/// (``HiddenName``).
///
/// Let go before ``finish()``, it leaves nothing behind. Files may be written from several threads.
package final class OutputFolder: Sendable {
    /// As it was asked for.
    package let path: String
    private let target: String
    private let hiddenPath: String
    private let unrecordedNames: @Sendable (_ folder: String) -> Set<String>
    /// Files that the caller adds to the finished folder.
    private let added = Mutex<Set<String>>([])
    private let isFinished = Atomic<Bool>(false)
    private let written = Mutex<[String: Int]>([:])

    /// With the locks that show that this process is alive.
    private static let hiddenPaths = Mutex<[String: OwnerLock]>([:])

    /// Begins a folder at `path`. A folder there is replaced if it holds nothing but files that Wayreel has recorded as its own
    /// (``FolderRecord``) or, without a record, `unrecordedNames` of the folder.
    ///
    /// Throws an `io` error where none can be made there, or where it holds other files.
    package init(
        _ path: String, unrecordedNames: @escaping @Sendable (_ folder: String) -> Set<String> = { _ in [] }
    ) throws(MediaError) {
        self.path = path
        self.unrecordedNames = unrecordedNames
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: "write", subject: path, reason: "the path holds a NUL byte")
        }
        let target = Self.resolved(path)
        self.target = target
        try Self.checkReplaceable(target, unrecordedNames, path)
        hiddenPath = try Self.makeHidden(beside: target, mode: 0o777, for: path)
    }

    deinit {
        guard !isFinished.load(ordering: .acquiring) else { return }
        Self.discard(hiddenPath)
    }

    /// Makes a folder beside `target` under a hidden name, which goes with the process if it is not discarded or finished before.
    /// `path`: what the caller calls it.
    static func makeHidden(beside target: String, mode: mode_t, for path: String) throws(MediaError) -> String {
        let hidden = HiddenName.beside(target)
        hiddenPaths.withLock { $0[hidden] = OwnerLock.none }
        guard mkdir(hidden, mode) == 0 else {
            let code = errno
            forget(hidden)
            throw OutputFile.fault(path, code)
        }
        hiddenPaths.withLock { $0[hidden] = OwnerLock(path: hidden) }
        return hidden
    }

    /// Removes a folder that was made so.
    static func discard(_ hidden: String) {
        remove(hidden)
        forget(hidden)
    }

    private static func forget(_ hidden: String) { hiddenPaths.withLock { _ = $0.removeValue(forKey: hidden) } }

    /// Without a slash at the end; what a symbolic link leads to.
    package static func resolved(_ path: String) -> String {
        guard !path.isEmpty else { return path }
        var end = path.endIndex
        while end > path.index(after: path.startIndex), path[path.index(before: end)] == "/" {
            end = path.index(before: end)
        }
        let plain = String(path[..<end])
        guard let real = realpath(plain, nil) else { return plain }
        defer { free(real) }
        return String(cString: real)
    }

    /// The names of the files that were written, with their bytes.
    package var files: [(name: String, bytes: Int)] {
        written.withLock { files in files.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 } }
    }

    /// Records a file as Wayreel's that the caller writes to `path` when the folder is finished, if that is in the folder.
    package func record(_ path: String) {
        let name = Self.absolute(path)
        let folder = Self.absolute(target) + "/"
        guard name.hasPrefix(folder), !name.contains("\n") else { return }
        added.withLock { _ = $0.insert(String(name.dropFirst(folder.count))) }
    }

    /// The path without links, also of what does not exist yet in a folder that may not exist either.
    private static func absolute(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard let slash = path.lastIndex(of: "/") else { return absolute(".") + "/" + path }
        return slash == path.startIndex ? path : absolute(String(path[..<slash])) + path[slash...]
    }

    /// Writes a file; `name` may have folders in front of it, which are made. It is flushed to the disk by ``finish()``.
    ///
    /// Throws an `io` error where that fails: disk full.
    package func write(_ parts: [UnsafeRawBufferPointer], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        var failure: Int32?
        do throws(SystemError) {
            let descriptor = try create(name, mode)
            defer { close(descriptor) }
            for part in parts { try writeAll(part, to: descriptor) }
        } catch { failure = error.code }
        if let failure { throw OutputFile.fault("\(path)/\(name)", failure) }
        written.withLock { $0[name] = parts.reduce(0) { $0 + $1.count } }
    }

    package func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        // A typed throw does not pass through the standard library's rethrowing closures of the same array.
        var failure: MediaError?
        bytes.withUnsafeBytes { buffer in
            do throws(MediaError) { try write([buffer], to: name, mode: mode) } catch { failure = error }
        }
        if let failure { throw failure }
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

    /// Flushes the files to the disk and gives the folder its name, in place of the one that stands there.
    package func finish() throws(MediaError) {
        let own = files.map(\.name) + added.withLock { Array($0) }
        try write(FolderRecord.bytes(of: own), to: FolderRecord.name)
        for (name, count) in files {
            let code = Self.flush("\(hiddenPath)/\(name)", expecting: count)
            guard code == 0 else { throw OutputFile.fault("\(path)/\(name)", code) }
        }
        try Self.checkReplaceable(target, unrecordedNames, path)
        let code = putInPlace()
        guard code == 0 else { throw OutputFile.fault(path, code) }
        isFinished.store(true, ordering: .releasing)
        Self.forget(hiddenPath)
    }

    /// Its error number, or 0.
    private func putInPlace() -> Int32 {
        if wr_rename_new(hiddenPath, target) == 0 { return 0 }
        guard errno == EEXIST else { return rename(hiddenPath, target) == 0 ? 0 : errno }
        if wr_rename_exchange(hiddenPath, target) == 0 {
            Self.remove(hiddenPath)
            return 0
        }
        // A file system that cannot exchange two names.
        let old = hiddenPath + ".old"
        guard rename(target, old) == 0 else { return errno }
        guard rename(hiddenPath, target) == 0 else {
            let code = errno
            rename(old, target)
            return code
        }
        Self.remove(old)
        return 0
    }

    private static func flush(_ file: String, expecting count: Int) -> Int32 {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { return errno }
        return Int(status.st_size) == count ? 0 : EIO
    }

    // MARK: What stands at the path

    private static func checkReplaceable(
        _ target: String, _ unrecordedNames: (String) -> Set<String>, _ path: String
    ) throws(MediaError) {
        var status = stat()
        guard stat(target, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw MediaError(
                .io, step: "write", subject: path, reason: "is a file, and the output is a folder",
                advice: "name another folder")
        }
        let files = Self.files(in: target)
        guard !files.isEmpty else { return }
        let own = FolderRecord.names(in: target) ?? unrecordedNames(target)
        if let stranger = files.first(where: { $0 != FolderRecord.name && !own.contains($0) }) {
            throw MediaError(
                .io, step: "write", subject: path,
                reason: "the folder holds '\(stranger)', which Wayreel has not written there",
                advice: "name another folder, or empty this one")
        }
    }

    /// The names of all that is in a folder and in its folders but those themselves, sorted. Links are not followed.
    private static func files(in folder: String) -> [String] {
        entries(of: folder).flatMap { name in
            let isFolder = isFolder("\(folder)/\(name)")
            return isFolder ? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
        }.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes of a file, or of all files in a folder; 0 where there is none.
    package static func byteCount(of path: String) -> Int {
        guard !isFolder(path) else {
            return entries(of: path).reduce(0) { $0 + byteCount(of: "\(path)/\($1)") }
        }
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Removes a file, or a folder and all in it. Links are removed, what they lead to is not.
    package static func remove(_ path: String) {
        guard isFolder(path) else {
            unlink(path)
            return
        }
        // Another thread may still be writing into it.
        for _ in 0..<8 {
            for name in entries(of: path) { remove("\(path)/\(name)") }
            if rmdir(path) == 0 || errno == ENOENT { return }
        }
    }

    /// Removes all that are not finished, for a process that is about to end in the middle of them.
    static func discardAll() {
        hiddenPaths.withLock { paths in
            for path in paths.keys { remove(path) }
        }
    }
}
