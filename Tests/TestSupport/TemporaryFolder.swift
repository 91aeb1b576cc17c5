internal import Glibc
internal import Testing

/// A new, empty folder that is removed with all its files when the object is released.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// The beginning of all paths of such folders.
    static let start = "/tmp/wayreel-test-"

    package init() {
        var template = Array("\(Self.start)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { preconditionFailure("no temporary folder") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Writes a file, and returns its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = "\(path)/\(name)"
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        defer { close(file) }
        try bytes.withUnsafeBytes { try #require(Glibc.write(file, $0.baseAddress, $0.count) == bytes.count) }
        return path
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Removes a file or folder. Links are removed, but not their targets.
    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in Fixture.listing(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
