internal import Glibc
package import WayreelCore

/// Where a program is found.
package enum ExecutablePath {
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// The path of the program `name`, itself where it holds a slash, otherwise in the folders of `PATH`; seen from `folder`,
    /// an open descriptor or AT_FDCWD.
    ///
    /// Throws a `parameter` error where there is none, or it may not be executed.
    package static func find(_ name: String, from folder: Int32 = AT_FDCWD) throws(MediaError) -> String {
        guard !name.isEmpty, !name.utf8.contains(0) else {
            throw fault(name, "is no name of a program", "name one")
        }
        if name.utf8.contains(UInt8(ascii: "/")) {
            if let reason = obstacle(name, folder) { throw fault(name, reason) }
            return name
        }
        let path = getenv("PATH").map { String(cString: $0) } ?? standardPath
        var found: String?
        for place in path.split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = place.isEmpty ? "./\(name)" : "\(place)/\(name)"
            guard let reason = obstacle(candidate, folder) else { return candidate }
            if reason != systemReason(ENOENT), reason != systemReason(ENOTDIR) { found = found ?? reason }
        }
        throw fault(
            name, found ?? "there is no such program in the folders of PATH",
            "install it, or name it with its path")
    }

    private static func fault(_ name: String, _ reason: String, _ advice: String? = nil) -> MediaError {
        MediaError(.parameter, step: "start", subject: name, reason: reason, advice: advice)
    }

    /// Why the file at `path` cannot be executed; nil where it can.
    private static func obstacle(_ path: String, _ folder: Int32) -> String? {
        var status = stat()
        guard fstatat(folder, path, &status, 0) == 0 else { return systemReason(errno) }
        if status.st_mode & S_IFMT == S_IFDIR { return "is a directory" }
        guard faccessat(folder, path, X_OK, AT_EACCESS) == 0 else { return "is not executable" }
        return nil
    }
}
