internal import Glibc
internal import Synchronization
internal import WayreelBundle
internal import WayreelCore
internal import WayreelStory

/// The bundles in the folders of a folder, by the ids of their stories. A new version of one is found at the next request; the one before
/// stays open, and its files with it, until its readers have had time to end.
final class StoryCatalog: Sendable {
    /// A version of a bundle that is open.
    struct Entry: Sendable {
        let bundle: StoryBundle
        let story: Story
        /// The folder of the version, without links: another one when the bundle is prepared anew.
        let version: String
        /// The bundle's folder.
        let path: String
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var retired: [(entry: Entry, time: ContinuousClock.Instant)] = []
    }

    private let folder: String
    private let state = Mutex(State())
    /// How long a version stays open after the next one was found.
    private let grace = Duration.seconds(600)

    /// Throws an `io` error where there is no such folder.
    init(_ folder: String) throws(MediaError) {
        self.folder = folder
        guard access(folder, R_OK | X_OK) == 0 else {
            throw MediaError(.io, step: "start", subject: folder, reason: systemReason(errno))
        }
    }

    /// All stories, sorted by id. A bundle that cannot be opened is left out. Blocks.
    func all() -> [Entry] {
        let paths = OutputFolder.entries(of: folder).sorted().map { "\(folder)/\($0)" }
        return paths.compactMap { entry(at: $0) }.sorted { $0.story.id < $1.story.id }
    }

    /// The story of an id. Blocks.
    func entry(_ id: String) -> Entry? {
        // The folder often has the story's name.
        if let known = state.withLock({ $0.entries.values.first { $0.story.id == id } }),
            let entry = entry(at: known.path), entry.story.id == id
        {
            return entry
        }
        return all().first { $0.story.id == id }
    }

    private func entry(at path: String) -> Entry? {
        guard let real = realpath("\(path)/current", nil) else { return nil }
        defer { free(real) }
        let version = String(cString: real)
        if let known = state.withLock({ $0.entries[path] }), known.version == version { return known }
        guard let bundle = try? StoryBundle.open(path), let story = try? bundle.story() else { return nil }
        let entry = Entry(bundle: bundle, story: story, version: version, path: path)
        state.withLock { state in
            let now = ContinuousClock.now
            state.retired.removeAll { now - $0.time > grace }
            if let old = state.entries.updateValue(entry, forKey: path) { state.retired.append((old, now)) }
        }
        return entry
    }
}
