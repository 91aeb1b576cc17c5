internal import Glibc

/// An output that appears at its path only when it is complete. Standard output (`-`), pipes and devices are streams,
/// which receive the bytes instead.
///
/// If it is released before ``finish()``, it leaves nothing behind. It must be used by one thread only.
package final class AtomicOutput: ByteSink {
    package enum Access: Sendable {
        /// ``write(_:)`` writes. A stream receives the bytes as they come.
        case sequential
        /// The caller writes through ``descriptor``, at any position. A stream receives a copy of the finished file.
        case seekable
    }

    private let path: String
    /// The path of the file to make or replace; nil for a stream.
    private let target: String?
    private let replaces: Bool
    private let access: Access
    private let content: Content
    private var pending: [UInt8] = []
    private var writtenCount = 0

    /// Where the bytes go until the output is complete.
    private enum Content {
        case file(TemporaryFile)
        /// The stream itself.
        case stream(Int32)
    }

    /// Write buffer size in bytes.
    private static let batch = 1 << 16

    /// Begins an output at `path`, or to standard output for `-`. Unless `ifExists` is `replace`, ``finish()`` throws
    /// if a file exists there by then.
    ///
    /// Throws an `io` error if no file can be created there: no such folder, no permission.
    package init(
        _ path: String, ifExists: ExistingOutput = .replace, access: Access = .sequential
    ) throws(MediaError) {
        self.path = path
        self.access = access
        replaces = ifExists == .replace
        target = try OutputFile.destination(of: path)
        if target == nil, access == .seekable {
            content = .file(try TemporaryFolders.file(step: .write, subject: Self.name(of: path)))
            return
        }
        do throws(SystemError) {
            if let target {
                content = .file(try TemporaryFile(beside: target))
            } else {
                let stream = path == "-" ? 1 : open(path, O_WRONLY | O_CLOEXEC)
                guard stream >= 0 else { throw SystemError(code: errno) }
                content = .stream(stream)
            }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    deinit {
        if case .stream(let stream) = content, path != "-" { close(stream) }
    }

    private static func name(of path: String) -> String { path == "-" ? "standard output" : path }

    /// A descriptor for reading and writing a seekable output; valid as long as this object lives.
    package var descriptor: Int32 {
        switch content {
        case .file(let file): file.descriptor
        case .stream(let stream): stream
        }
    }

    /// Bytes written so far.
    package var byteCount: Int {
        if access == .seekable, case .file(let file) = content { file.byteCount } else { writtenCount }
    }

    /// Returns the error for a failed system call on the output.
    package func fault(_ code: Int32) -> MediaError { OutputFile.fault(Self.name(of: path), code) }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        writtenCount += bytes.count
        if access == .seekable { return try pass(bytes) }
        if pending.count + bytes.count >= Self.batch {
            try flush()
            if bytes.count >= Self.batch { return try pass(bytes) }
        }
        pending.append(contentsOf: bytes)
    }

    /// Flushes the buffer, so that the reader of a pipe receives it now.
    package func flush() throws(MediaError) {
        guard !pending.isEmpty else { return }
        // Clears the buffer first: failed bytes are not written again.
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        try bytes.withBytes { (bytes) throws(MediaError) in try pass(bytes) }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try checked { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
    }

    /// Writes the rest of the buffer. A file is then flushed to the disk, checked for its length and renamed to its
    /// path, and its folder is flushed. Throws an `io` error if any of that fails: the disk is full, the reader of a
    /// pipe is gone.
    package func finish() throws(MediaError) { try OutputGroup.publish([self]) }

    private func checked(_ work: () throws(SystemError) -> Void) throws(MediaError) {
        do { try work() } catch { throw fault(error.code) }
    }
}

extension AtomicOutput: UnpublishedOutput {
    /// Whether it writes to standard output, a pipe or a device, which cannot be taken back.
    package var isStream: Bool { target == nil }

    package var folder: String? { target.map(HiddenName.folder) }

    package func complete() throws(MediaError) {
        guard target != nil, case .file(let file) = content else { return }
        try flush()
        try checked { () throws(SystemError) in try file.flush(expecting: byteCount) }
    }

    package func deliver() throws(MediaError) {
        guard target == nil else { return }
        guard case .file(let file) = content else { return try flush() }
        let stream = try AtomicOutput(path)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { memory.deallocate() }
        let count = byteCount
        var done = 0
        while done < count {
            var got = 0
            try checked { () throws(SystemError) in
                got = try readAll(into: memory, from: file.descriptor, at: done)
                if got == 0 { throw SystemError(code: EIO) }
            }
            try stream.write(UnsafeRawBufferPointer(rebasing: memory[..<got]))
            done += got
        }
        try stream.finish()
    }

    package func publish(keepingReplaced: Bool) throws(MediaError) {
        guard let target, case .file(let file) = content else { return }
        try checked { () throws(SystemError) in
            if keepingReplaced, replaces {
                try file.publishKeepingReplaced(as: target)
            } else {
                try file.publish(as: target, replacing: replaces)
            }
        }
    }

    package func withdraw() {
        if let target, case .file(let file) = content { file.withdraw(from: target) }
    }

    package func discardReplaced() {
        if case .file(let file) = content { file.discardReplaced() }
    }
}
