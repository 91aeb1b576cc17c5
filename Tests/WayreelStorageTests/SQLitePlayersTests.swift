import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelEngine
import WayreelJournal
import WayreelStorage

/// What outlives a service, and its end at any moment.
@Suite struct SQLitePlayersTests {
    private let folder = TestSupport.TemporaryFolder()

    private var data: String { "\(folder.path)/data" }

    @Test func hasEverythingAfterItIsOpenedAgain() async throws {
        let first = try Stores.open(folder)
        let kept = try await first.captures.keep(capture(id(1)), image(1), of: ines).capture
        let left = try await first.notes.keep(note(id(2)), image(2))
        let merged = try await first.journals.merge(journal(found: ["wheel": 1]), of: ines)
        try await first.captures.removeCaptures([id(3)], of: ines, at: time(1))
        try await first.erasures.erase(ines, story: "bell", upTo: time(5))
        let second = try Stores.open(folder)
        try await second.recover()
        try await second.repeatErasures()
        #expect(try await second.captures.captures(of: ines, story: nil) == [kept])
        #expect(try await second.notes.note(id(2)) == left)
        #expect(try await second.journals.document(of: ines, story: "mill") == merged)
        #expect(try await second.erasures.isRemoved(id(3), of: ines))
        #expect(try await second.erasures.erased(ines, story: "bell") == time(5))
        #expect(try await second.blobs.read(kept.file) == image(1).bytes)
        #expect(try await second.blobs.read(left.file) == image(2).bytes)
    }

    /// The service was killed after it had written an image, before its row; and after a row, before its mark went.
    @Test func recoversImagesWithoutARow() async throws {
        let first = try Stores.open(folder)
        let kept = try await first.captures.keep(capture(id(1)), image(1), of: ines).capture
        let unnamed = BlobKey(kept.file.path.replacingIDs(id(1), by: id(2)))
        try await first.blobs.write([1], to: unnamed)
        for key in [kept.file, unnamed] { mark(key) }
        // Without a mark, an image may be newer than a restored database.
        let older = BlobKey(kept.file.path.replacingIDs(id(1), by: id(3)))
        try await first.blobs.write([1], to: older)
        let second = try Stores.open(folder)
        try await second.recover()
        await #expect(throws: StorageFault.notFound) { try await second.blobs.open(unnamed) }
        #expect(try await second.blobs.read(kept.file) == image(1).bytes)
        #expect(try await second.blobs.read(older) == [1])
        #expect(Directory.entries(of: "\(data)/pending").isEmpty)
    }

    /// A refused image leaves nothing behind, nor does one that is kept.
    @Test func leavesNoMarks() async throws {
        let stores = try Stores.open(folder, maxImageBytes: 100)
        let kept = try await stores.captures.keep(capture(id(1)), image(1), of: ines).capture
        _ = try? await stores.captures.keep(capture(id(2)), image(2), of: ines)
        _ = try? await stores.notes.keep(note(id(3)), image(3))
        try await stores.captures.removeCaptures([id(1)], of: ines, at: time(1))
        #expect(Directory.entries(of: "\(data)/pending").isEmpty)
        #expect(Directory.byteCount(of: "\(data)/players") == 0 && Directory.byteCount(of: "\(data)/notes") == 0)
        await #expect(throws: StorageFault.notFound) { try await stores.blobs.open(kept.file) }
    }

    @Test func tellsWhichJournalIsDamaged() async throws {
        let stores = try Stores.open(folder)
        for story in ["bell", "mill"] { _ = try await stores.journals.merge(journal(story, found: ["a": 1]), of: ines) }
        try OutputFile.write(Array("no database".utf8), to: "\(data)/players/ines/journals/bell.sqlite")
        for _ in 0..<2 {
            do {
                _ = try await stores.journals.merge(journal("bell", found: ["b": 2]), of: ines)
                Issue.record("a damaged journal was read")
            } catch StorageFault.damaged(let story, _) { #expect(story == "bell") }
        }
        #expect(try await stores.journals.stories(of: ines) == ["bell", "mill"])
        _ = try await stores.journals.document(of: ines, story: "mill")
        try await stores.journals.removeJournal("bell", of: ines)
        #expect(try await stores.journals.stories(of: ines) == ["mill"])
    }

    /// Names of players are names of folders on any file system, and nobody's name is left.
    @Test func namesFoldersOfPlayers() async throws {
        let stores = try Stores.open(folder)
        for name in ["Ines", "ines", "../ines", String(repeating: "ü", count: 100)] {
            _ = try await stores.journals.merge(journal(found: ["a": 1]), of: PlayerIdentity(id: name))
        }
        let names = Directory.entries(of: "\(data)/players")
        #expect(Set(names.map { $0.lowercased() }).count == 4)
        #expect(names.contains("ines") && names.contains("_49nes") && names.contains("_2e_2e_2fines"))
        try await stores.removeAll(of: PlayerIdentity(id: "Ines"))
        #expect(!Directory.entries(of: "\(data)/players").contains("_49nes"))
    }

    private func mark(_ key: BlobKey) {
        let name = String(key.path.map { $0 == "/" ? ":" : $0 })
        close(creat("\(data)/pending/\(name)", 0o600))
    }
}

extension String {
    fileprivate func replacingIDs(_ id: String, by other: String) -> String {
        let parts = split(separator: "/").map { part -> String in
            part.hasPrefix(id) ? other + part.dropFirst(id.count) : String(part)
        }
        return parts.joined(separator: "/")
    }
}
