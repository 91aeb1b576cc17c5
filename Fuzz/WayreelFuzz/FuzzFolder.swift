internal import Glibc

/// The in-memory folder that scripts/fuzz creates, for readers that take a path.
enum FuzzFolder {
    static let path: String = {
        guard let path = getenv("FUZZ_FOLDER") else { preconditionFailure("run scripts/fuzz, which sets FUZZ_FOLDER") }
        return String(cString: path)
    }()

    /// Writes the file `name`, replacing an existing one. Returns its path.
    @discardableResult
    static func write(_ data: UnsafeRawBufferPointer, to name: String) -> String {
        let path = "\(path)/\(name)"
        let file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        precondition(file >= 0 && Glibc.write(file, data.baseAddress, data.count) == data.count)
        close(file)
        return path
    }
}
