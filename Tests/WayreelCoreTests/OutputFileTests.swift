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

    @Test func noticesAFullDisk() {
        let error = #expect(throws: MediaError.self) { try OutputFile.write([1], to: "/dev/full/out") }
        #expect(error?.kind == .io)
    }
}
