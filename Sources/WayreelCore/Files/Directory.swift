internal import Glibc

/// What the file system holds: the entries of directories, what a path is, and how it is removed.
package enum Directory {
    /// Returns the names in a directory, without `.` and `..`, in no order; none if it cannot be read.
    package static func entries(of path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
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

    /// Whether there is a directory at `path`. A link to one counts only if links are followed.
    package static func isDirectory(_ path: String, followingLinks: Bool = true) -> Bool {
        (try? FileStatus(path, followingLinks: followingLinks))?.kind == .directory
    }

    /// Returns the path with symbolic links resolved, if it exists, and without a trailing slash.
    package static func resolved(_ path: String) -> String {
        guard !path.isEmpty else { return path }
        var end = path.endIndex
        while end > path.index(after: path.startIndex), path[path.index(before: end)] == "/" {
            end = path.index(before: end)
        }
        let plain = String(path[..<end])
        return (try? realPath(plain)) ?? plain
    }

    /// Returns the absolute path without symbolic links, `.` and `..`. Throws the error of realpath(3).
    package static func realPath(_ path: String) throws(SystemError) -> String {
        guard !path.utf8.contains(0) else { throw SystemError(code: ENOENT) }
        guard let real = realpath(path, nil) else { throw SystemError(code: errno) }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the size of a file in bytes, or of all files in a directory; 0 if there is none. Does not follow links
    /// to directories.
    package static func byteCount(of path: String) -> Int {
        guard !isDirectory(path, followingLinks: false) else {
            return entries(of: path).reduce(0) { $0 + byteCount(of: "\(path)/\($1)") }
        }
        return (try? FileStatus(path))?.byteCount ?? 0
    }

    /// Removes a file, or a directory with its content. Does not follow links.
    package static func remove(_ path: String) {
        guard isDirectory(path, followingLinks: false) else {
            unlink(path)
            return
        }
        // Another thread may still be writing into the directory.
        for _ in 0..<8 {
            for name in entries(of: path) { remove("\(path)/\(name)") }
            if rmdir(path) == 0 || errno == ENOENT { return }
        }
    }

    // MARK: Flushing

    /// Flushes the entries of a directory to the disk. Without it, a renamed file may have its old name, or none,
    /// after a power failure.
    ///
    /// Throws an `io` error if the disk refuses the entries.
    package static func flush(_ path: String) throws(MediaError) {
        do throws(SystemError) { try flushNow(path) } catch { throw OutputFile.fault(path, error.code) }
    }

    static func flushNow(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // A directory may be writable but not readable. Its entries cannot be flushed.
            if errno == EACCES { return }
            throw SystemError(code: errno)
        }
        defer { close(descriptor) }
        try flushToDisk(descriptor)
    }
}

/// A folder that untrusted names refer to. Links that lead out of it are found before a file is opened.
package struct ConfinedFolder: Sendable {
    /// The path without symbolic links, `.` and `..`.
    package let path: String

    /// What a path relative to the folder leads to.
    package enum Target {
        /// The path of the folder or of something in it, without symbolic links.
        case inside(String)
        case outside
        /// Nothing is there, for the reason of this error number.
        case missing(Int32)
    }

    /// Throws an `io` error if the path does not exist.
    package init(_ path: String, step: MediaError.Step) throws(MediaError) {
        do throws(SystemError) { self.path = try Directory.realPath(path) } catch {
            throw MediaError(.io, step: step, subject: path, reason: systemReason(error.code))
        }
    }

    /// The path with a slash at its end.
    private var prefix: String { path == "/" ? path : path + "/" }

    /// Returns an absolute path relative to the folder, or nil if it does not begin with the folder's.
    package func relative(_ absolute: String) -> String? {
        absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : nil
    }

    /// Resolves the links of a path relative to the folder.
    package func target(of relative: String) -> Target {
        do throws(SystemError) {
            let resolved = try Directory.realPath(prefix + relative)
            return resolved == self.path || resolved.hasPrefix(prefix) ? .inside(resolved) : .outside
        } catch { return .missing(error.code) }
    }
}
