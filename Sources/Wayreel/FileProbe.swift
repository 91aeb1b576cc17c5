internal import WayreelAV
public import WayreelCore
public import WayreelImage
public import WayreelVideo

/// What Wayreel sees of a file: a picture, or a file of moving pictures or sound.
public enum FileProbe: Sendable, Codable {
    case picture(PictureProbe)
    case media(MediaProbe)

    /// Of the file at `path`, or standard input for `-`. What comes through a pipe is kept in a file without a name meanwhile.
    ///
    /// Throws what ``PictureProbe`` and ``MediaProbe`` throw. A decoder that hangs is waited for: see ``IsolatedProbe``.
    public static func probe(
        path: String, limits: Limits = .standard, videoLimits: VideoLimits = .standard,
        cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> FileProbe {
        let watch = TaskWatch(seconds: videoLimits.seconds, cancellation: cancellation)
        do throws(MediaError) {
            return try RereadableInput(path, watch: watch).read { (source) throws(MediaError) in
                if let path = source.path,
                    FileHead.look(at: path, { PictureProbe.isPicture(beginningWith: $0) }) == true
                {
                    return .picture(try PictureProbe.probe(path: path, limits: limits))
                }
                return .media(try MediaProbe.probe(source, limits: videoLimits, watch: watch))
            }
        } catch {
            var named = error
            if named.reason.hasPrefix(Demuxer.unknown) {
                let rest = named.reason.dropFirst(Demuxer.unknown.count)
                named.reason = "is no known image, audio or video\(rest)"
            }
            named.subject = path == "-" ? "standard input" : path
            throw named
        }
    }
}
