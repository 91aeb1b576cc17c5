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

    @Test func leavesNothingWhereItFails() throws {
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

    /// As `/dev/null` is, which must not become a picture.
    @Test func writesIntoAPipeInsteadOfReplacingIt() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/pipe"
            mkfifo(path, 0o600)
            let reader = open(path, O_RDWR)
            defer { close(reader) }
            try OutputFile.checkPlace(path)
            try OutputFile.write([7, 8, 9], to: path)
            var received = [UInt8](repeating: 0, count: 3)
            #expect(read(reader, &received, 3) == 3 && received == [7, 8, 9])
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            #expect(Fixture.listing(folder) == ["pipe"])
        }
    }

    @Test func noticesAFullDisk() {
        let error = #expect(throws: MediaError.self) { try OutputFile.write([1], to: "/dev/full/out") }
        #expect(error?.kind == .io)
    }
}
