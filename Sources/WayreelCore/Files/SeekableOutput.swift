internal import CLinux
internal import Glibc

/// A seekable file that appears at its path only when it is complete. For standard output, pipes and devices it is
/// written to an unnamed temporary file and copied at the end.
///
/// If it is released before ``finish()``, it leaves nothing behind.
package final class SeekableOutput {
    private let path: String
    private let file: TemporaryFile
    private let destination: String?
    private let replaces: Bool

    /// Unless `ifExists` is `replace`, ``finish()`` throws if a file exists at `path` by then.
    ///
    /// Throws an `io` error if no file can be created: no such folder, no permission.
    package init(_ path: String, ifExists: ExistingOutput = .replace) throws(MediaError) {
        self.path = path
        replaces = ifExists == .replace
        let target: (path: String, isFile: Bool) = path == "-" ? ("-", false) : try OutputFile.destination(of: path)
        destination = target.isFile ? target.path : nil
        guard let destination else {
            file = try TemporaryFolders.file(step: .write, subject: path == "-" ? "standard output" : path)
            return
        }
        do throws(SystemError) { file = try TemporaryFile(beside: destination) } catch {
            throw OutputFile.fault(path, error.code)
        }
    }

    /// A descriptor for reading and writing; valid as long as this object lives.
    package var descriptor: Int32 { file.descriptor }

    package var byteCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the error for a failed system call on the file.
    package func fault(_ code: Int32) -> MediaError { OutputFile.fault(path == "-" ? "standard output" : path, code) }

    /// Flushes the file to the disk and renames or copies it. Returns its size. Throws an `io` error.
    @discardableResult
    package func finish() throws(MediaError) -> Int {
        let count = byteCount
        try OutputGroup.publish([self])
        return count
    }

    private func checked(_ work: () throws(SystemError) -> Void) throws(MediaError) {
        do { try work() } catch { throw fault(error.code) }
    }

    private func copy(_ count: Int, to sink: OutputSink) throws(MediaError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { memory.deallocate() }
        var done = 0
        while done < count {
            let got: Int
            do throws(SystemError) { got = try readAll(into: memory, from: descriptor, at: done) } catch {
                throw fault(error.code)
            }
            guard got > 0 else { throw fault(EIO) }
            try sink.write(UnsafeRawBufferPointer(rebasing: memory[..<got]))
            done += got
        }
    }
}

extension SeekableOutput: UnpublishedOutput {
    package var folder: String? { destination.map(HiddenName.folder) }

    package func complete() throws(MediaError) {
        guard destination != nil else { return }
        let count = byteCount
        try checked { () throws(SystemError) in try file.flush(expecting: count) }
    }

    package func deliver() throws(MediaError) {
        guard destination == nil else { return }
        let sink = try OutputSink.opening(path)
        try copy(byteCount, to: sink)
        try sink.finish()
    }

    package func publish(keepingReplaced: Bool) throws(MediaError) {
        guard let destination else { return }
        try checked { () throws(SystemError) in
            if keepingReplaced, replaces {
                try file.publishKeepingReplaced(as: destination)
            } else {
                try file.publish(as: destination, replacing: replaces)
            }
        }
    }

    package func withdraw() {
        if let destination { file.withdraw(from: destination) }
    }

    package func discardReplaced() { file.discardReplaced() }
}
