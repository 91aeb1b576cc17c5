internal import Foundation
internal import TestSupport
internal import Testing
internal import WayreelCore

/// What is inside of a folder once links are resolved.
@Suite struct ConfinedFolderTests {
    private let folder = TemporaryFolder()

    private func target(_ relative: String, in name: String = "/a") throws -> String {
        switch try ConfinedFolder(folder.path + name, step: .read).target(of: relative) {
        case .inside(let path): path
        case .outside: "outside"
        case .missing(let code): "missing \(code)"
        }
    }

    @Test func followsLinksInTheFolderOnly() throws {
        let manager = FileManager.default
        let root = try #require(realpath(folder.path, nil).map { String(cString: $0) })
        for name in ["a/deep", "ab"] {
            try manager.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)/file"))
        }
        try manager.createSymbolicLink(atPath: "\(root)/a/in", withDestinationPath: "deep/file")
        try manager.createSymbolicLink(atPath: "\(root)/a/out", withDestinationPath: "../ab/file")
        try manager.createSymbolicLink(atPath: "\(root)/link", withDestinationPath: "a")
        #expect(try target("deep/file") == "\(root)/a/deep/file")
        #expect(try target("in") == "\(root)/a/deep/file")
        #expect(try target("in", in: "/link") == "\(root)/a/deep/file")
        // The path begins with the folder's characters, but is not in it.
        #expect(try target("out") == "outside")
        #expect(try target("../ab/file") == "outside")
        #expect(try target("none") == "missing \(ENOENT)")
        #expect(try target("deep/file\0") == "missing \(ENOENT)")
        #expect(throws: MediaError.self) { try target("", in: "/none") }
    }

    /// Everything is in the root, whose path ends with the slash that other folders' paths lack.
    @Test func theRootHoldsEverything() throws {
        let root = try ConfinedFolder("/", step: .read)
        guard case .inside("/proc/version") = root.target(of: "proc/version") else {
            Issue.record("/proc/version is not in /")
            return
        }
        #expect(root.relative("/proc/version") == "proc/version")
    }
}
