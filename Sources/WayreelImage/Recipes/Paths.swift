#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension String {
    /// The path, from `folder` unless it is absolute; nil is the working directory.
    func relative(to folder: String?) -> String {
        guard let folder, !folder.isEmpty, !hasPrefix("/"), self != "-" else { return self }
        return folder.hasSuffix("/") ? folder + self : folder + "/" + self
    }
}

extension RecipeReader.Origin {
    /// Whether both are one recipe: two paths may lead to the same file.
    func isSame(as other: Self) -> Bool {
        if case .file(let path) = self, case .file(let otherPath) = other, let id = FileIdentity(path) {
            return id == FileIdentity(otherPath)
        }
        return self == other
    }
}

/// What makes two paths the same file.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
