internal import CLinux
internal import Glibc
internal import NIOPosix

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

/// Keeps the memory of the service constant.
///
/// glibc has a heap for each thread, whose freed memory other threads cannot use. After many connections or large
/// images at once, it keeps freed memory below any block that is still in use.
enum FreedMemory {
    private static let pause = Duration.seconds(30)

    /// Makes all threads that start from now on share two heaps.
    static func share() { wr_share_heaps() }

    /// Returns free memory to the kernel at intervals until the task is cancelled.
    static func release() async {
        while (try? await Task.sleep(for: pause)) != nil {
            // It locks one heap at a time, for milliseconds.
            try? await NIOThreadPool.singleton.runIfActive { wr_release_freed_memory() }
        }
    }
}
