internal import Glibc
internal import WayreelCore
internal import WayreelImage

/// The first bytes of a file, for telling who is going to read it.
enum FileHead {
    /// Room for the items of a HEIC of some hundred tiles.
    private static let length = 1 << 16

    /// Whether there is something at `path` that is neither a file nor a folder, and so may be readable only once.
    static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return path == "-" || stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// What `judge` says of the first bytes of the file at `path`, or of all that it has; nil where that is no file, which
    /// could not be read again, or cannot be read.
    static func look<Result>(at path: String, _ judge: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard path != "-", !path.utf8.contains(0) else { return nil }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: length, alignment: 1) { memory in
            let count = pread(file, memory.baseAddress, memory.count, 0)
            return count < 0 ? nil : judge(UnsafeRawBufferPointer(rebasing: memory[..<count]))
        }
    }

    /// Whether the image at `path` is decoded in calls that nothing interrupts. What is in a pipe is not known; what is missing
    /// is not decoded at all. `choosesPage`: whether it is not what the file shows by itself.
    static func isUninterruptibleImage(_ path: String, choosesPage: Bool) -> Bool {
        look(at: path) { PictureProbe.isUninterruptible(beginningWith: $0, choosesPage: choosesPage) } ?? isPipe(path)
    }

    /// The same of what the file shows by itself.
    static func isUninterruptibleImage(_ path: String) -> Bool {
        isUninterruptibleImage(path, choosesPage: false)
    }
}
