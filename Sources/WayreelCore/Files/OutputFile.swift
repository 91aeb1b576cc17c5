internal import Glibc

/// Writes files atomically: a path holds either its previous content or the complete new file.
public enum OutputFile {
    /// Writes `bytes` to a temporary file, flushes and verifies it, and renames it to `path`.
    ///
    /// The target of a symbolic link is replaced, not the link. Pipes and devices such as `/dev/null` receive the bytes
    /// directly.
    ///
    /// Throws an `io` error, with nothing left behind, if any of that fails: no such folder, no permission, disk full.
    /// Even a killed process leaves nothing behind if the file system has unnamed files (`O_TMPFILE`; ext4, XFS, Btrfs,
    /// tmpfs).
    public static func write(
        _ bytes: [UInt8], to path: String, ifExists: ExistingOutput = .replace
    ) throws(MediaError) {
        let sink = try OutputSink(path, ifExists: ifExists)
        try sink.write(bytes)
        try sink.finish()
    }

    /// Throws the error that ``write(_:to:)`` would throw if no file can be created beside `path`.
    package static func checkWritable(_ path: String) throws(MediaError) {
        let destination = try destination(of: path)
        do throws(SystemError) {
            if destination.isFile {
                _ = try TemporaryFile(beside: destination.path)
            } else if access(destination.path, W_OK) != 0 {
                throw SystemError(code: errno)
            }
        } catch { throw fault(path, error.code) }
    }

    /// Resolves `path` to a file to replace, or to a device or pipe to write to.
    static func destination(of path: String) throws(MediaError) -> (path: String, isFile: Bool) {
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .write, subject: path, reason: "the path contains a NUL byte")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return (path, true) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw fault(path, EISDIR)
        case S_IFREG:
            guard let resolved = realpath(path, nil) else { throw fault(path, errno) }
            defer { free(resolved) }
            return (String(cString: resolved), true)
        default: return (path, false)
        }
    }

    /// Returns the error for an output that exists and must not be replaced.
    package static func existsAlready(_ path: String) -> MediaError {
        MediaError(
            .io, code: .outputExists, step: .write, subject: path, reason: "already exists",
            advice: "use \(.ifExistsReplace) to overwrite it")
    }

    static func fault(_ path: String, _ code: Int32) -> MediaError {
        if code == EEXIST { return existsAlready(path) }
        return MediaError(
            system: code, step: .write, subject: path, advice: code == ENOENT ? "create the folder first" : nil)
    }

    /// Writes `bytes` to standard output. Throws an `io` error if its reader is gone or its disk is full.
    public static func writeToStandardOutput(_ bytes: [UInt8]) throws(MediaError) {
        let sink = OutputSink.standardOutput()
        try sink.write(bytes)
        try sink.finish()
    }

    /// Removes unfinished outputs of this process before it exits early.
    package static func discardUnfinished() {
        TemporaryFile.discardAll()
        OutputFolder.discardAll()
    }

    /// Removes unfinished outputs of another process, which has ended, beside these paths.
    package static func discardUnfinished(of process: Int32, beside paths: [String]) {
        for path in paths where path != "-" {
            HiddenName.removeLeft(by: process, beside: Directory.resolved(path))
        }
    }

    /// Removes unfinished outputs of ended processes in a folder.
    package static func discardUnfinished(in folder: String) { HiddenName.removeLeft(in: folder) }

    /// Returns whether `name` is the name of an incomplete output.
    package static func isUnfinished(_ name: String) -> Bool { HiddenName.isOne(name) }

    /// Returns whether two paths lead to the same file.
    public static func isSame(_ a: String, _ b: String) -> Bool {
        FileIdentity(of: a).map { $0 == FileIdentity(of: b) } ?? false
    }
}

/// The action to take if an output already exists.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace
    /// Skips the task. If only some of its outputs exist, the task fails and keeps them.
    case skip
    /// Fails the task. Outputs are checked before its work and, as they are published, again: if one exists by then,
    /// those already published are removed.
    case fail
}

/// An output that is not at its path yet. The steps of ``OutputGroup/publish(_:)`` bring it there.
package protocol UnpublishedOutput: AnyObject {
    /// The folder of its path; nil for a stream.
    var folder: String? { get }

    /// Flushes it to the disk beside its path and checks it. What is at the path stays.
    func complete() throws(MediaError)
    /// Writes what goes to a stream: standard output, a pipe or a device.
    func deliver() throws(MediaError)
    /// Renames it to its path. `keepingReplaced` keeps what it replaces until ``withdraw()`` or ``discardReplaced()``.
    func publish(keepingReplaced: Bool) throws(MediaError)
    /// Takes the published output back, unless another one has taken its path. What it replaced is put back if it was
    /// kept.
    func withdraw()
    /// Removes what it has replaced.
    func discardReplaced()
}

/// The outputs of one task, which appear at their paths together.
package enum OutputGroup {
    /// Publishes all outputs or none: each is complete and on the disk beside its path before the first is renamed, and
    /// if a rename fails, those before it are undone. Only a process that is killed between two renames leaves new and
    /// old outputs side by side. Streams are written before the renames, since they cannot be taken back.
    ///
    /// Throws an `io` error: the disk is full, an output exists and may not be replaced, the reader of a pipe is gone.
    package static func publish(_ outputs: [any UnpublishedOutput]) throws(MediaError) {
        for output in outputs { try output.complete() }
        for output in outputs { try output.deliver() }
        var published: [any UnpublishedOutput] = []
        do throws(MediaError) {
            for output in outputs {
                try output.publish(keepingReplaced: outputs.count > 1)
                published.append(output)
            }
            try flushFolders(of: outputs)
        } catch {
            guard outputs.count > 1 else {
                for output in published { output.discardReplaced() }
                throw error
            }
            for output in published.reversed() { output.withdraw() }
            try? flushFolders(of: published)
            throw error
        }
        for output in outputs { output.discardReplaced() }
    }

    private static func flushFolders(of outputs: [any UnpublishedOutput]) throws(MediaError) {
        for folder in Set(outputs.compactMap(\.folder)) {
            do throws(SystemError) { try Directory.flushAfterPublishing(folder) } catch {
                throw OutputFile.fault(folder, error.code)
            }
        }
    }
}

/// Streams bytes to a file that appears at its path only when it is complete, or to standard output or a device.
///
/// If it is released before ``finish()``, it leaves nothing behind. It must be used by one thread only.
package final class OutputSink: ByteSink {
    private enum Destination {
        case file(TemporaryFile, path: String, replaces: Bool)
        case stream(Int32, isOwned: Bool)
    }

    private let name: String
    private let destination: Destination
    private var pending: [UInt8] = []
    /// Bytes written so far.
    package private(set) var byteCount = 0

    /// Write buffer size in bytes.
    private static let batch = 1 << 16

    /// Begins a file at `path`. Unless `ifExists` is `replace`, ``finish()`` throws if a file exists there by then.
    ///
    /// Throws an `io` error if no file can be created there: no such folder, no permission.
    package init(_ path: String, ifExists: ExistingOutput = .replace) throws(MediaError) {
        let target = try OutputFile.destination(of: path)
        name = path
        do throws(SystemError) {
            if target.isFile {
                destination = .file(
                    try TemporaryFile(beside: target.path), path: target.path, replaces: ifExists == .replace)
            } else {
                let descriptor = open(target.path, O_WRONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw SystemError(code: errno) }
                destination = .stream(descriptor, isOwned: true)
            }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    private init(name: String, destination: Destination) {
        self.name = name
        self.destination = destination
    }

    package static func standardOutput() -> OutputSink {
        OutputSink(name: "standard output", destination: .stream(1, isOwned: false))
    }

    /// Opens standard output for `-`, otherwise a file at `path`. Throws what ``init(_:)`` throws.
    package static func opening(
        _ path: String, ifExists: ExistingOutput = .replace
    ) throws(MediaError) -> OutputSink {
        path == "-" ? standardOutput() : try OutputSink(path, ifExists: ifExists)
    }

    deinit {
        if case .stream(let descriptor, isOwned: true) = destination { close(descriptor) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        byteCount += bytes.count
        if pending.count + bytes.count >= Self.batch {
            try flush()
            if bytes.count >= Self.batch { return try pass(bytes) }
        }
        pending.append(contentsOf: bytes)
    }

    /// Writes the rest of the buffer. A file is then flushed to the disk, checked for its length and renamed to its
    /// path, and its folder is flushed. Throws an `io` error if any of that fails: the disk is full, the reader of a
    /// pipe is gone.
    package func finish() throws(MediaError) { try OutputGroup.publish([self]) }

    /// Flushes the buffer, so that the reader of a pipe receives it now.
    package func flush() throws(MediaError) {
        guard !pending.isEmpty else { return }
        // Clears the buffer first: failed bytes are not written again.
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        try bytes.withBytes { (bytes) throws(MediaError) in try pass(bytes) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try checked { () throws(SystemError) in
            switch destination {
            case .file(let file, _, _): try file.write(bytes)
            case .stream(let descriptor, _): try writeAll(bytes, to: descriptor)
            }
        }
    }

    private func checked(_ work: () throws(SystemError) -> Void) throws(MediaError) {
        do { try work() } catch { throw OutputFile.fault(name, error.code) }
    }
}

extension OutputSink: UnpublishedOutput {
    /// Whether it writes to standard output, a pipe or a device, which cannot be taken back.
    package var isStream: Bool { folder == nil }

    package var folder: String? {
        if case .file(_, let path, _) = destination { HiddenName.folder(of: path) } else { nil }
    }

    package func complete() throws(MediaError) {
        guard case .file(let file, _, _) = destination else { return }
        try flush()
        try checked { () throws(SystemError) in try file.flush(expecting: byteCount) }
    }

    package func deliver() throws(MediaError) {
        if case .stream = destination { try flush() }
    }

    package func publish(keepingReplaced: Bool) throws(MediaError) {
        guard case .file(let file, let path, let replaces) = destination else { return }
        try checked { () throws(SystemError) in
            if keepingReplaced, replaces {
                try file.publishKeepingReplaced(as: path)
            } else {
                try file.publish(as: path, replacing: replaces)
            }
        }
    }

    package func withdraw() {
        if case .file(let file, let path, _) = destination { file.withdraw(from: path) }
    }

    package func discardReplaced() {
        if case .file(let file, _, _) = destination { file.discardReplaced() }
    }
}
