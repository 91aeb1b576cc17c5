internal import Glibc
internal import WayreelCore

/// The limits for reading a track's file.
enum TrackLimits {
    static let bytes = 4 << 30
    static let points = 10_000_000
    /// The maximum depth of nested elements; GPX itself has 5 levels, extensions some more.
    static let depth = 64
    /// The maximum size of a name or a value in bytes; the rest is cut off.
    static let text = 1000
}

/// A file or standard input that is read in pieces.
final class TrackInput {
    let name: String
    /// The error that ended the reading, if any.
    private(set) var error: MediaError?
    private let descriptor: Int32
    private var count = 0

    /// Opens a file, or standard input for `-`.
    init(path: String) throws(MediaError) {
        name = path == "-" ? "standard input" : path
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .read, subject: name, reason: "the path contains a NUL byte")
        }
        try RegularFile.require(path)
        descriptor = path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw MediaError(
                .io, code: errno == ENOENT ? .notFound : nil, step: .read, subject: name, reason: systemReason(errno))
        }
    }

    deinit { close(descriptor) }

    /// Reads into the buffer and returns the number of bytes: 0 at the end, nil if there is an ``error``.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var got = -1
        repeat { got = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
        guard got >= 0 else {
            let advice: MediaError.Advice? = errno == EISDIR ? "name a file in it" : nil
            error = MediaError(.io, step: .read, subject: name, reason: systemReason(errno), advice: advice)
            return nil
        }
        count += got
        guard count <= TrackLimits.bytes else {
            error = MediaError(
                .limit, code: .tooManyBytes, step: .read, subject: name,
                reason: "the file is larger than \(TrackLimits.bytes) bytes", advice: "make several files of it")
            return nil
        }
        return got
    }
}
