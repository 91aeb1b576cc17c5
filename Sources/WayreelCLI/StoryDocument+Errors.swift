package import WayreelMedia

extension StoryDocument {
    /// Prints all issues of a story and of the files that it names, and throws if any is an error.
    package static func reportErrors(in path: String) throws {
        let document = try StoryDocument.read(path: path).checked(in: path.folder)
        guard document.story == nil else { return }
        for issue in document.issues where issue.severity == .error { Console.error(issue.description) }
        throw ExitReason.failed
    }
}

extension StoryDocument {
    /// Returns the story. If the document has errors, prints its issues and throws.
    package func storyOrIssues() throws -> Story {
        guard let story else {
            for issue in issues { Console.error(issue.description) }
            throw ExitReason.failed
        }
        return story
    }
}

extension Story {
    /// Returns the story of a document. If it has errors, prints its issues and throws.
    package static func document(at path: String) throws -> Story {
        try StoryDocument.read(path: path).storyOrIssues()
    }
}
