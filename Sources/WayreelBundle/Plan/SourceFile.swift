internal import WayreelCore
internal import WayreelImage
internal import WayreelStory
internal import WayreelStoryMedia
internal import WayreelTasks

/// A file of the story's folder, with its content's hash and its media properties.
struct SourceFile: Sendable {
    /// The path as the story names it.
    let source: String
    let path: String
    let content: FileContent
    /// The media properties; nil for a colour table, which was read with its filter, for captions, and for SVG drawings.
    let probe: FileProbe?
}

/// Hashes and probes the files of a story concurrently, each once. Results that are in the state are reused.
struct SourceReader: Sendable {
    let folder: StoryFolder
    let state: BundleState
    let hasher: ContentHasher
    let probe: IsolatedProbe?
    let options: PrepareOptions
    /// The files that only filters use, or that are only captions; they are not media.
    let textFiles: Set<String>
    /// The pictures of floor plans that are nothing else; SVG drawings among them are not probed.
    let plans: Set<String>
    let cancellation: Cancellation

    /// Returns each source as a file, or the error of reading it.
    func read(_ sources: [String], on pool: WorkPool) async throws -> [String: Result<SourceFile, MediaError>] {
        try await withThrowingTaskGroup(of: (String, Result<SourceFile, MediaError>).self) { group in
            var results: [String: Result<SourceFile, MediaError>] = [:]
            for source in sources {
                group.addTask {
                    try await pool.run { (_) throws(MediaError) -> (String, Result<SourceFile, MediaError>) in
                        try cancellation.check(step: .plan)
                        do throws(MediaError) { return (source, .success(try read(source))) } catch {
                            if error.kind == .cancelled { throw error }
                            var named = error.naming(source)
                            // The error names the file as the story does, not by its path.
                            if named.subject == "\(folder.path)/\(source)" { named.subject = source }
                            return (source, .failure(named))
                        }
                    }
                }
            }
            for try await (source, result) in group { results[source] = result }
            return results
        }
    }

    private func read(_ source: String) throws(MediaError) -> SourceFile {
        let path = try folder.file(source)
        let content = try hasher.content(of: path)
        let isDrawing = plans.contains(source) && SVGDocument.isSVG(path: path)
        let probe = isDrawing || textFiles.contains(source) ? nil : try probed(path, content.hash)
        return SourceFile(source: source, path: path, content: content, probe: probe)
    }

    private func probed(_ path: String, _ hash: String) throws(MediaError) -> FileProbe {
        if let known = try state.probe(of: hash) { return known }
        let found =
            if let probe {
                try probe.probe(
                    path: path, limits: options.limits, videoLimits: options.videoLimits, cancellation: cancellation)
            } else {
                try FileProbe.probe(
                    path: path, limits: options.limits, videoLimits: options.videoLimits, cancellation: cancellation)
            }
        try state.record(probe: found, of: hash)
        return found
    }
}

/// The story of a document, checked together with the files that it names.
struct StorySource: Sendable {
    /// The path of the document.
    let document: String
    /// With the hashes of its codes.
    let story: Story
    let folder: StoryFolder

    /// Throws a `parameter` error if the document contains an error, and the errors of reading it.
    init(document path: String) throws(MediaError) {
        document = path
        // What a file is, its probe says, so that a bundle may be completed without the files that fail.
        story = try StoryDocument.read(path: path).checked(in: path.folder, on: .today, opensMedia: false).validStory()
            .withHashedCodes()
        folder = try StoryFolder(path.folder)
    }
}
