internal import CLinux
internal import NIOPosix

/// Keeps the memory of the service flat.
///
/// glibc gives each thread a heap of its own, and what one has freed is of no use to another; after many connections or large images at
/// once, it keeps what they have freed as long as anything above it in the same heap is in use.
enum FreedMemory {
    private static let pause = Duration.seconds(30)

    /// Lets all threads that begin from now on share two heaps.
    static func share() { wr_share_heaps() }

    /// Gives what is free back to the kernel, again and again until the task is cancelled.
    static func release() async {
        while (try? await Task.sleep(for: pause)) != nil {
            // It locks one heap at a time, for milliseconds.
            try? await NIOThreadPool.singleton.runIfActive { wr_release_freed_memory() }
        }
    }
}
