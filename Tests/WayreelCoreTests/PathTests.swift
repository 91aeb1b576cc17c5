internal import Testing
internal import WayreelCore

/// The parts of paths. Folders and names are those of POSIX `dirname` and `basename`, stems and extensions those of
/// Python's `os.path.splitext`.
@Suite struct PathTests {
    struct Parts {
        var path: String
        var folder: String
        var fileName: String?
        var stem: String?
        var fileExtension: String?

        init(_ path: String, _ folder: String, _ fileName: String?, _ stem: String?, _ fileExtension: String? = nil) {
            (self.path, self.folder, self.fileName) = (path, folder, fileName)
            (self.stem, self.fileExtension) = (stem, fileExtension)
        }
    }

    @Test(arguments: [
        Parts("a/b/c.jpg", "a/b/", "c.jpg", "c", "jpg"), Parts("/c.jpg", "/", "c.jpg", "c", "jpg"),
        // Without a slash.
        Parts("c.jpg", ".", "c.jpg", "c", "jpg"), Parts("c", ".", "c", "c"), Parts("", ".", nil, nil),
        // With a slash at the end.
        Parts("a/b.c/", "a/", "b.c", "b", "c"), Parts("a/", ".", "a", "a"), Parts("/", "/", nil, nil),
        // With dots elsewhere.
        Parts("a.b/c", "a.b/", "c", "c"), Parts("c.tar.gz", ".", "c.tar.gz", "c.tar", "gz"),
        Parts(".jpg", ".", ".jpg", ".jpg"), Parts("a/.jpg", "a/", ".jpg", ".jpg"),
        Parts(".c.JPG", ".", ".c.JPG", ".c", "JPG"), Parts("c.", ".", "c.", "c", ""), Parts("a/..", "a/", "..", ".."),
    ])
    func hasParts(_ parts: Parts) {
        #expect(parts.path.folder == parts.folder)
        #expect(parts.path.fileName == parts.fileName)
        #expect(parts.path.stem == parts.stem)
        #expect(parts.path.fileExtension == parts.fileExtension)
    }

    @Test(arguments: [
        ("a/b.mp4", "a/b.jpg"), ("a.b/c", "a.b/c.jpg"), (".mp4", ".mp4.jpg"), ("a.tar.gz", "a.tar.jpg"),
        ("a.", "a.jpg"),
    ])
    func replacesTheExtension(path: String, replaced: String) {
        #expect(path.replacingExtension(with: "jpg") == replaced)
    }
}
