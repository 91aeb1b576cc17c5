internal import Glibc
package import WayreelCore

/// Locates programs.
package enum ExecutablePath {
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The path of program `name`: itself if it contains a slash, otherwise found in `PATH`; relative to `folder`, an
    /// open descriptor or AT_FDCWD.
    ///
    /// Throws a `parameter` error if it does not exist or is not executable.
    package static func find(_ name: String, from folder: Int32 = AT_FDCWD) throws(MediaError) -> String {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw fault(name, "is not a program name", "pass a program")
        }
        if name.utf8.contains(UInt8(ascii: "/")) {
            if let reason = obstacle(name, folder) { throw fault(name, reason) }
            return name
        }
        let path = getenv("PATH").map { String(cString: $0) } ?? standardPath
        var found: String?
        for directory in path.split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = directory.isEmpty ? "./\(name)" : "\(directory)/\(name)"
            guard let reason = obstacle(candidate, folder) else { return candidate }
            if reason != systemReason(ENOENT), reason != systemReason(ENOTDIR) { found = found ?? reason }
        }
        throw fault(
            name, found ?? "not found in PATH",
            "install it, or pass its path")
    }

    private static func fault(_ name: String, _ reason: String, _ advice: MediaError.Advice? = nil) -> MediaError {
        MediaError(.parameter, step: "start", subject: name, reason: reason, advice: advice)
    }

    /// The reason why the file at `path` is not executable; nil if it is.
    private static func obstacle(_ path: String, _ folder: Int32) -> String? {
        var status = stat()
        guard fstatat(folder, path, &status, 0) == 0 else { return systemReason(errno) }
        if status.st_mode & S_IFMT == S_IFDIR { return "is a directory" }
        guard faccessat(folder, path, X_OK, AT_EACCESS) == 0 else { return "is not executable" }
        return nil
    }
}
