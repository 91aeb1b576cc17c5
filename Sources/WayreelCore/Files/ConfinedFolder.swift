internal import Glibc

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
    package init(_ path: String, step: String) throws(MediaError) {
        guard let resolved = Self.resolve(path) else {
            throw MediaError(.io, step: step, subject: path, reason: systemReason(errno))
        }
        self.path = resolved
    }

    /// The path with a slash at its end.
    private var prefix: String { path == "/" ? path : path + "/" }

    /// Returns an absolute path relative to the folder, or nil if it does not begin with the folder's.
    package func relative(_ absolute: String) -> String? {
        absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : nil
    }

    /// Resolves the links of a path relative to the folder.
    package func target(of relative: String) -> Target {
        guard let resolved = Self.resolve(prefix + relative) else { return .missing(errno) }
        return resolved == self.path || resolved.hasPrefix(prefix) ? .inside(resolved) : .outside
    }

    /// Returns a path without symbolic links; nil with an error number in `errno`.
    private static func resolve(_ path: String) -> String? {
        guard !path.utf8.contains(0) else {
            errno = ENOENT
            return nil
        }
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
