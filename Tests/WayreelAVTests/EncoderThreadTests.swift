import Glibc
import Synchronization
import Testing
import WayreelAV
import WayreelCore

/// Opening an encoder changes the scheduling of its own threads only.
@Suite struct EncoderThreadTests {
    /// Threads of the host with real-time scheduling, started again and again until ``stop()``.
    private final class HostThreads: Sendable {
        private let isStopped = Atomic<Bool>(false)
        private let policies = Mutex<[Int32]>([])
        private let starter = Mutex<WorkThread?>(nil)

        init() throws {
            let thread = try WorkThread("host") { [self] in
                var threads: [WorkThread] = []
                while !isStopped.load(ordering: .acquiring), threads.count < 500 {
                    if let thread = try? WorkThread("host", realTime) { threads.append(thread) }
                    usleep(500)
                }
                for thread in threads { thread.join() }
            }
            starter.withLock { $0 = thread }
        }

        private func realTime() {
            var parameters = sched_param()
            parameters.sched_priority = 1
            guard sched_setscheduler(0, SCHED_RR, &parameters) == 0 else { return }
            while !isStopped.load(ordering: .acquiring) { usleep(1000) }
            let policy = sched_getscheduler(0)
            policies.withLock { $0.append(policy) }
        }

        /// Returns the final policies of those threads that the system allowed real-time scheduling.
        func stop() -> [Int32] {
            isStopped.store(true, ordering: .releasing)
            starter.withLock { $0 }?.join()
            return policies.withLock { $0 }
        }
    }

    @Test func hostThreadsKeepTheirScheduling() throws {
        let settings = VideoEncoder.Settings(
            encoder: "libsvtav1", size: PixelSize(width: 64, height: 64), timeBase: Rational(1, 25) ?? 1,
            frameRate: 25, threads: 1, options: ["preset": "12"])
        let host = try HostThreads()
        let opened = Result { try (0..<3).map { _ in try VideoEncoder(settings) } }
        let policies = host.stop()
        let encoders = try opened.get()
        withExtendedLifetime(encoders) {
            #expect(policies.allSatisfy { $0 == SCHED_RR })
            let threads = Directory.entries(of: "/proc/self/task").compactMap { pid_t($0) }
            // -1 means that the thread has ended.
            #expect(threads.allSatisfy { [SCHED_OTHER, -1].contains(sched_getscheduler($0)) })
            #expect(threads.count > 3)
        }
    }
}
