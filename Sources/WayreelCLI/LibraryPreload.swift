internal import WayreelAV
internal import WayreelCore
internal import WayreelMedia

/// Loads the libraries that a command line will need while it is still being parsed, which takes 10 ms.
enum LibraryPreload {
    /// A command, the extensions of the inputs that it reads through FFmpeg, and the libraries for them.
    private typealias Need = (command: String, extensions: Set<String>, purpose: FFmpegPreload.Purpose)

    private static let needs: [Need] = [
        ("capture", ["avif", "heic", "heif", "hif"], .images), ("levels", media, .media), ("poster", media, .media),
        ("transcode", media, .media),
    ]

    private static let media: Set = [
        "aac", "aif", "aiff", "amr", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpg", "oga", "ogg",
        "opus", "ts", "webm", "wma",
    ]

    /// Arguments that are followed by an output.
    private static let outputs: Set = ["-o", "--output"]
    /// The beginnings of arguments with which this process reads no media, because another one does or nothing is read.
    private static let others = ["--isolate", "--max-memory", "--heartbeat-timeout", "--max-seconds", "--help", "-h"]

    /// Starts to load them; `arguments` begins with the program's name. Whatever is not recognised is loaded on its
    /// first use.
    static func start(for arguments: [String]) {
        guard arguments.count > 2, let need = needs.first(where: { $0.command == arguments[1] }),
            !arguments.contains(where: { argument in others.contains { argument.hasPrefix($0) } })
        else { return }
        let isNeeded = zip(arguments.dropFirst(), arguments.dropFirst(2)).contains { before, argument in
            !outputs.contains(before) && need.extensions.contains(argument.fileExtension?.lowercased() ?? "")
        }
        guard isNeeded else { return }
        // New threads wait while a library is loaded.
        _ = WorkPool.shared
        FFmpegPreload.start(for: need.purpose)
    }
}
