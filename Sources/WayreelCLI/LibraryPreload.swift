internal import WayreelAV
internal import WayreelCore
internal import WayreelMedia

/// Loads the libraries that a command line will need while it is still being parsed: both take some 10 ms.
enum LibraryPreload {
    /// The extensions of images that FFmpeg decodes.
    private static let images: Set = ["heic", "heif", "hif", "avif"]
    /// The extensions of files that FFmpeg reads.
    private static let media: Set = [
        "aac", "aif", "aiff", "amr", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpg", "oga", "ogg",
        "opus", "ts", "webm", "wma",
    ]

    /// Starts to load them; `arguments` begins with the program's name. A wrong guess costs time on another thread.
    static func start(for arguments: [String]) {
        guard arguments.count > 2 else { return }
        let extensions = Set(arguments.dropFirst(2).compactMap { $0.fileExtension?.lowercased() })
        switch arguments[1] {
        case "capture" where !images.isDisjoint(with: extensions): start(for: .images)
        case "levels" where !media.isDisjoint(with: extensions): start(for: .media)
        case "poster", "transcode": start(for: .media)
        default: break
        }
    }

    private static func start(for purpose: FFmpegPreload.Purpose) {
        // New threads wait while a library is loaded.
        _ = WorkPool.shared
        FFmpegPreload.start(for: purpose)
    }
}
