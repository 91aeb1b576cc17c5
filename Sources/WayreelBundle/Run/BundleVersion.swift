internal import CLinux
internal import Glibc
internal import WayreelCore
internal import WayreelDocument
internal import WayreelFace
internal import WayreelStory

/// One version of a bundle: its manifest and database, which are replaced together by one rename.
struct BundleVersion {
    let plan: PreparePlan
    let folder: BundleFolder
    let store: MediaStore

    typealias Results = [String: PrepareSession.Result]

    /// Throws a `limit` error if the total size of the media exceeds the maximum.
    func check(_ results: Results) throws(MediaError) {
        guard let limit = plan.options.maxBundleBytes else { return }
        let size = files(results).reduce(0) { $0 + $1.totalBytes }
        guard size > limit else { return }
        throw MediaError(
            .limit, code: .tooManyBytes, step: .budget, subject: folder.path,
            reason: "its media have \(size) bytes; the limit is \(limit)",
            advice: "raise it with \(.maxBundleBytes)")
    }

    /// Switches the bundle to this version, unless it is already the current one, and adds what its players download to
    /// the report. Returns the names of files and links that were damaged or missing, and were made again.
    func publish(_ results: Results, _ report: inout PrepareReport) throws(MediaError) -> [String] {
        var manifest = manifest(results, report)
        for index in report.languages.indices {
            let language = report.languages[index].language
            report.languages[index].downloads = manifest.screens.map { screen in
                .init(
                    screen: screen.name,
                    bytes: manifest.downloadBytes(language: language, screen: screen.name))
            }
        }
        let name = try identity(of: manifest)
        let target = BundleFolder.path(ofVersion: name)
        let links = BundleFolder.links(toVersion: name)
        let found = links.map { folder.target(of: $0.name) }
        report.isSwitched = found[0] != target
        var repaired: [String] = []
        // An intact version is not written again, because it may be in use.
        if !isIntact(target, manifest) {
            let old = hashes(of: target)
            try write(&manifest, to: target)
            let new = hashes(of: target)
            let files = BundleFolder.versionFiles
            if !report.isSwitched { repaired = files.indices.filter { old[$0] != new[$0] }.map { files[$0] } }
        }
        for (name, target) in links { try folder.link(name, to: target) }
        // A bundle without any link is a new one.
        if found.contains(where: { $0 != nil }) { repaired += zip(links, found).filter { $1 == nil }.map(\.0.name) }
        try prune(keeping: name, manifest)
        return repaired
    }

    private func hashes(of version: String) -> [String?] {
        BundleFolder.versionFiles.map { try? ContentHasher.read(folder.absolute("\(version)/\($0)")).hash }
    }

    // MARK: Manifest

    private func files(_ results: Results) -> [MediaFile] {
        var files: [String: MediaFile] = [:]
        // If two tasks created the same file, its description is from the first one.
        for file in plan.tasks.flatMap({ results[$0.key]?.finished?.outputs ?? [] }).flatMap(\.files)
        where files[file.path] == nil {
            files[file.path] = file
        }
        return files.values.sorted { $0.path < $1.path }
    }

    private func manifest(_ results: Results, _ report: PrepareReport) -> BundleManifest {
        let story = plan.story
        var media: [MediaEntry] = []
        var ground = plan.ground
        for task in plan.tasks {
            guard let finished = results[task.key]?.finished else { continue }
            for (output, made) in zip(task.outputs, finished.outputs) {
                for use in task.uses {
                    ground?.add(made, of: use)
                    for file in made.files {
                        media.append(
                            MediaEntry(
                                source: use.source, role: output.role, screen: use.screen, event: use.event,
                                languages: use.languages, path: file.path))
                    }
                }
            }
        }
        let failed = report.tasks.compactMap { task in
            task.error.map { BundleManifest.Missing(source: task.uses.first?.source ?? "", reason: $0.reason) }
        }
        let missing = plan.failures.map { BundleManifest.Missing(source: $0.source, reason: $0.error.reason) } + failed
        let files = files(results)
        ground = ground?.withTiles
        return BundleManifest(
            version: ground == nil ? 1 : BundleManifest.currentVersion, wayreel: WayreelVersion.text,
            story: BundleManifest.StoryEntry(
                id: story.id, language: story.language,
                languages: story.languages.count > 1 ? story.languages : nil, name: story.name,
                chapters: story.chapters.count, events: story.chapters.reduce(0) { $0 + $1.events.count }),
            screens: plan.options.screens.map {
                BundleManifest.ScreenEntry(name: $0.name, width: $0.size.width, height: $0.size.height)
            },
            face: story.face.map {
                BundleManifest.FaceEntry(
                    name: $0.name ?? story.name, colors: FaceColors($0), fontWeights: fontWeights(files))
            },
            ground: ground, floors: plan.floors,
            database: BundleManifest.Database(path: BundleFolder.databaseName, bytes: 0, sha256: ""), files: files,
            media: media, credits: plan.credits.isEmpty ? nil : plan.credits,
            missing: missing.isEmpty ? nil : missing)
    }

    /// The weights of the house's font as it was made, which has all axes of the author's; nil for a font of one weight.
    private func fontWeights(_ files: [MediaFile]) -> String? {
        guard let file = files.first(where: { $0.type == "font/woff2" }),
            let weights = try? FontFile(path: folder.absolute(file.path)).weights
        else { return nil }
        return "\(weights.lowerBound) \(weights.upperBound)"
    }

    /// Returns the name of the version: the hash of all that its files are made from.
    private func identity(of manifest: BundleManifest) throws(MediaError) -> String {
        try ContentHasher.digest(
            of: [
                CanonicalJSON.text(manifest), CanonicalJSON.text(plan.story), CanonicalJSON.text(plan.translated),
                CanonicalJSON.text(plan.treatments), StoryDatabase.schema,
            ].joined(separator: "\n"))
    }

    // MARK: Writing

    /// Returns whether the version exists with this manifest and with the database that its manifest lists.
    private func isIntact(_ version: String, _ expected: BundleManifest) -> Bool {
        let path = folder.absolute(version)
        let manifestPath = "\(path)/\(BundleFolder.manifestName)"
        guard var manifest = try? BundleManifest.read(path: manifestPath), manifest.isContent(of: manifestPath),
            let database = try? ContentHasher.read("\(path)/\(BundleFolder.databaseName)")
        else { return false }
        let named = manifest.database
        manifest.database = expected.database
        return manifest == expected && database.hash == named.sha256
    }

    private func write(_ manifest: inout BundleManifest, to version: String) throws(MediaError) {
        let hidden = "\(folder.workPath)/version"
        Directory.remove(hidden)
        try BundleFolder.makeDirectory(hidden)
        let databasePath = "\(hidden)/\(BundleFolder.databaseName)"
        try StoryDatabase.write(plan.story, plan.translated, plan.treatments, manifest, to: databasePath)
        let database = try ContentHasher.read(databasePath)
        (manifest.database.bytes, manifest.database.sha256) = (database.bytes, database.hash)
        try BundleFolder.flush(databasePath)
        try OutputFile.write(manifest.json(), to: "\(hidden)/\(BundleFolder.manifestName)")
        try Directory.flush(hidden)
        let target = folder.absolute(version)
        // A damaged version is exchanged atomically, so that the path always exists.
        if rename(hidden, target) != 0 {
            guard [ENOTEMPTY, EEXIST].contains(errno), wr_rename_exchange(hidden, target) == 0 else {
                throw BundleFolder.fault(target, errno)
            }
            Directory.remove(hidden)
        }
        try Directory.flush(folder.absolute(BundleFolder.versionsName))
    }

    // MARK: Pruning

    /// Removes versions that nobody reads any more, and then media that no version needs.
    private func prune(keeping current: String, _ manifest: BundleManifest) throws(MediaError) {
        // The switch is flushed before any file of the old version is removed.
        try Directory.flush(folder.path)
        var needed = Set(manifest.files.flatMap(\.paths))
        var isKnown = true
        for name in Directory.entries(of: folder.absolute(BundleFolder.versionsName))
        where name != current && name.count == current.count {
            let path = folder.absolute(BundleFolder.path(ofVersion: name))
            let old = try? BundleManifest.read(path: "\(path)/\(BundleFolder.manifestName)")
            if let lock = OwnerLock.taking(path) {
                withExtendedLifetime(lock) { Directory.remove(path) }
            } else if let old {
                needed.formUnion(old.files.flatMap(\.paths))
            } else {
                isKnown = false
            }
        }
        // If the manifest of a version in use cannot be read, all media stay until the next run.
        if isKnown { try store.prune(keeping: needed) }
    }
}

extension FinishedTask.Output {
    /// The files as manifests list them: those of a set one by one.
    fileprivate var files: [MediaFile] {
        guard names != nil else { return [media] }
        return media.all.map { MediaFile(path: $0.path, type: media.type, bytes: $0.bytes, sha256: $0.sha256) }
    }
}

extension BundleManifest.Ground {
    /// Adds the tiles of a task.
    fileprivate mutating func add(_ output: FinishedTask.Output, of use: PlannedTask.Use) {
        for (name, path) in output.names ?? [:] {
            let key = String(name.prefix { $0 != "." })
            if let chapter = use.chapter {
                chapters[chapter]?.tiles[key] = path
            } else {
                story?.tiles[key] = path
            }
        }
    }

    /// The base maps that have tiles; nil if there are none.
    fileprivate var withTiles: BundleManifest.Ground? {
        var made = self
        if made.story?.tiles.isEmpty ?? false { made.story = nil }
        made.chapters = chapters.filter { !$0.value.tiles.isEmpty }
        return made.maps.isEmpty ? nil : made
    }
}
