internal import Glibc
internal import WayreelCore

/// A folder for what a benchmark makes, which goes with it.
final class WorkFolder {
    let path: String

    /// Throws an `io` error where there is no place for one.
    init() throws(MediaError) {
        for folder in TemporaryFolders.all {
            var template = Array("\(folder)/wayreel-bench-XXXXXX".utf8CString)
            let isMade = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
            guard isMade else { continue }
            path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            return
        }
        throw MediaError(
            .io, step: "bench", reason: "there is no place for outputs (\(systemReason(errno)))",
            advice: "name a folder that can be written to in $TMPDIR")
    }

    deinit { OutputFolder.remove(path) }
}
