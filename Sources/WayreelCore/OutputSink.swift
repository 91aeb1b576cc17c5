internal import Glibc

/// Streams bytes to a file that appears at its path only when it is complete, or to standard output or a device.
///
/// Released before ``finish()``, it leaves nothing behind. Belongs to one thread.
package final class OutputSink: ByteSink {
    private enum Place {
        case file(TemporaryFile, path: String, replaces: Bool)
        case stream(Int32, isOwned: Bool)
    }

    private let name: String
    private let place: Place
    private var pending: [UInt8] = []
    /// Bytes written so far.
    package private(set) var byteCount = 0

    /// Write buffer size in bytes.
    private static let batch = 1 << 16

    /// Begins a file at `path`. Unless `ifExists` is `replace`, ``finish()`` throws where there is one by then.
    ///
    /// Throws an `io` error where none can be made there: no such folder, no permission.
    package init(_ path: String, ifExists: ExistingOutput = .replace) throws(MediaError) {
        let target = try OutputFile.place(path)
        name = path
        do throws(SystemError) {
            if target.isFile {
                place = .file(
                    try TemporaryFile(beside: target.path), path: target.path, replaces: ifExists == .replace)
            } else {
                let descriptor = open(target.path, O_WRONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw SystemError(code: errno) }
                place = .stream(descriptor, isOwned: true)
            }
        } catch { throw OutputFile.fault(path, error.code) }
    }

    private init(name: String, place: Place) {
        self.name = name
        self.place = place
    }

    package static func standardOutput() -> OutputSink {
        OutputSink(name: "standard output", place: .stream(1, isOwned: false))
    }

    /// Standard output for `-`, else a file that is to stand at `path`. Throws what ``init(_:)`` throws.
    package static func opening(
        _ path: String, ifExists: ExistingOutput = .replace
    ) throws(MediaError) -> OutputSink {
        path == "-" ? standardOutput() : try OutputSink(path, ifExists: ifExists)
    }

    deinit {
        if case .stream(let descriptor, isOwned: true) = place { close(descriptor) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        byteCount += bytes.count
        if pending.count + bytes.count >= Self.batch {
            try flush()
            if bytes.count >= Self.batch { return try pass(bytes) }
        }
        pending.append(contentsOf: bytes)
    }

    /// Hands over what is still gathered and, where this is a file, flushes it to the disk, checks its length, gives it its
    /// name and flushes its folder. Throws an `io` error where any of that fails: disk full, the reader of a pipe has gone.
    package func finish() throws(MediaError) {
        try flush()
        guard case .file(let file, let path, let replaces) = place else { return }
        try checked { () throws(SystemError) in
            try file.flush(expecting: byteCount)
            try file.publish(as: path, replacing: replaces)
        }
    }

    /// Flushes the buffer, so that the reader of a pipe receives it now.
    package func flush() throws(MediaError) {
        guard !pending.isEmpty else { return }
        // Clears the buffer first: failed bytes are not written again.
        let bytes = pending
        pending.removeAll(keepingCapacity: true)
        var failure: MediaError?
        bytes.withUnsafeBytes { buffer in
            do throws(MediaError) { try pass(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        try checked { () throws(SystemError) in
            switch place {
            case .file(let file, _, _): try file.write(bytes)
            case .stream(let descriptor, _): try writeAll(bytes, to: descriptor)
            }
        }
    }

    private func checked(_ work: () throws(SystemError) -> Void) throws(MediaError) {
        do { try work() } catch { throw OutputFile.fault(name, error.code) }
    }
}
