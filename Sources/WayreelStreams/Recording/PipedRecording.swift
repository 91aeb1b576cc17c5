internal import Glibc
internal import WayreelCore

/// A recording that comes from a pipe and is no text: a copy of it is read, in a temporary file that is removed with this
/// object.
final class PipedRecording: RecordingSource {
    private let source: any RecordingSource
    private let name: Name
    /// The copy, which has no name.
    private let file: Int32

    /// The most bytes that are copied: 64 GiB, as of media in a pipe.
    private static let maxBytes = 1 << 36
    /// Enough to know a format.
    private static let headBytes = 2048

    /// The name of the pipe, and the path of the copy that errors shall not have.
    private struct Name: Sendable {
        let pipe: String
        let path: String

        func error(_ error: MediaError) -> MediaError {
            guard let subject = error.subject, subject.hasPrefix(path) else { return error }
            var named = error
            named.subject = pipe + subject.dropFirst(path.count)
            return named
        }
    }

    /// Reads `lines`, of which nothing was read, to the end if they begin as a format that is no text; returns nil
    /// otherwise, and reads no further than the first line then.
    ///
    /// Throws an `io` error if they cannot be read or copied, a `limit` error for too many bytes, the errors of the format,
    /// and a `cancelled` error.
    init?(of lines: LineReader, _ input: RecordingInput, maxBytes: Int = maxBytes) throws(MediaError) {
        let head = try lines.peek(Self.headBytes)
        let format = head.withBytes { head in
            // The name of a pipe says nothing.
            RecordingFiles.formats.first { $0.recognizes(head, "") }
        }
        guard let format else { return nil }
        let copy = try TemporaryFolders.unnamedFile(step: .read, subject: lines.name)
        var isOwned = true
        defer { if isOwned { close(copy) } }
        try lines.copyRest(to: copy, maxBytes: maxBytes)
        let name = Name(pipe: lines.name, path: "/proc/self/fd/\(copy)")
        var copied = input
        copied.path = name.path
        copied.onDamage = input.onDamage.map { onDamage in { onDamage(name.error($0)) } }
        do throws(MediaError) { source = try format.open(copied) } catch { throw name.error(error) }
        (self.name, file) = (name, copy)
        isOwned = false
    }

    deinit { close(file) }

    var head: RecordingHead { source.head }
    var hasNext: Bool { source.hasNext }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        do throws(MediaError) { return try source.read(into: &sink) } catch { throw name.error(error) }
    }
}
