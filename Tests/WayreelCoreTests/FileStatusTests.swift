internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelCore

/// What the system reports about paths and processes.
@Suite struct FileStatusTests {
    @Test func tellsKindsApart() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1, 2, 3], to: "\(folder)/file")
            #expect(symlink("file", "\(folder)/link") == 0 && symlink("none", "\(folder)/broken") == 0)
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            let file = try FileStatus("\(folder)/file")
            #expect(file.kind == .file && file.byteCount == 3 && abs(file.modified - time(nil)) < 60)
            #expect(try FileStatus("\(folder)/link").identity == file.identity)
            #expect(try FileStatus("\(folder)/link", followingLinks: false).kind == .link)
            #expect(try FileStatus("\(folder)/broken", followingLinks: false).kind == .link)
            #expect(try FileStatus("\(folder)/pipe").kind == .pipe)
            #expect(try FileStatus(folder).kind == .directory)
            #expect(try FileStatus("/dev/null").kind == .device)
        }
    }

    @Test func reportsWhyThereIsNone() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/file")
            let cases = [("none", ENOENT), ("file/deep", ENOTDIR), ("file\0.jpg", ENOENT)]
            for (name, code) in cases {
                let path = "\(folder)/\(name)"
                let status = #expect(throws: SystemError.self) { try FileStatus(path) }
                let real = #expect(throws: SystemError.self) { try Directory.realPath(path) }
                #expect(status?.code == code && real?.code == code, "\(name)")
            }
            #expect(throws: SystemError.self) { try FileStatus(descriptor: -1) }
        }
    }

    @Test func beginsARelativePathInAFolder() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/file")
            let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(try FileStatus("file", in: descriptor).kind == .file)
        }
    }

    @Test func readsTheStatusOfThisProcess() throws {
        let own = try #require(ProcessStatus(of: getpid()))
        #expect(own.parent == getppid() && own.threads > 0 && own.residentBytes > 0)
        #expect(!own.hasEnded && !own.isEnding)
        #expect(ProcessStatus(of: .max) == nil)
        let ended = ProcessStatus(Array("42 (a) R) Z 7 42 42 0 -1 4 1 2 0 0 3 4 5 6 20 0 0 0 99 0 0 1 1".utf8))
        #expect(ended?.hasEnded == true && ended?.startTicks == 99)
    }
}
