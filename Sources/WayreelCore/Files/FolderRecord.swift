internal import Glibc

/// The record of the files that Wayreel made in a folder, stored in a hidden file there. A later run replaces these
/// files and no others.
enum FolderRecord {
    static let name = ".wayreel-files"
    private static let header = "# Wayreel made these files of the folder, and may replace them."
    private static let maxBytes = 64 << 20

    static func bytes(of names: some Collection<String>) -> [UInt8] {
        Array(([header] + names.sorted()).map { $0 + "\n" }.joined().utf8)
    }

    /// Returns the names in the record of a folder, or nil if it has no record.
    static func names(in folder: String) -> Set<String>? {
        let path = "\(folder)/\(name)"
        // Reading a named pipe might never end.
        guard RegularFile.byteCount(path) != nil, let bytes = try? MediaBytes.read(path: path, limit: maxBytes) else {
            return nil
        }
        let text = withExtendedLifetime(bytes) { String(validating: bytes.buffer, as: UTF8.self) }
        guard let lines = text?.split(separator: "\n").map(String.init), lines.first == header else { return nil }
        return Set(lines.dropFirst())
    }
}
