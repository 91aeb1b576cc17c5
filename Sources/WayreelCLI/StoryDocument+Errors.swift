package import WayreelMedia

extension StoryDocument {
    /// Prints everything that is wrong with a story and the files that it names, and throws where that is an error.
    package static func reportErrors(in path: String) throws {
        let document = try StoryDocument.read(path: path).checked(in: path.folder)
        guard document.story == nil else { return }
        for issue in document.issues where issue.severity == .error { Console.error(issue.description) }
        throw Outcome.failed
    }
}

extension Story {
    /// The story of a document. Where it has errors, prints its issues and throws.
    package static func document(at path: String) throws -> Story {
        let document = try StoryDocument.read(path: path)
        guard let story = document.story else {
            for issue in document.issues { Console.error(issue.description) }
            throw Outcome.failed
        }
        return story
    }
}
