import Glibc
import Synchronization
import TestSupport
import Wayreel

/// A named pipe that starts with audio and then blocks without ending, so that work on it lasts as long as a test needs
/// (but not forever if the test fails to end it).
final class EndlessAudio: Sendable {
    let path: String
    private let writer: Int32

    init(in folder: String) throws {
        path = "\(folder)/endless.wav"
        mkfifo(path, 0o600)
        // Also opened for reading, so that it opens before there is a reader.
        writer = open(path, O_RDWR | O_CLOEXEC)
        let start = try Fixture.bytes(Fixture.media("radio/bunny-4s.wav")).prefix(4096)
        _ = Array(start).withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
    }

    deinit { close(writer) }

    /// Returns options that measure for at most `seconds`.
    static func options(seconds: Double = 300) -> LevelsOptions {
        var options = LevelsOptions([.data(LevelsEncoding(.json))])
        options.limits.seconds = seconds
        return options
    }

    /// Starts measuring the pipe in a separate process.
    func measure(
        _ isolation: Isolation, _ cancellation: Cancellation = Cancellation(), options: LevelsOptions = options()
    ) -> Measurement {
        let output = path.replacing("endless.wav", with: "out.json")
        return Measurement(
            LevelsTask(input: path, outputs: [output], options: options), IsolatedPipeline(isolation), cancellation)
    }

    /// Returns the process that measures the pipe.
    func process() throws -> pid_t { try WorkerProcess.first(on: path) }

    /// Work on a separate thread.
    final class Measurement: Sendable {
        private final class Result: Sendable {
            let report = Mutex<TaskReport?>(nil)
        }

        private let result = Result()
        private let worker: Worker

        init(_ task: LevelsTask, _ pipeline: IsolatedPipeline<LevelsTask>, _ cancellation: Cancellation) {
            worker = Worker { [result] in
                let report = pipeline.run(task, cancellation: cancellation)
                result.report.withLock { $0 = report }
            }
        }

        var isDone: Bool { result.report.withLock { $0 != nil } }

        /// Waits for the end of the work; call it once.
        func value() -> TaskReport {
            worker.join()
            return result.report.withLock { $0! }
        }
    }
}
