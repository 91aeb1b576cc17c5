internal import Glibc
public import WayreelCore
public import WayreelImage
public import WayreelVideo

/// What Wayreel sees of a file: a picture, or a file of moving pictures or sound.
public enum FileProbe: Sendable {
    case picture(PictureProbe)
    case media(MediaProbe)

    /// Of the file at `path`, or standard input for `-`. What comes through a pipe is kept in a file without a name meanwhile.
    ///
    /// Throws what ``PictureProbe`` and ``MediaProbe`` throw.
    public static func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        let watch = TaskWatch(seconds: videoLimits.seconds, cancellation: cancellation)
        do throws(MediaError) {
            let original = try MediaOriginal(path, watch: watch)
            return try withExtendedLifetime(original) { () throws(MediaError) in
                if isPicture(original.path) {
                    return .picture(try PictureProbe.probe(path: original.path, limits: limits))
                }
                return .media(
                    try MediaProbe.probe(path: original.path, limits: videoLimits, cancellation: cancellation))
            }
        } catch {
            var named = error
            named.subject = path == "-" ? "standard input" : path
            throw named
        }
    }

    private static func isPicture(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { memory in
            let count = read(file, memory.baseAddress, memory.count)
            return count > 0
                && PictureProbe.isPicture(beginningWith: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }
}
