internal import CLinux
internal import NIOPosix

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
