internal import Glibc
internal import Synchronization
internal import WayreelBundle
internal import WayreelCore
internal import WayreelPages
internal import WayreelStory

/// The bundles in a folder, by the ids of their stories. A new version of a bundle is found at the next request; the
/// version before stays open, with its files, until its readers have had time to finish.
final class StoryCatalog: Sendable {
    /// An open version of a bundle.
    struct Entry: Sendable {
        let bundle: StoryBundle
        /// In its own language, without its chapters.
        let story: Story
        let listing: StoryListing
        /// The folder of the version without symbolic links, which changes when the bundle is prepared again.
        let version: String
        /// The bundle's folder.
        let path: String
        /// The paths of the files that the manifest names, relative to the bundle's folder.
        let files: Set<String>
        /// The house's face; nil for that of Wayreel.
        let face: HouseFace?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var retired: [(entry: Entry, time: ContinuousClock.Instant)] = []
    }

    private let folder: String
    private let state = Mutex(State())
    /// The time for which a replaced version stays open.
    private let grace = Duration.seconds(600)

    /// Throws an `io` error if there is no such folder.
    init(_ folder: String) throws(MediaError) {
        self.folder = folder
        if access(folder, F_OK) == 0, !Directory.isDirectory(folder) {
            throw MediaError(.io, step: .start, subject: folder, reason: "is not a folder")
        }
        guard access(folder, R_OK | X_OK) == 0 else {
            throw MediaError(.io, step: .start, subject: folder, reason: systemReason(errno))
        }
    }

    /// All stories that can be opened, sorted by id. Blocks.
    func all() -> [Entry] {
        // Bundles that are being copied into the folder have hidden names.
        let names = Directory.entries(of: folder).filter { !$0.hasPrefix(".") }
        let paths = names.sorted().map { "\(folder)/\($0)" }
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

    /// The size of a file of a story; nil unless the manifest of this version, or of one that was replaced a while ago,
    /// names it, and no symbolic link leads to it. Blocks.
    func byteCount(_ file: String, of entry: Entry) -> Int? {
        let isKnown =
            entry.files.contains(file)
            || state.withLock { $0.retired.contains { $0.entry.path == entry.path && $0.entry.files.contains(file) } }
        guard isKnown else { return nil }
        var folder = entry.path
        for part in file.split(separator: "/").dropLast() {
            folder += "/\(part)"
            guard Directory.isDirectory(folder, followingLinks: false) else { return nil }
        }
        return RegularFile.byteCount("\(entry.path)/\(file)")
    }

    private func entry(at path: String) -> Entry? {
        guard let version = try? Directory.realPath("\(path)/current") else { return nil }
        if let known = state.withLock({ $0.entries[path] }), known.version == version { return known }
        guard let bundle = try? StoryBundle.open(path), let story = try? bundle.story(),
            let listing = try? StoryListing(bundle), let manifest = try? bundle.manifest()
        else { return nil }
        let entry = Entry(
            bundle: bundle, story: story, listing: listing, version: version, path: path,
            files: Set(manifest.files.flatMap(\.paths)), face: HouseFace(story, manifest))
        state.withLock { state in
            let now = ContinuousClock.now
            state.retired.removeAll { now - $0.time > grace }
            if let old = state.entries.updateValue(entry, forKey: path) { state.retired.append((old, now)) }
        }
        return entry
    }
}
