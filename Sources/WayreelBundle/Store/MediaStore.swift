internal import Glibc
internal import WayreelCore

/// The media of a bundle: files by the SHA-256 of their content. A file is complete and on the disk before it has its name.
struct MediaStore: Sendable {
    let folder: BundleFolder
    let state: BundleState

    /// What a task left in its work folder.
    struct Work: Sendable {
        var outputs: [PlannedTask.Output]
        /// What is known of the outputs, by their index.
        var reports: [Int: TaskReport.Media]
        var folder: String
    }

    /// Moves the outputs of tasks from their work folders to their addresses, and flushes them: their content before they have their
    /// addresses, and then the folders that have changed, each once for all tasks.
    ///
    /// A task can fail alone. Throws an `io` error where the disk does not take what concerns all of them.
    func publish(_ works: [Work]) throws(MediaError) -> [Result<[FinishedTask.Output], MediaError>] {
        let placed = works.map { work in Result { () throws(MediaError) in try place(work) } }
        let moves = placed.flatMap { (try? $0.get().moves) ?? [] }
        // Recorded first, so that what a killed run moved is known to be the bundle's.
        try state.recordMade(moves.map(\.target))
        let published = placed.map { placed in
            Result { () throws(MediaError) in
                let (files, moves) = try placed.get()
                var stamps: [String: String] = [:]
                for move in moves { stamps[move.target] = try carryOut(move) }
                return files.map { file in
                    FinishedTask.Output(media: file, stamps: file.all.map { stamps[$0.path] ?? "" })
                }
            }
        }
        for directory in Set(moves.flatMap { Self.parents(of: $0.target) }) {
            try Directory.flush(folder.absolute(directory))
        }
        return published
    }

    private struct Move {
        var source: String
        /// In the bundle.
        var target: String
        var content: FileContent
    }

    /// Where the outputs of a task go.
    private func place(_ work: Work) throws(MediaError) -> (files: [MediaFile], moves: [Move]) {
        var moves: [Move] = []
        var placed: [MediaFile] = []
        for (index, output) in work.outputs.enumerated() {
            let found = try files(of: output, in: work.folder)
            let address = try Self.address(of: found, output)
            var file = MediaFile(path: "", type: output.type, bytes: 0, sha256: "")
            var parts: [MediaFile.Part] = []
            for (name, content) in found {
                let target = output.entry == nil ? address : "\(address)/\(name)"
                moves.append(Move(source: Self.source(output, name, work.folder), target: target, content: content))
                let part = MediaFile.Part(path: target, bytes: content.bytes, sha256: content.hash)
                if output.entry == nil || name == output.entry {
                    (file.path, file.bytes, file.sha256) = (part.path, part.bytes, part.sha256)
                } else {
                    parts.append(part)
                }
            }
            file.parts = parts.isEmpty ? nil : parts
            if let known = work.reports[index] {
                (file.width, file.height, file.seconds) = (known.width, known.height, known.seconds)
            }
            placed.append(file)
        }
        return (placed, moves)
    }

    /// The files of an output with their content, by name.
    private func files(of output: PlannedTask.Output, in work: String) throws(MediaError) -> [(String, FileContent)] {
        guard output.entry != nil else {
            return [(output.name, try ContentHasher.read("\(work)/\(output.name)"))]
        }
        let root = "\(work)/\(output.name)"
        var found: [(String, FileContent)] = []
        for name in try Self.tree(root).sorted() {
            found.append((name, try ContentHasher.read("\(root)/\(name)")))
        }
        return found
    }

    private static func source(_ output: PlannedTask.Output, _ name: String, _ work: String) -> String {
        output.entry == nil ? "\(work)/\(name)" : "\(work)/\(output.name)/\(name)"
    }

    /// Paths of all files below a folder, without those that preparing alone needs.
    private static func tree(_ root: String) throws(MediaError) -> [String] {
        var names: [String] = []
        for name in OutputFolder.entries(of: root) where !name.hasPrefix(".") {
            var status = stat()
            guard lstat("\(root)/\(name)", &status) == 0 else { throw BundleFolder.fault("\(root)/\(name)", errno) }
            if status.st_mode & S_IFMT == S_IFDIR {
                names += try tree("\(root)/\(name)").map { "\(name)/\($0)" }
            } else {
                names.append(name)
            }
        }
        return names
    }

    /// A file's address is the hash of its content, a folder's that of the list of its files.
    private static func address(
        of files: [(String, FileContent)], _ output: PlannedTask.Output
    ) throws(MediaError) -> String {
        guard let first = files.first else {
            throw MediaError(.encoding, step: "prepare", subject: output.name, reason: "holds no file")
        }
        let hash: String
        var name: String
        if output.entry == nil {
            hash = first.1.hash
            let ending = output.name.lastIndex(of: ".").map { output.name[$0...] } ?? ""
            name = hash + ending
        } else {
            hash = try ContentList.digest(files.map { ($0.0, $0.1.hash) })
            name = hash
        }
        return "\(BundleFolder.mediaName)/\(hash.prefix(2))/\(name)"
    }

    /// Moves a file to its address, or leaves the one that is there where it has the same content. Returns its stamp.
    private func carryOut(_ move: Move) throws(MediaError) -> String {
        let target = folder.absolute(move.target)
        for directory in Self.parents(of: move.target).dropFirst() {
            try BundleFolder.makeDirectory(folder.absolute(directory))
        }
        if let there = FileStamp(of: target), there.bytes == move.content.bytes,
            try ContentHasher.read(target).hash == move.content.hash
        {
            unlink(move.source)
            return there.text
        }
        try Self.flush(move.source)
        guard rename(move.source, target) == 0 else { throw BundleFolder.fault(target, errno) }
        guard let stamp = FileStamp(of: target) else { throw BundleFolder.fault(target, ENOENT) }
        return stamp.text
    }

    private static func flush(_ path: String) throws(MediaError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BundleFolder.fault(path, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BundleFolder.fault(path, errno) }
    }

    /// The folders above a path of the bundle, from the outermost one on.
    private static func parents(of path: String) -> [String] {
        var parents: [String] = []
        for index in path.indices where path[index] == "/" { parents.append(String(path[..<index])) }
        return parents
    }

    // MARK: What is there

    /// What the bundle holds of a task.
    enum Standing {
        case finished(FinishedTask)
        /// It is to be made again: a file that the bundle made, by its path, is damaged or gone.
        case damaged(String)
        case absent
    }

    func standing(of planned: PlannedTask) throws(MediaError) -> Standing {
        guard let known = try state.task(planned.key) else { return .absent }
        if let finished = try finished(planned, known) { return .finished(finished) }
        return try damagedFile(of: known).map { .damaged($0) } ?? .absent
    }

    /// What is known of a task, if all of its files are there with their content; nil otherwise. Files whose stamps have changed are
    /// hashed again, and their new stamps remembered.
    private func finished(_ planned: PlannedTask, _ known: FinishedTask) throws(MediaError) -> FinishedTask? {
        var task = known
        guard task.outputs.count == planned.outputs.count,
            task.outputs.allSatisfy({ $0.media.isSound && $0.stamps.count == $0.media.all.count })
        else { return nil }
        var isMoved = false
        for index in task.outputs.indices {
            for (part, file) in task.outputs[index].media.all.enumerated() {
                let path = folder.absolute(file.path)
                guard let there = FileStamp(of: path), there.bytes == file.bytes else { return nil }
                guard there.text != task.outputs[index].stamps[part] else { continue }
                guard try ContentHasher.read(path).hash == file.sha256 else { return nil }
                task.outputs[index].stamps[part] = there.text
                isMoved = true
            }
        }
        if isMoved { try state.record([TaskRecord(task: task, key: planned.key)]) }
        return task
    }

    /// A file of a task that the bundle made, and that is damaged or gone; nil where the bundle removed it itself.
    private func damagedFile(of task: FinishedTask) throws(MediaError) -> String? {
        for file in task.outputs.flatMap(\.media.all) {
            guard BundlePath.isMedia(file.path), try state.isMade(file.path) else { continue }
            let content = try? ContentHasher.read(folder.absolute(file.path))
            if content?.hash != file.sha256 { return file.path }
        }
        return nil
    }

    /// Removes files that the bundle made and no version needs any more, with the folders that they leave empty.
    func prune(keeping needed: Set<String>) throws(MediaError) {
        let old = try state.made().filter { !needed.contains($0) }.sorted()
        for path in old where BundlePath.isMedia(path) {
            guard unlink(folder.absolute(path)) == 0 || errno == ENOENT else {
                throw BundleFolder.fault(folder.absolute(path), errno)
            }
            for directory in Self.parents(of: path).dropFirst().reversed() {
                guard rmdir(folder.absolute(directory)) == 0 else { break }
            }
        }
        try state.forgetMade(old)
    }
}
