internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelCore

/// Files that are read at an offset, and flushed.
@Suite struct DescriptorIOTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/file" }

    @Test func aFileIsReadAtAnOffset() throws {
        try OutputFile.write(Array(0..<100), to: path)
        let file = try OpenFile(path)
        #expect(file.byteCount == 100)
        let whole = try file.bytes(100)
        #expect(whole == Array(0..<100))
        let part = try file.bytes(3, at: 40)
        #expect(part == [40, 41, 42])
        let none = try file.bytes(0, at: 100)
        #expect(none.isEmpty)
        var buffer = [UInt8](repeating: 7, count: 20)
        let count = try buffer.withMutableBytes { (bytes) throws(SystemError) in
            try readAll(into: bytes, from: file.descriptor, at: 90)
        }
        #expect(count == 10 && buffer == Array(90..<100) + Array(repeating: 7, count: 10))
        do throws(SystemError) {
            _ = try file.bytes(11, at: 90)
            Issue.record("it ends before")
        } catch { #expect(error.code == EIO) }
    }

    /// Opening a named pipe without a writer does not wait.
    @Test func onlyRegularFilesHaveASize() throws {
        mkfifo(path, 0o600)
        for path in [path, folder.path, "/dev/null"] {
            let file = try OpenFile(path)
            #expect(file.byteCount == nil, "\(path)")
        }
        do throws(SystemError) {
            _ = try OpenFile(folder.path + "/none")
            Issue.record("there is no such file")
        } catch { #expect(error.code == ENOENT) }
    }

    /// fsync(2): EINVAL for special files, which cannot be flushed.
    @Test func whatCannotBeFlushedIsNotAnError() throws {
        try flushToDisk("/dev/null")
        try OutputFile.write([1], to: path)
        try flushToDisk(path)
        #expect(throws: SystemError.self) { try flushToDisk(folder.path + "/none") }
    }
}
