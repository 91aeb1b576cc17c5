/// The parts of a path, as POSIX `dirname` and `basename` see it: slashes at its end do not count.
extension String {
    /// The folder of a path with a slash at its end: `a/b/` of `a/b/c.jpg`; `.` if the path names none.
    package var folder: String {
        guard let last = lastIndex(where: { $0 != "/" }) else { return isEmpty ? "." : "/" }
        return self[...last].lastIndex(of: "/").map { String(self[...$0]) } ?? "."
    }

    /// The last part of a path: `c.jpg` of `a/b/c.jpg`; nil if there is none.
    package var fileName: String? { split(separator: "/").last.map(String.init) }

    /// The file name without its extension: `c` of `a/b/c.jpg`.
    package var stem: String? { fileName.map { String($0[..<($0.lastDot ?? $0.endIndex)]) } }

    /// The extension of the file name, without the dot: `jpg` of `a/b/c.jpg`; nil for a name without a dot, or with
    /// one only at its start, as hidden files have.
    package var fileExtension: String? {
        fileName.flatMap { name in name.lastDot.map { String(name[name.index(after: $0)...]) } }
    }

    /// Returns the path with the extension of its file name replaced, or added if there is none.
    package func replacingExtension(with new: String) -> String {
        "\(fileExtension.map { dropLast($0.count + 1) } ?? self[...]).\(new)"
    }

    private var lastDot: Index? {
        lastIndex(of: ".").flatMap { $0 == startIndex || self == ".." ? nil : $0 }
    }
}
