internal import CLinux
internal import Glibc
internal import WayreelCore

/// The layout of a bundle's folder, and the lock that the preparing process holds.
///
///     manifest.json -> current/manifest.json    what the bundle holds, for programs
///     story.sqlite -> current/story.sqlite      the story and its media, for players
///     current -> versions/5f3a…                 the one link that a new version replaces
///     media/3f/3fab….jpg                        files by the SHA-256 of their content
///     .wayreel/                                 the state of preparing; players never need it
struct BundleFolder: Sendable {
    /// The absolute path with symbolic links resolved.
    let path: String

    static let manifestName = "manifest.json"
    static let databaseName = "story.sqlite"
    static let currentName = "current"
    static let versionsName = "versions"
    static let mediaName = "media"
    private static let privateName = ".wayreel"

    init(path: String) { self.path = path }

    var statePath: String { "\(path)/\(Self.privateName)/state.sqlite" }
    var workPath: String { "\(path)/\(Self.privateName)/work" }

    func absolute(_ relative: String) -> String { "\(path)/\(relative)" }

    /// Creates the folder, those that it is in, and its subfolders, if they do not exist, and returns it.
    ///
    /// Throws an `io` error if that fails, or if files that are not of a bundle have the names that a bundle needs.
    static func making(_ path: String) throws(MediaError) -> BundleFolder {
        guard !path.isEmpty else {
            throw MediaError(.parameter, step: .prepare, reason: "the bundle has no path", advice: "name a folder")
        }
        for parent in parents(of: path) { try makeDirectory(parent) }
        try makeDirectory(path)
        let real: String
        do throws(SystemError) { real = try Directory.realPath(path) } catch { throw fault(path, error.code) }
        let folder = BundleFolder(path: real)
        try folder.checkNames()
        for name in [Self.privateName, Self.mediaName, Self.versionsName] { try makeDirectory(folder.absolute(name)) }
        try makeDirectory(folder.workPath)
        try Directory.flush(folder.path)
        return folder
    }

    /// Returns the folder of an existing bundle; nil if there is no such folder, or its state cannot be read.
    static func existing(_ path: String) -> BundleFolder? {
        guard let real = try? Directory.realPath(path) else { return nil }
        let folder = BundleFolder(path: real)
        return access(folder.statePath, R_OK) == 0 ? folder : nil
    }

    /// Throws an `io` error if files that are not of a bundle have the names that it needs: they are never replaced.
    private func checkNames() throws(MediaError) {
        let isOurs = access(absolute(Self.privateName), F_OK) == 0
        for name in Self.versionFiles where exists(name) && target(of: name) != Self.target(ofFile: name) {
            throw foreign(name)
        }
        if exists(Self.currentName), target(of: Self.currentName)?.hasPrefix(Self.path(ofVersion: "")) != true {
            throw foreign(Self.currentName)
        }
        if !isOurs, let name = [Self.mediaName, Self.versionsName].first(where: exists) { throw foreign(name) }
    }

    private func foreign(_ name: String) -> MediaError {
        MediaError(
            .io, step: .prepare, subject: absolute(name), reason: "is not part of a Wayreel bundle",
            advice: "prepare into a folder of its own")
    }

    private func exists(_ name: String) -> Bool {
        (try? FileStatus(absolute(name), followingLinks: false)) != nil
    }

    // MARK: Versions and links

    /// The files of a version, which links at the top of the bundle lead to.
    static let versionFiles = [databaseName, manifestName]

    /// The path of a version in the bundle.
    static func path(ofVersion name: String) -> String { "\(versionsName)/\(name)" }

    /// The links of a bundle whose current version is `version`, with their targets.
    static func links(toVersion name: String) -> [(name: String, target: String)] {
        [(currentName, path(ofVersion: name))] + versionFiles.map { ($0, target(ofFile: $0)) }
    }

    private static func target(ofFile name: String) -> String { "\(currentName)/\(name)" }

    /// Returns the target of a link of the bundle; nil if there is no link of this name.
    func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(absolute(link), &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// Points a link of the bundle to `target` by one rename.
    func link(_ name: String, to target: String) throws(MediaError) {
        guard self.target(of: name) != target else { return }
        let new = "\(workPath)/\(name)"
        unlink(new)
        guard symlink(target, new) == 0, rename(new, absolute(name)) == 0 else {
            throw Self.fault(absolute(name), errno)
        }
        try Directory.flush(path)
    }

    // MARK: Lock

    /// Takes the lock of the bundle. Throws an `io` error if another process is preparing it.
    func lock() throws(MediaError) -> OwnerLock {
        let lockPath = absolute("\(Self.privateName)/lock")
        let descriptor = open(lockPath, O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.fault(lockPath, errno) }
        close(descriptor)
        guard let lock = OwnerLock.taking(lockPath) else {
            throw MediaError(
                .io, step: .prepare, subject: path, reason: "another run is preparing this bundle",
                advice: "wait until it has ended and run again")
        }
        return lock
    }

    // MARK: Directories

    /// Returns the folders that a path is in, the outermost one first.
    private static func parents(of path: String) -> [String] {
        var parents: [String] = []
        var parent = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/").dropLast() {
            parent += part + "/"
            parents.append(parent)
        }
        return parents
    }

    static func makeDirectory(_ path: String) throws(MediaError) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw fault(path, errno) }
        do throws(SystemError) {
            guard try FileStatus(path).kind == .directory else { throw SystemError(code: ENOTDIR) }
        } catch { throw fault(path, error.code) }
    }

    /// Flushes the content of a file to the disk.
    static func flush(_ path: String) throws(MediaError) {
        do throws(SystemError) { try flushToDisk(path) } catch { throw fault(path, error.code) }
    }

    static var fault: ErrorSite { ErrorSite(.io, step: .prepare) }
}

/// Checks paths of media within a bundle. Paths that come from files are checked before they are used to open or remove
/// anything.
enum BundlePath {
    /// Whether a path has the form that publishing creates: `media/3f/3fab…`, and paths below that for HLS.
    static func isMedia(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == BundleFolder.mediaName, parts[1].count == 2 else { return false }
        let address = parts[2].prefix(64)
        return address.count == 64 && address.allSatisfy(isDigit) && address.hasPrefix(parts[1])
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !path.utf8.contains(0)
    }

    private static func isDigit(_ character: Character) -> Bool { "0123456789abcdef".contains(character) }
}

extension MediaFile {
    /// Whether all of its paths lead into the bundle's media folder, and all of its sizes are possible for files.
    var isSound: Bool { all.allSatisfy { BundlePath.isMedia($0.path) && (0...1 << 50).contains($0.bytes) } }
}
