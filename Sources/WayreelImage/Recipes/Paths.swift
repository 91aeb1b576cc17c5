internal import WayreelCore

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
        if case .file(let path) = self, case .file(let otherPath) = other, let id = FileIdentity(of: path) {
            return id == FileIdentity(of: otherPath)
        }
        return self == other
    }
}
