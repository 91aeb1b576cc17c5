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
