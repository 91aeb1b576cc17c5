internal import Glibc
import TestSupport
import Testing
import WayreelCore

@Suite struct MediaBytesTests {
    static func failure(_ path: String, limit: Int = 1 << 20) -> MediaError? {
        do {
            _ = try MediaBytes.read(path: path, limit: limit)
            return nil
        } catch { return error }
    }

    @Test func reportsWhyItCannotRead() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([], to: "\(folder)/empty")
            try OutputFile.write([UInt8](repeating: 7, count: 100), to: "\(folder)/full")
            #expect(Self.failure("\(folder)/none")?.reason == "no such file or directory")
            #expect(Self.failure(folder)?.reason == "is a directory")
            #expect(Self.failure("\(folder)/empty")?.kind == .decoding)
            #expect(Self.failure("\(folder)/full", limit: 99)?.kind == .limit)
            #expect(Self.failure("\(folder)/full", limit: 100) == nil)
            #expect(Self.failure("a\0b")?.kind == .io)
        }
    }

    @Test func waitsForThePipesWriter() throws {
        try Fixture.withFolder { folder in
            let pipe = "\(folder)/pipe"
            mkfifo(pipe, 0o600)
            let content = [UInt8](repeating: 9, count: 200_000)
            let writer = Worker {
                usleep(50_000)
                let descriptor = open(pipe, O_WRONLY)
                var done = 0
                while done < content.count {
                    done += content[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                }
                close(descriptor)
            }
            let file = try MediaBytes.read(path: pipe, limit: 1 << 20)
            writer.join()
            #expect(file.withBytes { bytes in bytes.withUnsafeBytes { [UInt8]($0) } } == content)
        }
    }
}
