/// The action to take if an output already exists.
public enum ExistingOutput: String, Sendable, Codable, CaseIterable {
    case replace
    /// Skips the task. If only some of its outputs exist, the task fails and keeps them.
    case skip
    /// Fails the task. Outputs are checked before its work and, as they are published, again: if one exists by then,
    /// those already published are removed.
    case fail
}

/// An output that is not at its path yet. The steps of ``OutputGroup/publish(_:)`` bring it there.
package protocol UnpublishedOutput: AnyObject {
    /// The folder of its path; nil for a stream.
    var folder: String? { get }

    /// Flushes it to the disk beside its path and checks it. What is at the path stays.
    func complete() throws(MediaError)
    /// Writes what goes to a stream: standard output, a pipe or a device.
    func deliver() throws(MediaError)
    /// Renames it to its path. `keepingReplaced` keeps what it replaces until ``withdraw()`` or ``discardReplaced()``.
    func publish(keepingReplaced: Bool) throws(MediaError)
    /// Takes the published output back, unless another one has taken its path. What it replaced is put back if it was
    /// kept.
    func withdraw()
    /// Removes what it has replaced.
    func discardReplaced()
}

/// The outputs of one task, which appear at their paths together.
package enum OutputGroup {
    /// Publishes all outputs or none: each is complete and on the disk beside its path before the first is renamed, and
    /// if a rename fails, those before it are undone. Only a process that is killed between two renames leaves new and
    /// old outputs side by side. Streams are written before the renames, since they cannot be taken back.
    ///
    /// Throws an `io` error: the disk is full, an output exists and may not be replaced, the reader of a pipe is gone.
    package static func publish(_ outputs: [any UnpublishedOutput]) throws(MediaError) {
        for output in outputs { try output.complete() }
        for output in outputs { try output.deliver() }
        var published: [any UnpublishedOutput] = []
        do throws(MediaError) {
            for output in outputs {
                try output.publish(keepingReplaced: outputs.count > 1)
                published.append(output)
            }
            try flushFolders(of: outputs)
        } catch {
            guard outputs.count > 1 else {
                for output in published { output.discardReplaced() }
                throw error
            }
            for output in published.reversed() { output.withdraw() }
            try? flushFolders(of: published)
            throw error
        }
        for output in outputs { output.discardReplaced() }
    }

    private static func flushFolders(of outputs: [any UnpublishedOutput]) throws(MediaError) {
        for folder in Set(outputs.compactMap(\.folder)) {
            do throws(SystemError) { try Directory.flushAfterPublishing(folder) } catch {
                throw OutputFile.fault(folder, error.code)
            }
        }
    }
}

/// Whether outputs are flushed to the disk before they are renamed, or flushed later by the caller, which can flush the
/// outputs of several tasks together while the tasks' threads continue.
package enum OutputFlushing {
    @TaskLocal private static var isLeft = false

    /// Runs `body`, whose outputs the caller flushes. Outputs that `body` writes on other threads are flushed anyway.
    package static func left<Result>(byRunning body: () -> Result) -> Result {
        $isLeft.withValue(true, operation: body)
    }

    static var isDone: Bool { !isLeft }

    /// Flushes an open file, unless the caller does it.
    static func flush(_ descriptor: Int32) throws(SystemError) { if isDone { try flushToDisk(descriptor) } }
}
