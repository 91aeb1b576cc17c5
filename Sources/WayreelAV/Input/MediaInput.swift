package import WayreelCore

/// The source of audio or video.
package enum MediaInput: Sendable {
    /// A file, a named pipe or a device.
    case path(String)
    case standardInput
    /// A complete file in memory; `name` identifies it in messages.
    case bytes([UInt8], name: String)
    /// PCM samples without a header, from a path or, for `-`, from standard input.
    case raw(path: String, RawAudioFormat)

    /// Selects the file at `path`, or standard input for `-`: PCM of the format `raw` or, if that is nil, any format
    /// that FFmpeg reads.
    package init(_ path: String, raw: RawAudioFormat?) {
        self = raw.map { .raw(path: path, $0) } ?? (path == "-" ? .standardInput : .path(path))
    }

    /// The name in messages.
    var name: String {
        switch self {
        case .path(let path): path
        case .bytes(_, let name): name
        case .raw(let path, _) where path != "-": path
        case .standardInput, .raw: "standard input"
        }
    }

    /// The path; nil for standard input and memory.
    package var path: String? {
        switch self {
        case .path(let path): path
        case .raw(let path, _) where path != "-": path
        case .bytes, .standardInput, .raw: nil
        }
    }
}

/// The content of a pipe, copied into an unnamed file so that it can be read several times.
package final class SpooledInput: Sendable {
    /// Max bytes that are copied from a pipe: 64 GiB.
    package static let maxBytes = 1 << 36

    /// A path that opens the copy as long as this object lives.
    package let path: String
    /// The copy, which stays open.
    private let file: Monitor<InputFile>

    /// Reads `input` to its end. Returns nil for a regular file, which can be opened again.
    ///
    /// Throws an `io` error if it cannot be read or copied, a `limit` error for a pipe of more than `maxBytes`, and the
    /// errors of `task`.
    package init?(of input: MediaInput, maxBytes: Int = maxBytes, task: TaskContext) throws(MediaError) {
        let file = try InputFile(input, maxSpooledBytes: maxBytes, task: task)
        if input.path != nil, file.isRegular { return nil }
        try file.spool()
        path = "/proc/self/fd/\(file.descriptor)"
        self.file = Monitor(file)
    }
}
