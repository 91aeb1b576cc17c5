internal import Crypto
internal import Glibc
internal import Synchronization
internal import WayreelCore

/// An LRU cache of results on disk by the hash of their inputs, with the most recent ones in memory.
///
/// Several processes may share a folder. A file is written under another name and renamed, and ends with the hash of
/// its content, so that damage by a killed process or a power failure is noticed.
final class ResultCache: Sendable {
    private struct State {
        /// An estimate if other processes write as well; a sweep corrects it.
        var bytes = 0
        var isSweeping = false
        var hits = 0
        var misses = 0
    }

    private let folder: String
    private let maxBytes: Int
    private let state = Mutex(State())
    private let memory: Mutex<RecentValues<String, [UInt8]>>
    private let number = Atomic<Int>(0)
    private static let checksumBytes = SHA256.byteCount

    /// Creates the folder if it is missing.
    ///
    /// Throws an `io` error if it cannot be written.
    init(_ folder: String, maxBytes: Int, maxMemory: Int) throws(MediaError) {
        (self.folder, self.maxBytes) = (folder, maxBytes)
        memory = Mutex(RecentValues(maxCost: maxMemory))
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw MediaError(system: errno, step: .cache, subject: folder)
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            throw MediaError(system: errno, step: .cache, subject: folder)
        }
        let files = files()
        state.withLock { $0.bytes = files.reduce(0) { $0 + $1.bytes } }
    }

    /// Bytes on disk, hits and misses.
    var usage: (bytes: Int, hits: Int, misses: Int) { state.withLock { ($0.bytes, $0.hits, $0.misses) } }

    /// The result of a key, if it is in memory.
    func recent(_ key: String) -> [UInt8]? {
        let found = memory.withLock { $0[key] }
        if found != nil { state.withLock { $0.hits += 1 } }
        return found
    }

    /// The size of a key's result in bytes; nil if there is none, which counts as a miss. Blocks.
    func byteCount(for key: String) -> Int? {
        guard let status = try? FileStatus(path(key), followingLinks: false), status.byteCount > Self.checksumBytes
        else {
            state.withLock { $0.misses += 1 }
            return nil
        }
        return status.byteCount
    }

    /// The result of a key, a SHA-256 in hexadecimal digits. Blocks.
    func result(for key: String) -> [UInt8]? {
        let found = read(path(key))
        state.withLock { state in
            if found == nil { state.misses += 1 } else { state.hits += 1 }
        }
        if let found { memory.withLock { $0.keep(found, cost: found.count, for: key) } }
        return found
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let file = try? OpenFile(path), let count = file.byteCount, count > Self.checksumBytes,
            var bytes = try? file.bytes(count)
        else { return nil }
        let checksum = bytes.suffix(Self.checksumBytes)
        let content = bytes.dropLast(Self.checksumBytes)
        // A damaged file is replaced by the next result. Removing it here might remove a file that another process has
        // just renamed to this path, or a good one on a disk that fails for a moment.
        guard SHA256.hash(data: content).elementsEqual(checksum) else { return nil }
        bytes.removeLast(Self.checksumBytes)
        // Records the time of the last use, to the minute.
        if let status = try? FileStatus(descriptor: file.descriptor), time(nil) - status.modified > 60 {
            futimens(file.descriptor, nil)
        }
        return bytes
    }

    /// Adds a result, and ignores a full disk. Blocks.
    func keep(_ bytes: [UInt8], for key: String) {
        let size = bytes.count + Self.checksumBytes
        guard size <= maxBytes / 4 else { return }
        let path = path(key)
        mkdir("\(folder)/\(key.prefix(2))", 0o700)
        let temporary = "\(path).\(getpid()).\(number.wrappingAdd(1, ordering: .relaxed).newValue)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let hash = Array(SHA256.hash(data: bytes))
        let isWritten = [bytes, hash].allSatisfy { (try? writeAll($0, to: descriptor)) != nil }
        close(descriptor)
        let replacedBytes = (try? FileStatus(path, followingLinks: false))?.byteCount ?? 0
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
        let mustSweep = state.withLock { state in
            state.bytes += size - replacedBytes
            guard state.bytes > maxBytes, !state.isSweeping else { return false }
            state.isSweeping = true
            return true
        }
        if mustSweep { sweep() }
    }

    /// `ab/cdef…`, so that no folder holds too many files.
    private func path(_ key: String) -> String { "\(folder)/\(key.prefix(2))/\(key.dropFirst(2))" }

    private struct File {
        var path: String
        var bytes: Int
        var used: Int
    }

    private func files() -> [File] {
        Directory.entries(of: folder).flatMap { part in
            Directory.entries(of: "\(folder)/\(part)").compactMap { name in
                let path = "\(folder)/\(part)/\(name)"
                guard let status = try? FileStatus(path, followingLinks: false), status.kind == .file else {
                    return nil
                }
                // A temporary file of a killed process.
                if name.contains("."), time(nil) - status.modified > 3600 {
                    unlink(path)
                    return nil
                }
                return File(path: path, bytes: status.byteCount, used: status.modified)
            }
        }
    }

    /// Evicts the least recently used results until a tenth is free.
    private func sweep() {
        var files = files().sorted { $0.used < $1.used }[...]
        var bytes = files.reduce(0) { $0 + $1.bytes }
        while bytes > maxBytes / 10 * 9, let oldest = files.popFirst() {
            unlink(oldest.path)
            bytes -= oldest.bytes
        }
        state.withLock { state in
            state.bytes = bytes
            state.isSweeping = false
        }
    }
}
