internal import Glibc
internal import NIOCore
internal import WayreelCore

/// The files of jobs: `jobs/ID/input`, and `jobs/ID/result`, a file or a folder. Its functions block.
struct JobFolder: Sendable {
    private let path: String

    /// Creates the folder `data` and its folder of jobs if they are missing.
    ///
    /// Throws an `io` error if they cannot be written.
    init(data: String) throws(MediaError) {
        path = "\(data)/jobs"
        for folder in [data, path] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST, access(folder, W_OK | X_OK) == 0 else {
                throw MediaError(system: errno, step: .jobs, subject: folder)
            }
        }
    }

    func input(_ id: String) -> String { "\(path)/\(id)/input" }
    func result(_ id: String) -> String { "\(path)/\(id)/result" }

    /// The bytes of a result, with its poster; nil if there is none.
    func resultBytes(_ id: String) -> Int? {
        guard access(result(id), F_OK) == 0 else { return nil }
        return Directory.byteCount(of: "\(path)/\(id)") - Directory.byteCount(of: input(id))
    }

    /// The path of a file of a job's result, by its relative path; nil if there is none. `payload` is that of the job.
    func resultFile(_ id: String, _ relative: String, _ payload: JobPayload) -> String? {
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        // The files of a result have neither hidden names nor links.
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !relative.utf8.contains(0) else { return nil }
        if relative == payload.poster { return posterPath(id, payload) }
        return payload.playlist == nil ? nil : "\(result(id))/\(relative)"
    }

    /// The path of a job's poster; nil if it has none.
    func posterPath(_ id: String, _ payload: JobPayload) -> String? {
        payload.poster.map { payload.playlist == nil ? "\(path)/\(id)/\($0)" : "\(result(id))/\($0)" }
    }

    /// Removes the folder of a job and ignores errors.
    func remove(_ id: String) { Directory.remove("\(path)/\(id)") }

    func removeInput(_ id: String) { unlink(input(id)) }

    /// Removes the folders of other jobs, which are unfinished uploads to a killed server.
    func removeAll(but ids: Set<String>) {
        for id in Directory.entries(of: path) where !ids.contains(id) { remove(id) }
    }

    /// Locks the jobs for this process until it ends.
    ///
    /// Throws an `io` error if another process holds the lock.
    func lock() throws(MediaError) {
        let lock = open("\(path).lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            if lock >= 0 { close(lock) }
            throw MediaError(
                .io, step: .jobs, subject: path,
                reason: code == EWOULDBLOCK ? "another server runs the jobs of this folder" : systemReason(code),
                advice: "give each server a --data of its own")
        }
    }

    /// Writes the input of a new job.
    struct Input: Sendable {
        private let descriptor: Int32
        private let path: String
        /// The folders with new entries, which ``finish()`` flushes.
        private let folders: [String]

        fileprivate init(_ path: String, folders: [String]) throws(MediaError) {
            (self.path, self.folders) = (path, folders)
            descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.fault(path, errno) }
        }

        func append(_ bytes: ByteBuffer) throws(MediaError) {
            let written = bytes.withUnsafeReadableBytes { bytes in
                Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
            }
            do { try written.get() } catch { throw Self.fault(path, error.code) }
        }

        /// Flushes the file and its name to disk.
        func finish() throws(MediaError) {
            let flushed = Result { () throws(SystemError) in try flushToDisk(descriptor) }
            close()
            do { try flushed.get() } catch { throw Self.fault(path, error.code) }
            for folder in folders { try Directory.flush(folder) }
        }

        func close() { _ = Glibc.close(descriptor) }

        private static var fault: ErrorSite { ErrorSite(.io, step: .jobs) }
    }

    func newInput(_ id: String) throws(MediaError) -> Input {
        guard mkdir("\(path)/\(id)", 0o700) == 0 else {
            throw MediaError(system: errno, step: .jobs, subject: path)
        }
        return try Input(input(id), folders: ["\(path)/\(id)", path])
    }
}
