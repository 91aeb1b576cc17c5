internal import Glibc

/// Names of what is not complete yet, beside the place where it is to stand: `.clip.mp4.4711-3w5e11264sgsf.part`, with the
/// process that it belongs to.
enum HiddenName {
    private static let ending = ".part"

    /// A new one beside `path`.
    static func beside(_ path: String) -> String {
        // Short enough for any file system, whatever the script.
        let start = Substring(path[startOfName(path)...].unicodeScalars.prefix(48))
        let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder(of: path))/.\(start).\(getpid())-\(unique)\(ending)"
    }

    /// `.`, or with a slash at its end.
    static func folder(of path: String) -> String {
        let start = startOfName(path)
        return start == path.startIndex ? "." : String(path[..<start])
    }

    private static func startOfName(_ path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
    }

    /// Removes what a process that has ended has left beside `path`.
    static func removeLeft(by process: pid_t, beside path: String) {
        removeLeft(in: folder(of: path)) { $0.contains(".\(process)-") }
    }

    /// Removes what processes that have ended have left in a folder where no other writes.
    static func removeLeft(in folder: String, where isMeant: (String) -> Bool = { _ in true }) {
        for name in OutputFolder.entries(of: folder)
        where name.hasPrefix(".") && name.hasSuffix(ending) && isMeant(name) {
            OutputFolder.remove("\(folder)/\(name)")
        }
    }
}
