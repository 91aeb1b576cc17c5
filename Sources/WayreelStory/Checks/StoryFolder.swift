package import WayreelCore

/// The folder of a story, which contains all files that the story may refer to.
package struct StoryFolder: Sendable {
    private let folder: ConfinedFolder

    /// The resolved path, without symbolic links, `.` and `..`.
    package var path: String { folder.path }

    /// Throws an `io` error if there is no such folder.
    package init(_ path: String) throws(MediaError) {
        folder = try ConfinedFolder(path.isEmpty ? "." : path, step: .read)
    }

    /// Returns the path of a regular file that a story refers to.
    ///
    /// Throws a `parameter` error if it is outside of the folder, also through a symbolic link, and an `io` error if
    /// it does not exist.
    package func file(_ name: String) throws(MediaError) -> String {
        if let (reason, advice) = Self.refusal(name) {
            throw MediaError(.parameter, step: .story, subject: name, reason: reason, advice: advice)
        }
        let joined = "\(path)/\(name)"
        try check(joined, name: name)
        return joined
    }

    /// Returns an absolute path relative to the folder, or nil if it is outside of the folder.
    package func source(of joined: String) -> String? { folder.relative(joined) }

    /// Throws if the file at an absolute path is not in the folder. Does not reveal whether a file outside of it
    /// exists.
    package func check(_ joined: String, name: String) throws(MediaError) {
        guard let source = source(of: joined), Self.contains(source) else {
            throw MediaError(
                .parameter, step: .story, subject: name, reason: "leads out of the story's folder",
                advice: "use a path in the story's folder")
        }
        switch folder.target(of: source) {
        case .missing(let code):
            throw MediaError(
                .io, step: .story, subject: name, reason: systemReason(code),
                advice: advice(onMissing: source) ?? elsewhere(source))
        case .outside:
            throw MediaError(.parameter, step: .story, subject: name, reason: "is a link out of the story's folder")
        case .inside(let path):
            guard FileStamp(of: path) == nil else { return }
            throw MediaError(.parameter, step: .story, subject: name, reason: "is not a file")
        }
    }

    /// Advice that names the file that is most like a missing one. Names on this machine differ by case, and by how
    /// accents are encoded, which other systems ignore.
    private func advice(onMissing source: String) -> MediaError.Advice? {
        var found: [String] = []
        var isSameText = true
        for part in source.split(separator: "/").map(String.init) where part != "." {
            guard case .inside(let parent) = folder.target(of: found.isEmpty ? "." : found.joined(separator: "/"))
            else { return nil }
            let names = Directory.entries(of: parent).sorted()
            if names.contains(where: { $0.utf8.elementsEqual(part.utf8) }) {
                found.append(part)
            } else if let same = names.first(where: { $0 == part }) {
                found.append(same)
            } else {
                // Some systems hide the ending of names, so that it is forgotten, or doubled.
                let small = part.lowercased()
                let like =
                    names.first { $0.lowercased() == small }
                    ?? names.first { $0.lowercased().hasPrefix("\(small).") }
                guard let name = like ?? nearestName(to: part, in: names.prefix(Self.maxSuggestions)) else {
                    return nil
                }
                isSameText = false
                found.append(name)
            }
        }
        let path = found.joined(separator: "/")
        guard case .inside = folder.target(of: path) else { return nil }
        return isSameText
            ? "there is '\(path)', whose accents are encoded in another way; rename the file, or copy its name"
            : "did you mean '\(path)'?"
    }

    /// Advice that names a file of the same name in another folder, or without the quotation marks around it.
    private func elsewhere(_ source: String) -> MediaError.Advice? {
        let bare = source.trimmedQuotes
        if bare != source, case .inside = folder.target(of: bare) {
            return "“ and ” are no quotation marks here: write \"\(bare)\""
        }
        guard let wanted = bare.split(separator: "/").last?.lowercased() else { return nil }
        var folders = ["."]
        var seen = 0
        while !folders.isEmpty, seen < Self.maxSuggestions {
            let here = folders.removeFirst()
            guard case .inside(let path) = folder.target(of: here) else { continue }
            for name in Directory.entries(of: path).sorted() where !name.hasPrefix(".") {
                seen += 1
                let inside = here == "." ? name : "\(here)/\(name)"
                if name.lowercased() == wanted, case .inside(let file) = folder.target(of: inside),
                    FileStamp(of: file) != nil
                {
                    return "did you mean '\(inside)'?"
                }
                if inside.split(separator: "/").count < 4, Directory.isDirectory("\(path)/\(name)") {
                    folders.append(inside)
                }
            }
        }
        return nil
    }

    /// So many names of a folder are searched for one that is like a missing one.
    private static let maxSuggestions = 500

    /// Whether a relative path stays in the folder by its components alone, without resolving links.
    private static func contains(_ source: String) -> Bool {
        var depth = 0
        for part in source.split(separator: "/") where part != "." {
            depth += part == ".." ? -1 : 1
            if depth < 0 { return false }
        }
        return true
    }

    private static func refusal(_ name: String) -> (reason: String, advice: MediaError.Advice)? {
        let advice: MediaError.Advice = "use a path in the story's folder"
        if name.hasPrefix("/") { return ("is an absolute path", advice) }
        if name.contains("://") { return ("is a URL", advice) }
        if name.utf8.contains(0) { return ("holds a NUL character", advice) }
        if name.contains("\\") { return ("holds a backslash", "write / between a folder and a file") }
        if name.split(separator: "/").contains("..") { return ("leads out of the story's folder", advice) }
        return nil
    }
}
