internal import Glibc

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

    /// Removes a file or folder. Links are removed, but not their targets.
    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in Fixture.listing(path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
