internal import Glibc
internal import Synchronization

/// Hidden names of incomplete outputs, beside the final path and tagged with the process that writes them:
/// `.clip.mp4.4711-3w5e.11264sgsf.wayreel-part`.
///
/// The first name requested in a folder removes the leftovers of ended processes there.
enum HiddenName {
    private static let ending = ".wayreel-part"
    private static let owner = OwnerProcess.current
    /// Folders already cleaned by this process.
    private static let cleared = Mutex<Set<String>>([])

    /// Returns a new hidden name beside `path`.
    static func beside(_ path: String) -> String {
        let folder = folder(of: path)
        if cleared.withLock({ $0.insert(folder).inserted }) { removeLeft(in: folder) }
        // The prefix keeps the name within NAME_MAX in any script.
        let start = Substring(path[startOfName(path)...].unicodeScalars.prefix(48))
        let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder)/.\(start).\(owner.text).\(unique)\(ending)"
    }

    /// `.`, or the folder with a trailing slash.
    static func folder(of path: String) -> String {
        let start = startOfName(path)
        return start == path.startIndex ? "." : String(path[..<start])
    }

    private static func startOfName(_ path: String) -> String.Index {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
    }

    /// Returns the process that owns an incomplete output; nil for other names.
    private static func owner(of name: String) -> OwnerProcess? {
        guard name.hasPrefix("."), name.hasSuffix(ending) else { return nil }
        let terms = name.dropLast(ending.count).split(separator: ".")
        guard terms.count > 1, UInt64(terms[terms.count - 1], radix: 36) != nil else { return nil }
        return OwnerProcess(terms[terms.count - 2])
    }

    static func isOne(_ name: String) -> Bool { owner(of: name) != nil }

    /// Removes the leftovers of an ended process beside `path`.
    static func removeLeft(by process: pid_t, beside path: String) {
        removeLeft(in: folder(of: path)) { $0.identifier == process }
    }

    /// Removes incomplete outputs of ended processes in a folder, except those that are still locked.
    static func removeLeft(in folder: String, where isMeant: (OwnerProcess) -> Bool = { $0.hasEnded }) {
        for name in Directory.entries(of: folder) {
            guard let owner = owner(of: name), isMeant(owner) else { continue }
            let path = "\(folder)/\(name)"
            guard let lock = OwnerLock.taking(path) else { continue }
            withExtendedLifetime(lock) { Directory.remove(path) }
        }
    }
}
