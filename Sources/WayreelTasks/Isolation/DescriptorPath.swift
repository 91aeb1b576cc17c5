internal import Glibc

/// Paths of open file descriptors, such as `/dev/fd/63`, as a shell passes `<(…)`.
enum DescriptorPath {
    /// Returns the path by which a child process opens the file of this process; other paths are returned unchanged.
    static func forChildren(_ path: String) -> String {
        guard let number = path == "/dev/stdin" ? "0" : descriptor(path) else { return path }
        return "/proc/\(getpid())/fd/\(number)"
    }

    /// Returns the number of the descriptor in `path`.
    private static func descriptor(_ path: String) -> Substring? {
        guard let prefix = ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix) else { return nil }
        let digits = path.dropFirst(prefix.count)
        return !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) } ? digits : nil
    }
}
