internal import Glibc

/// Where files without a place of their own may be kept.
package enum TemporaryFolders {
    /// $TMPDIR, and those of the system, whose first one is for what may be large.
    package static var all: [String] {
        [getenv("TMPDIR").map { String(cString: $0) }, "/var/tmp", "/tmp"].compactMap(\.self)
    }
}
