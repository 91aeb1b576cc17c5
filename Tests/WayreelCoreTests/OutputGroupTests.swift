internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelCore

/// Outputs that appear together or not at all.
@Suite struct OutputGroupTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func sink(_ name: String, _ bytes: [UInt8], _ ifExists: ExistingOutput = .replace) throws -> AtomicOutput {
        let sink = try AtomicOutput(path(name), ifExists: ifExists)
        try sink.write(bytes)
        return sink
    }

    private func seekable(_ name: String, _ bytes: [UInt8], _ ifExists: ExistingOutput = .replace) throws
        -> AtomicOutput
    {
        let output = try AtomicOutput(path(name), ifExists: ifExists, access: .seekable)
        #expect(pwrite(output.descriptor, bytes, bytes.count, 0) == bytes.count)
        return output
    }

    private func package(_ name: String, _ bytes: [UInt8], _ ifExists: ExistingOutput = .replace) throws -> AtomicFolder
    {
        let output = try AtomicFolder(path(name), ifExists: ifExists)
        try output.write(bytes, to: "deep/a")
        return output
    }

    /// A file, a seekable file and a folder.
    private func outputs(_ bytes: [UInt8], _ ifExists: ExistingOutput = .replace) throws -> [any UnpublishedOutput] {
        [try sink("a", bytes, ifExists), try seekable("b", bytes, ifExists), try package("c", bytes, ifExists)]
    }

    private func expectContents(_ bytes: [UInt8]) throws {
        for name in ["a", "b", "c/deep/a"] { #expect(try Fixture.bytes(path(name)) == bytes, "\(name)") }
    }

    /// A path that has become a folder cannot be renamed to.
    private func failing() throws -> AtomicOutput {
        let output = try sink("z", [9])
        #expect(mkdir(path("z"), 0o777) == 0)
        return output
    }

    @Test func replacesAllAtOnce() throws {
        for bytes in [[1], [2, 3], [4]] as [[UInt8]] {
            try OutputGroup.publish(outputs(bytes))
            try expectContents(bytes)
            #expect(Fixture.listing(folder.path) == ["a", "b", "c"])
        }
    }

    /// Whatever was published before the one that fails is taken back, and what it replaced is there again.
    @Test func keepsWhatIsThereIfOneFails() throws {
        try OutputGroup.publish(outputs([1, 2]))
        var status = stat()
        #expect(stat(path("a"), &status) == 0)
        let inode = status.st_ino
        do {
            var group = try outputs([7])
            group.append(try failing())
            let error = #expect(throws: MediaError.self) { try OutputGroup.publish(group) }
            #expect(error?.kind == .io && error?.subject == path("z"), "\(error?.reason ?? "")")
        }
        try expectContents([1, 2])
        #expect(stat(path("a"), &status) == 0 && status.st_ino == inode)
        #expect(Fixture.listing(folder.path) == ["a", "b", "c", "z"])
        #expect(Fixture.listing(path("z")).isEmpty)
    }

    @Test(arguments: [ExistingOutput.replace, .fail]) func leavesNothingNewIfOneFails(_ ifExists: ExistingOutput) throws
    {
        do {
            var group = try outputs([7], ifExists)
            group.append(try failing())
            #expect(throws: MediaError.self) { try OutputGroup.publish(group) }
        }
        #expect(Fixture.listing(folder.path) == ["z"])
    }

    /// Of several files all are published or, if one of them exists by then, none.
    @Test func keepsAFileThatWasMadeMeanwhile() throws {
        let names = ["a", "b", "c"]
        let refused = try names.map { try sink($0, [1], .fail) }
        try OutputFile.write([4], to: path("b"))
        #expect(throws: OutputFile.existsAlready(path("b"))) { try OutputGroup.publish(refused) }
        #expect(Fixture.listing(folder.path) == ["b"])
        #expect(try Fixture.bytes(path("b")) == [4])
        #expect(unlink(path("b")) == 0)
        try OutputGroup.publish(names.map { try sink($0, [1], .fail) })
        #expect(Fixture.listing(folder.path) == names)
    }

    /// Nothing is renamed before the streams have taken their bytes.
    @Test func keepsWhatIsThereIfAStreamFails() throws {
        try OutputFile.write([1], to: path("a"))
        for makesSeekable in [false, true] {
            let stream: any UnpublishedOutput
            if makesSeekable {
                let output = try AtomicOutput("/dev/full", access: .seekable)
                #expect(pwrite(output.descriptor, [5], 1, 0) == 1)
                stream = output
            } else {
                let output = try AtomicOutput("/dev/full")
                try output.write([5])
                stream = output
            }
            let error = #expect(throws: MediaError.self) { try OutputGroup.publish([sink("a", [7]), stream]) }
            #expect(error?.code == .diskFull && error?.subject == "/dev/full")
            #expect(try Fixture.bytes(path("a")) == [1])
            #expect(Fixture.listing(folder.path) == ["a"])
        }
    }

    /// What another process has put in the place of a published output stays, and the group's own old file goes.
    @Test func keepsWhatOthersHavePutThere() throws {
        try OutputFile.write([1], to: path("a"))
        let output = try sink("a", [7])
        try output.complete()
        try output.publish(keepingReplaced: true)
        try OutputFile.write([8], to: path("a"))
        output.withdraw()
        #expect(try Fixture.bytes(path("a")) == [8])
        #expect(Fixture.listing(folder.path) == ["a"])
    }

    /// The replaced file stays until all are published, and is removed if the process ends before that.
    @Test func hidesWhatItReplaces() throws {
        try OutputFile.write([1], to: path("a"))
        do {
            let output = try sink("a", [7])
            try output.complete()
            try output.publish(keepingReplaced: true)
            let hidden = Fixture.listing(folder.path).filter { $0 != "a" }
            #expect(hidden.count == 1 && OutputFile.isUnfinished(hidden.first ?? ""))
            #expect(try Fixture.bytes(path(hidden.first ?? "")) == [1])
        }
        #expect(try Fixture.bytes(path("a")) == [7])
        #expect(Fixture.listing(folder.path) == ["a"])
    }
}
