internal import CLinux
internal import Glibc
internal import NIOPosix

/// The disks of the folders that the service writes to.
enum DiskSpace {
    /// Whether a disk has less room than `--min-free-bytes`. Throws an ``AdmissionFault`` if too many wait for files.
    static func isShort(_ settings: ServiceSettings, _ files: StorageWork) async throws -> Bool {
        let folders = [settings.data, settings.cache].compactMap(\.self)
        // A network file system may take its time.
        return try await files.run { folders.contains { freeBytes($0).map { $0 < settings.minFreeBytes } ?? false } }
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
