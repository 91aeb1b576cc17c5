internal import Crypto
internal import Glibc
internal import WayreelCore

/// The hash and size of a regular file's content, and a stamp that shows whether the file has changed since.
struct FileContent: Hashable, Sendable {
    /// The SHA-256 in hexadecimal digits.
    var hash: String
    var bytes: Int
    var stamp: FileStamp
}

/// Hashes files, and texts. A file whose stamp has not changed since an earlier run is not read again.
struct ContentHasher: Sendable {
    let state: BundleState

    /// The wall clock in nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Returns the content of a file. Throws an `io` error if it cannot be read, or changes while it is read.
    func content(of path: String) throws(MediaError) -> FileContent {
        if let known = try state.content(of: path), known.content.stamp.isSettled(at: known.hashedAt) {
            return known.content
        }
        let time = Self.now
        let content = try Self.read(path)
        try state.record(content, of: path, hashedAt: time)
        return content
    }

    /// Returns the SHA-256 of a text in hexadecimal digits.
    static func digest(of text: String) -> String {
        var text = text
        var hash = SHA256()
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize().hexadecimal
    }

    /// Hashes a file without using the state.
    static func read(_ path: String) throws(MediaError) -> FileContent {
        let fault = ErrorSite(.io, step: .read, subject: path)
        func checked<Result: ~Copyable>(_ body: () throws(SystemError) -> Result) throws(MediaError) -> Result {
            do { return try body() } catch { throw MediaError(system: error.code, step: .read, subject: path) }
        }
        let file = try checked { () throws(SystemError) in try OpenFile(path) }
        guard let before = FileStamp(descriptor: file.descriptor) else { throw fault("is not a file") }
        var hash = SHA256()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var total = 0
        while true {
            let count = try checked { () throws(SystemError) in try file.read(into: buffer, at: total) }
            if count == 0 { break }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            total += count
        }
        guard let after = FileStamp(descriptor: file.descriptor), after == before, total == after.bytes
        else { throw fault("changed while it was read", "run again when it is complete") }
        return FileContent(hash: hash.finalize().hexadecimal, bytes: total, stamp: after)
    }
}

/// The hash of a list of files: the SHA-256 of the lines `HASH  NAME` sorted by name, as sha256sum writes them.
enum ContentList {
    static func digest(_ files: [(name: String, hash: String)]) -> String {
        let lines = files.sorted { $0.name < $1.name }.map { "\($0.hash)  \($0.name)\n" }
        return ContentHasher.digest(of: lines.joined())
    }
}
