import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelStorage

/// What is left of recordings when a service is killed at any moment.
@Suite struct SQLiteRecordingsTests {
    private let folder = TestSupport.TemporaryFolder()

    private var recordings: String { "\(folder.path)/data/players/ines/recordings" }

    private static let gone = MediaError(.io, step: .write, reason: "gone")

    private func append(_ text: String, to file: BlobKey) throws {
        let path = "\(folder.path)/data/\(file.path)"
        let descriptor = open(path, O_WRONLY | O_APPEND)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try writeAll(Array(text.utf8), to: descriptor)
    }

    /// Each beginning of what is written between two rows: whole lines stay, a part of a line goes.
    @Test func keepsWholeLines() async throws {
        let (before, added) = ("{\"time\":1}\n", "{\"time\":2}\n{\"time\":3}\n")
        for length in 0...added.utf8.count {
            let name = id(length)
            let stores = try Stores.open(folder)
            _ = try await stores.recordings.begin(recording(name), of: ines)
            try await stores.recordings.append(Array(before.utf8), facts(1), to: name, of: ines)
            let file = try #require(try await stores.recordings.recording(name, of: ines)).file
            try append(String(added.prefix(length)), to: file)

            let next = try Stores.open(folder)
            try await next.recover()
            let whole = before + String(added.prefix(length / 11 * 11))
            let kept = try #require(try await next.recordings.recording(name, of: ines))
            #expect(kept.bytes == whole.utf8.count && kept.isWriting, "\(length)")
            #expect(String(decoding: try await next.blobs.read(file), as: UTF8.self) == whole, "\(length)")
            #expect(try await next.recordings.unfinished().map(\.id) == [name])
            try await next.recordings.finish(name, facts(2), of: ines)
            #expect(try await next.recordings.recording(name, of: ines)?.facts == facts(2))
        }
    }

    /// A line that is longer than what is read at once.
    @Test func cutsALongLine() async throws {
        let stores = try Stores.open(folder)
        let file = try await stores.recordings.begin(recording(id(1)), of: ines).file
        try append("{}\n" + String(repeating: "x", count: 200_000), to: file)
        try await Stores.open(folder).recover()
        #expect(try await stores.blobs.read(file) == Array("{}\n".utf8))
    }

    /// The rows could not be changed: the next lines replace what was written.
    @Test func replacesLinesWithoutARow() async throws {
        let stores = try Stores.open(folder)
        let file = try await stores.recordings.begin(recording(id(1)), of: ines).file
        try append("{\"lost\":1}\n", to: file)
        try await stores.recordings.append(Array("{}\n".utf8), facts(1), to: id(1), of: ines)
        #expect(try await stores.blobs.read(file) == Array("{}\n".utf8))
    }

    @Test func completeRecordingsStay() async throws {
        let stores = try Stores.open(folder)
        let bytes = Array("{}".utf8)
        let kept = try await stores.recordings.keep(
            recording(id(1)), facts(1), marks: [], bytes: 2, content: { Array(bytes[$0]) }, of: ines)
        _ = try await stores.recordings.changeMarks(adding: [NewMark(1, text: "é")], removing: [], of: id(1), ines)
        let next = try Stores.open(folder)
        try await next.recover()
        #expect(try await next.blobs.read(kept.file) == bytes)
        #expect(try await next.recordings.marks(of: id(1), ines).map(\.mark.text) == ["é"])
        #expect(Directory.entries(of: "\(folder.path)/data/pending").isEmpty)
    }

    /// A refused or failed recording leaves no file.
    @Test func leavesNothing() async throws {
        let stores = try Stores.open(folder, recordings: RecordingLimits(playerBytes: 10, totalBytes: 10))
        await #expect(throws: StorageFault.failed(Self.gone)) {
            try await stores.recordings.keep(
                recording(id(1)), facts(1), marks: [], bytes: 5, content: { _ in throw Self.gone }, of: ines)
        }
        await #expect(throws: StorageFault.full(.samples(bytes: 10))) {
            try await stores.recordings.keep(
                recording(id(1)), facts(1), marks: [], bytes: 11, content: { _ in [] }, of: ines)
        }
        _ = try await stores.recordings.begin(recording(id(2)), of: ines)
        #expect(Directory.entries(of: recordings).count == 1)
        try await stores.recordings.removeRecordings([id(2)], of: ines, at: time(1))
        #expect(Directory.entries(of: recordings).isEmpty)
        #expect(Directory.entries(of: "\(folder.path)/data/pending").isEmpty)
    }

    /// The service was killed after it had made the file, before its row.
    @Test func removesAFileWithoutARow() async throws {
        let stores = try Stores.open(folder)
        let file = try await stores.recordings.begin(recording(id(1)), of: ines).file
        let unnamed = BlobKey("players/ines/recordings/\(id(2))-\(String(repeating: "0", count: 32)).ndjson")
        try await stores.blobs.write([1], to: unnamed)
        let mark = String(unnamed.path.map { $0 == "/" ? ":" : $0 })
        close(creat("\(folder.path)/data/pending/\(mark)", 0o600))
        let next = try Stores.open(folder)
        try await next.recover()
        await #expect(throws: StorageFault.notFound) { try await next.blobs.open(unnamed) }
        _ = try await next.blobs.open(file)
    }
}
