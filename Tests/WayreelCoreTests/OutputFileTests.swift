internal import Glibc
import TestSupport
import Testing
import WayreelCore

@Suite struct OutputFileTests {
    @Test func writesAndReplaces() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/out.bin"
            try OutputFile.write([1, 2, 3], to: path)
            #expect(try Fixture.bytes(path) == [1, 2, 3])
            try OutputFile.write([4], to: path)
            #expect(try Fixture.bytes(path) == [4])
            #expect(Fixture.listing(folder) == ["out.bin"])
        }
    }

    @Test func followsTheUmask() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/out.bin")
            var status = stat()
            stat("\(folder)/out.bin", &status)
            let mask = umask(0)
            umask(mask)
            #expect(status.st_mode & 0o777 == 0o666 & ~mask)
        }
    }

    @Test func leavesNothingAfterAFailure() throws {
        Fixture.withFolder { folder in
            mkdir("\(folder)/taken", 0o777)
            let failures = [
                ("\(folder)/taken", "is a directory"), ("\(folder)/none/out.bin", "no such file or directory"),
            ]
            for (path, reason) in failures {
                let error = #expect(throws: MediaError.self) { try OutputFile.write([1], to: path) }
                #expect(error?.kind == .io && error?.subject == path && error?.reason == reason)
            }
            #expect(Fixture.listing(folder) == ["taken"])
        }
    }

    /// Replacements for `/dev/null` and `/dev/stdout`: as root, a rename would replace those.
    @Test func writesIntoAPipeInsteadOfReplacingIt() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try OutputFile.write([1, 2, 3], to: path)
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(read(reader, &bytes, 8) == 3 && bytes[..<3] == [1, 2, 3])
            #expect(Fixture.listing(folder) == ["pipe"])
        }
    }

    @Test func followsALink() throws {
        try Fixture.withFolder { folder in
            mkdir("\(folder)/far", 0o777)
            try OutputFile.write([1], to: "\(folder)/far/out.bin")
            #expect(symlink("far/out.bin", "\(folder)/link") == 0)
            try OutputFile.write([2], to: "\(folder)/link")
            #expect(try Fixture.bytes("\(folder)/far/out.bin") == [2])
            var status = stat()
            #expect(lstat("\(folder)/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        }
    }

    /// A file that was created while another one was written is kept, unless it is to be replaced.
    @Test(arguments: [ExistingOutput.skip, .fail]) func leavesAFileThatWasMadeMeanwhile(_ ifExists: ExistingOutput)
        throws
    {
        try Fixture.withFolder { folder in
            let path = "\(folder)/out.bin"
            let sink = try AtomicOutput(path, ifExists: ifExists)
            let seekable = try AtomicOutput(path, ifExists: ifExists, access: .seekable)
            try sink.write([1, 2, 3])
            try OutputFile.write([4], to: path)
            let error = #expect(throws: MediaError.self) { try sink.finish() }
            #expect(error == OutputFile.existsAlready(path) && error?.kind == .io)
            #expect(throws: OutputFile.existsAlready(path)) { try seekable.finish() }
            #expect(try Fixture.bytes(path) == [4])
            try OutputFile.write([5], to: "\(folder)/new.bin", ifExists: ifExists)
            #expect(try Fixture.bytes("\(folder)/new.bin") == [5])
            #expect(Fixture.listing(folder) == ["new.bin", "out.bin"])
        }
    }

    /// What another process has put in the place of a published output is not withdrawn.
    @Test func withdrawsItsOwnOutputsOnly() throws {
        try Fixture.withFolder { folder in
            let (file, hls) = ("\(folder)/out.bin", "\(folder)/hls")
            for isReplaced in [false, true] {
                let seekable = try AtomicOutput(file, ifExists: .fail, access: .seekable)
                try seekable.finish()
                let package = try AtomicFolder(hls, ifExists: .fail)
                try package.write([1], to: "a")
                try package.finish()
                #expect(Fixture.listing(folder) == ["hls", "out.bin"])
                if isReplaced {
                    try OutputFile.write([7], to: file)
                    let other = try AtomicFolder(hls)
                    try other.write([8], to: "a")
                    try other.finish()
                }
                seekable.withdraw()
                package.withdraw()
                #expect(Fixture.listing(folder) == (isReplaced ? ["hls", "out.bin"] : []))
            }
            #expect(try Fixture.bytes(file) == [7] && Fixture.bytes("\(hls)/a") == [8])
        }
    }

    @Test func leavesAFolderThatWasMadeMeanwhile() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/hls"
            do {
                let output = try AtomicFolder(path, ifExists: .fail)
                try output.write([1], to: "deep/a")
                mkdir(path, 0o755)
                #expect(throws: OutputFile.existsAlready(path)) { try output.finish() }
            }
            #expect(Fixture.listing(folder) == ["hls"] && Fixture.listing(path) == [])
            let output = try AtomicFolder(path)
            try output.write([1], to: "deep/a")
            try output.finish()
            #expect(try Fixture.bytes("\(path)/deep/a") == [1])
            #expect(Fixture.listing(folder) == ["hls"])
        }
    }

    /// Opening or reading a named pipe without a writer may never end.
    @Test(.timeLimit(.minutes(1))) func aNamedPipeIsNoRecordOfAFolder() throws {
        try Fixture.withFolder { folder in
            mkfifo("\(folder)/.wayreel-files", 0o600)
            try OutputFile.write([1], to: "\(folder)/other.txt")
            let error = #expect(throws: MediaError.self) { _ = try AtomicFolder(folder) }
            #expect(error?.reason.contains("'other.txt'") == true, "\(error?.reason ?? "")")
        }
    }

    /// `-` is standard output, also where no file can be made.
    @Test func standardOutputNeedsNoFile() throws {
        try OutputFile.checkWritable("-")
        #expect(try AtomicOutput("-").isStream && AtomicOutput("-", access: .seekable).isStream)
    }

    @Test func noticesAFullDisk() {
        let error = #expect(throws: MediaError.self) { try OutputFile.write([1], to: "/dev/full/out") }
        #expect(error?.kind == .io)
    }
}
