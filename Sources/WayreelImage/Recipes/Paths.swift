internal import WayreelCore

extension String {
    /// Returns the path relative to `folder` unless it is absolute; `folder` is nil for the working directory.
    func relative(to folder: String?) -> String {
        guard let folder, !folder.isEmpty, !hasPrefix("/"), self != "-" else { return self }
        return folder.hasSuffix("/") ? folder + self : folder + "/" + self
    }
}

extension RecipeReader.Origin {
    /// Returns whether both are the same recipe: two paths may lead to one file.
    func isSame(as other: Self) -> Bool {
        if case .file(let path) = self, case .file(let otherPath) = other, let id = FileIdentity(of: path) {
            return id == FileIdentity(of: otherPath)
        }
        return self == other
    }
}
