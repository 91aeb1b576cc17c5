internal import Glibc

/// The disks of the folders that the service writes to.
struct DiskSpace: Sendable {
    private let folders: [String]
    private let minBytes: Int

    init(_ settings: ServiceSettings) {
        folders = [settings.data, settings.cache].compactMap(\.self)
        minBytes = settings.minFreeBytes
    }

    /// Throws a ``Problem`` if a disk has less room than `--min-free-bytes`.
    func check(_ files: StorageWork) async throws {
        let (folders, minBytes) = (folders, minBytes)
        // A network file system may take its time.
        let isShort = try await files.run {
            folders.contains { Self.freeBytes($0).map { $0 < minBytes } ?? false }
        }
        guard !isShort else {
            throw Problem(
                .serviceUnavailable, code: "storage", "The server has little room left",
                detail: "free the disks of --data and --cache, or lower --min-free-bytes", retryAfter: 60)
        }
    }

    /// The bytes that a user without special rights may still write.
    private static func freeBytes(_ folder: String) -> Int? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }
}
