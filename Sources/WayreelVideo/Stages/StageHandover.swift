package import WayreelCore

/// A stage in transit to the thread that runs it, and its result in transit back.
package final class StageHandover<Stage, Output: Sendable>: Sendable {
    private let stage = BoundedQueue<Stage>(limit: 1)
    private let output = Monitor<Result<Output, MediaError>?>(nil)

    package init(_ stage: sending Stage) { _ = self.stage.put(stage) }

    /// Runs the stage by `body` on the calling thread. Must be called once.
    package func run(_ body: (Stage) throws(MediaError) -> Output) throws(MediaError) {
        let result = Result { () throws(MediaError) in
            guard let stage = try stage.take() else { throw MediaError.cancelled(step: .work) }
            return try body(stage)
        }
        output.update { $0 = result }
        _ = try result.get()
    }

    /// Waits for the end of ``run(_:)``, and returns its result or throws its error.
    package func result() throws(MediaError) -> Output {
        let result = output.withLock(when: { $0 != nil }) { $0 }
        guard let result else { throw .cancelled(step: .work) }
        return try result.get()
    }
}
