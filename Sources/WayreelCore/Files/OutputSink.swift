internal import Glibc

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
