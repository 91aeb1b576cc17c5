internal import Glibc
internal import WayreelCore

/// The media of a bundle: files named by the SHA-256 of their content. A file is complete and flushed before it gets
/// its name.
struct MediaStore: Sendable {
    let folder: BundleFolder
    let state: BundleState

    /// The outputs of a task in its work folder.
    struct Work: Sendable {
        var outputs: [PlannedTask.Output]
        /// The reported properties of the outputs, by index.
        var reports: [Int: TaskReport.Media]
        var folder: String
    }

    /// Moves the outputs of tasks from their work folders to their addresses. Flushes the content of each file before
    /// the move, and then each changed folder once for all tasks.
    ///
    /// A task that fails alone has a failure as its result. Throws an `io` error if a write that concerns all tasks
    /// fails.
    func publish(_ works: [Work]) throws(MediaError) -> [Result<[FinishedTask.Output], MediaError>] {
        let placed = works.map { work in Result { () throws(MediaError) in try place(work) } }
        let moves = placed.flatMap { (try? $0.get().moves) ?? [] }
        // Recorded first, so that files that a killed run moved are known to belong to the bundle.
        try state.recordMade(moves.map(\.target))
        let published = placed.map { placed in
            Result { () throws(MediaError) in
                let (outputs, moves) = try placed.get()
                var stamps: [String: String] = [:]
                for move in moves { stamps[move.target] = try carryOut(move) }
                return outputs.map { output in
                    FinishedTask.Output(
                        media: output.file, stamps: output.file.all.map { stamps[$0.path] ?? "" }, names: output.names)
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
        /// The path in the bundle.
        var target: String
        var content: FileContent
    }

    /// Returns the published files of a task, and the moves that publish them.
    private func place(_ work: Work) throws(MediaError) -> (outputs: [Placed], moves: [Move]) {
        var moves: [Move] = []
        var placed: [Placed] = []
        for (index, output) in work.outputs.enumerated() {
            let found = try files(of: output, in: work.folder)
            if output.isSet {
                placed.append(try Self.place(found, of: output, &moves))
                continue
            }
            let address = try Self.address(of: found.map { ($0.name, $0.content) }, output)
            var file = MediaFile(path: "", type: output.type, bytes: 0, sha256: "")
            var parts: [MediaFile.Part] = []
            for (name, source, content) in found {
                let target = output.entry == nil ? address : "\(address)/\(name)"
                moves.append(Move(source: source, target: target, content: content))
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
            placed.append(Placed(file: file))
        }
        return (placed, moves)
    }

    private struct Placed {
        var file: MediaFile
        var names: [String: String]?
    }

    /// Places each file of a set at the address of its content.
    private static func place(
        _ found: [(name: String, path: String, content: FileContent)], of output: PlannedTask.Output,
        _ moves: inout [Move]
    ) throws(MediaError) -> Placed {
        var parts: [MediaFile.Part] = []
        var names: [String: String] = [:]
        var known: Set<String> = []
        for (name, source, content) in found {
            let target = address(content.hash, ending: name)
            names[name] = target
            // Equal tiles, such as those of water, are one file.
            guard known.insert(target).inserted else { continue }
            moves.append(Move(source: source, target: target, content: content))
            parts.append(MediaFile.Part(path: target, bytes: content.bytes, sha256: content.hash))
        }
        guard let first = parts.first else { throw emptyOutput(output) }
        var file = MediaFile(path: first.path, type: output.type, bytes: first.bytes, sha256: first.sha256)
        file.parts = parts.count > 1 ? Array(parts.dropFirst()) : nil
        return Placed(file: file, names: names)
    }

    private static func emptyOutput(_ output: PlannedTask.Output) -> MediaError {
        MediaError(.encoding, step: .prepare, subject: output.name, reason: "holds no file")
    }

    private static func address(_ hash: String, ending name: String) -> String {
        let ending = name.fileExtension.map { ".\($0)" } ?? ""
        return "\(BundleFolder.mediaName)/\(hash.prefix(2))/\(hash)\(ending)"
    }

    /// Returns the files of an output with their names, paths and content.
    private func files(
        of output: PlannedTask.Output, in work: String
    ) throws(MediaError) -> [(name: String, path: String, content: FileContent)] {
        let isFolder = output.entry != nil || output.isSet
        let root = isFolder ? "\(work)/\(output.name)" : work
        let names = isFolder ? try Self.tree(root).sorted() : [output.name]
        return try names.map { (name) throws(MediaError) in
            (name, "\(root)/\(name)", try ContentHasher.read("\(root)/\(name)"))
        }
    }

    /// Returns the paths of all files below a folder, without hidden files, which only preparing needs.
    private static func tree(_ root: String) throws(MediaError) -> [String] {
        var names: [String] = []
        for name in Directory.entries(of: root) where !name.hasPrefix(".") {
            let path = "\(root)/\(name)"
            let status: FileStatus
            do throws(SystemError) { status = try FileStatus(path, followingLinks: false) } catch {
                throw BundleFolder.fault(path, error.code)
            }
            if status.kind == .directory {
                names += try tree(path).map { "\(name)/\($0)" }
            } else {
                names.append(name)
            }
        }
        return names
    }

    /// Returns the path of an output in the bundle. It contains the hash of a file's content, or of a folder's
    /// ``ContentList``.
    private static func address(
        of files: [(String, FileContent)], _ output: PlannedTask.Output
    ) throws(MediaError) -> String {
        guard let first = files.first else { throw emptyOutput(output) }
        let isFolder = output.entry != nil
        let hash = isFolder ? ContentList.digest(files.map { ($0.0, $0.1.hash) }) : first.1.hash
        return address(hash, ending: isFolder ? "" : output.name)
    }

    /// Moves a file to its address, or keeps the existing file there if it has the same content. Returns its stamp.
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
        try BundleFolder.flush(move.source)
        guard rename(move.source, target) == 0 else { throw BundleFolder.fault(target, errno) }
        guard let stamp = FileStamp(of: target) else { throw BundleFolder.fault(target, ENOENT) }
        return stamp.text
    }

    /// Returns the folders that contain a path of the bundle, the outermost first.
    private static func parents(of path: String) -> [String] {
        path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) }
    }

    // MARK: State of tasks

    /// Whether the bundle holds the outputs of a task.
    enum Standing {
        case finished(FinishedTask)
        /// The task has to run again: the file at this path, which the bundle created, is damaged or missing.
        case damaged(String)
        case absent
    }

    func standing(of planned: PlannedTask) throws(MediaError) -> Standing {
        guard let known = try state.task(planned.key) else { return .absent }
        if let finished = try finished(planned, known) { return .finished(finished) }
        return try damagedFile(of: known).map { .damaged($0) } ?? .absent
    }

    /// Returns the finished task if all of its files exist with the recorded content; nil otherwise. Hashes files with
    /// changed stamps again, and records their new stamps.
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

    /// Returns the path of a file of the task that is damaged or missing; nil if there is none, or if the bundle
    /// removed the file itself.
    private func damagedFile(of task: FinishedTask) throws(MediaError) -> String? {
        for file in task.outputs.flatMap(\.media.all) {
            guard BundlePath.isMedia(file.path), try state.isMade(file.path) else { continue }
            let content = try? ContentHasher.read(folder.absolute(file.path))
            if content?.hash != file.sha256 { return file.path }
        }
        return nil
    }

    /// Removes files that the bundle created and that are not in `needed`, and the folders that become empty.
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
