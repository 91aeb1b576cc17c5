package import WayreelCore

/// Where a sound comes from.
package enum MediaInput: Sendable {
    /// A file, a named pipe, a device.
    case path(String)
    case standardInput
    /// A whole file in memory.
    case bytes([UInt8], name: String)
    /// Samples without a header, from a path or, for `-`, from standard input.
    case raw(path: String, RawAudioFormat)

    /// What is at `path`, or standard input for `-`: samples as `raw` says or, without it, whatever FFmpeg reads.
    package init(_ path: String, raw: RawAudioFormat?) {
        self = raw.map { .raw(path: path, $0) } ?? (path == "-" ? .standardInput : .path(path))
    }

    /// What messages call it.
    var name: String {
        switch self {
        case .path(let path): path
        case .bytes(_, let name): name
        case .raw(let path, _) where path != "-": path
        case .standardInput, .raw: "standard input"
        }
    }

    /// nil for standard input and memory.
    package var path: String? {
        switch self {
        case .path(let path): path
        case .raw(let path, _) where path != "-": path
        case .bytes, .standardInput, .raw: nil
        }
    }
}
