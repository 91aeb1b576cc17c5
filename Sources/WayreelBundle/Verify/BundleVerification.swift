internal import Glibc
public import WayreelCore
internal import WayreelStory

/// The result of checking a bundle.
public struct BundleVerification: Hashable, Sendable, Codable {
    public struct Issue: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The path in the bundle.
        public var path: String
        public var reason: String

        public var description: String { "\(path): \(reason)" }
    }

    public var path: String
    public var story: String
    /// The number of files that were hashed and decoded.
    public var files: Int
    public var bytes: Int
    /// The issues in the order of the bundle; empty if it is intact.
    public var issues: [Issue]
}

extension StoryBundle {
    /// Checks the bundle in a folder: every hash, every reference from the story to its media, and whether every file
    /// decodes.
    ///
    /// Throws a ``MediaError`` if there is no bundle, or its manifest cannot be read.
    public static func verify(
        _ path: String, on pool: WorkPool = .shared, cancellation: Cancellation = Cancellation()
    ) async throws -> BundleVerification {
        let bundle = try StoryBundle.open(path)
        let manifest = try bundle.manifest()
        var issues = try await pool.run { (_) throws(MediaError) in try bundle.referenceIssues(manifest) }
        // A treatment's file is what its author gave: it was read with the story, and the hash says that it is the
        // same.
        let copies = Set(manifest.media.filter { $0.role == .treatment }.map(\.path))
        let found = try await withThrowingTaskGroup(of: (Int, [BundleVerification.Issue]).self) { group in
            for (index, file) in manifest.files.enumerated() {
                group.addTask {
                    try await pool.run { (_) throws(MediaError) in
                        (index, try bundle.issues(of: file, decodes: !copies.contains(file.path), cancellation))
                    }
                }
            }
            var found: [Int: [BundleVerification.Issue]] = [:]
            for try await (index, list) in group { found[index] = list }
            return found
        }
        for index in manifest.files.indices { issues += found[index] ?? [] }
        return BundleVerification(
            path: path, story: manifest.story.id, files: manifest.files.reduce(0) { $0 + $1.paths.count },
            bytes: manifest.mediaBytes, issues: issues)
    }

    // MARK: References

    private func referenceIssues(_ manifest: BundleManifest) throws(MediaError) -> [BundleVerification.Issue] {
        var issues: [BundleVerification.Issue] = []
        func add(_ path: String, _ reason: String) { issues.append(.init(path: path, reason: reason)) }
        // What programs and web servers read: links into the current version, or copies of their targets.
        for name in BundleFolder.versionFiles {
            let hashes = ["\(path)/\(name)", versionPath(name)].map { try? ContentHasher.read($0).hash }
            if hashes[0] == nil || hashes[0] != hashes[1] {
                add(name, "is not that of the current version; prepare the story again")
            }
        }
        let database = manifest.database
        do throws(MediaError) {
            let content = try ContentHasher.read(versionPath(database.path))
            if content.hash != database.sha256 { add(database.path, "is not the one that the manifest names") }
        } catch { add(database.path, error.reason) }
        let digest = try manifest.digest()
        if try manifestDigest() ?? digest != digest || !manifest.isContent(of: versionPath(BundleFolder.manifestName)) {
            add(BundleFolder.manifestName, "was changed after it was written; prepare the story again")
        }
        let paths = Set(manifest.files.map(\.path))
        for entry in manifest.media where !paths.contains(entry.path) {
            add(BundleFolder.manifestName, "'\(entry.source)' leads to \(entry.path), which it does not list")
        }
        for (_, map) in manifest.ground?.maps ?? [] {
            for (tile, path) in map.tiles.sorted(by: { $0.key < $1.key }) where !paths.contains(path) {
                add(BundleFolder.manifestName, "the tile \(tile) leads to \(path), which it does not list")
            }
        }
        // Players open the database, other programs the manifest.
        let known = try allMedia()
        var listed: [String: MediaFile] = [:]
        for media in known { listed[media.file.path] = media.file }
        if known.map(\.entry) != manifest.media || manifest.files.contains(where: { listed[$0.path] != $0 }) {
            add(BundleFolder.manifestName, "lists other media than \(database.path)")
        }
        for (event, sources) in try treatmentFiles() {
            let kept = Set(known.filter { $0.entry.role == .treatment && $0.entry.event == event }.map(\.entry.source))
            for source in sources where !kept.contains(source) {
                add(database.path, "the treatment of '\(event)' needs '\(source)', and it is not there")
            }
        }
        let missing = Set((manifest.missing ?? []).map(\.source))
        let languages = try languages()
        if languages != manifest.story.languages ?? [manifest.story.language] {
            add(BundleFolder.manifestName, "lists other languages than \(database.path)")
        }
        let stories = try languages.map { (language) throws(MediaError) in try wholeStory(language: language) }
        if stories[0].face != nil, missing.isEmpty {
            for role in MediaRole.drawn where !known.contains(where: { $0.entry.role == role }) {
                add(database.path, "the house has a face, and there is no \(role.rawValue) of it")
            }
        }
        for (request, needed) in stories.requests(TreatmentRecipes(), folder: nil)
        where !missing.contains(request.source) {
            for role in request.roles {
                let screens: [String?] = role.isForScreen ? manifest.screens.map(\.name) : [nil]
                for screen in screens {
                    let found = try media(for: request.source, role: role, screen: screen)
                    let lacking = (needed ?? languages).filter { language in
                        !found.contains { $0.entry.languages?.contains(language) ?? true }
                    }
                    guard !lacking.isEmpty else { continue }
                    add(
                        database.path,
                        "the story shows '\(request.source)', and there is no \(role.rawValue) of it"
                            + (screen.map { " for \($0)" } ?? "")
                            + (lacking == languages ? "" : " in \(lacking.joined(separator: ", "))"))
                }
            }
        }
        return issues
    }

    // MARK: Files

    private func issues(
        of file: MediaFile, decodes: Bool, _ cancellation: Cancellation
    ) throws(MediaError) -> [BundleVerification.Issue] {
        try cancellation.check(step: .verify)
        var issues: [BundleVerification.Issue] = []
        for part in file.all {
            do throws(MediaError) {
                let content = try ContentHasher.read("\(path)/\(part.path)")
                guard content.hash != part.sha256 else { continue }
                let reason =
                    content.bytes < part.bytes
                    ? "is cut off: \(content.bytes) of \(part.bytes) bytes" : "is not the file that was prepared"
                issues.append(.init(path: part.path, reason: reason))
            } catch {
                issues.append(.init(path: part.path, reason: error.reason))
            }
        }
        guard issues.isEmpty, decodes else { return issues }
        do throws(MediaError) { try MediaDecoding.check("\(path)/\(file.path)", file, cancellation) } catch {
            if error.kind == .cancelled { throw error }
            issues.append(.init(path: file.path, reason: error.reason))
        }
        return issues
    }
}
