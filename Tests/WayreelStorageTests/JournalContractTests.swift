import Testing
import WayreelEngine
import WayreelJournal
import WayreelStorage

/// What ``JournalStoring`` promises.
@Suite struct JournalContractTests {
    @Test(arguments: Implementation.allCases) func hasWhatWasMerged(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let journals = stores.players.journals
        #expect(try await journals.stories(of: ines).isEmpty)
        #expect(try await journals.document(of: ines, story: "mill").contents.isEmpty)
        #expect(try await journals.bytes(ofJournal: "mill", of: ines) == 0)
        _ = try await journals.merge(journal(found: ["wheel": 1]), of: ines)
        let merged = try await journals.merge(journal(found: ["wheel": 2, "door": 3]), of: ines)
        #expect(merged == journal(found: ["wheel": 1, "door": 3]))
        _ = try await journals.merge(journal("bell", found: ["rope": 4]), of: ines)
        #expect(try await journals.document(of: ines, story: "mill") == merged)
        #expect(try await journals.stories(of: ines) == ["bell", "mill"])
        let bytes = try await journals.bytes(ofJournal: "mill", of: ines)
        let allBytes = try await journals.bytes(ofJournal: nil, of: ines)
        #expect(bytes > 0 && bytes < allBytes)
        #expect(try await journals.stories(of: olaf).isEmpty)
    }

    /// A journal without entries is none.
    @Test(arguments: Implementation.allCases) func makesNoEmptyJournal(_ kind: Implementation) async throws {
        let stores = try kind.make()
        var news = journal(found: [:])
        #expect(try await stores.players.journals.merge(news, of: ines) == news)
        news.contents.erase(upTo: time(1))
        _ = try await stores.players.journals.merge(news, of: ines)
        #expect(try await stores.players.journals.stories(of: ines).isEmpty)
    }

    @Test(arguments: Implementation.allCases) func tellsWhatIsNew(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let journals = stores.players.journals
        let nothing = journal(found: [:])
        func exchange(_ news: JournalDocument, _ cursor: JournalCursor) async throws -> JournalChanges {
            try await journals.exchange(news, since: cursor, of: ines, isLimited: true)
        }
        let first = try await exchange(journal(found: ["wheel": 1]), .start)
        #expect(first.isWhole && first.contents.isEmpty)
        // Another device has found a thing before, and one that is new to this one.
        let second = try await exchange(journal(found: ["wheel": 2, "door": 3]), .start)
        #expect(second.isWhole && second.contents == journal(found: ["wheel": 1]).contents)
        let third = try await exchange(nothing, first.cursor)
        #expect(!third.isWhole && !third.hasMore && third.contents == journal(found: ["door": 3]).contents)
        let fourth = try await exchange(nothing, third.cursor)
        #expect(!fourth.isWhole && fourth.contents.isEmpty && fourth.cursor == third.cursor)
        let unknown = try await exchange(nothing, JournalCursor("2.2.2"))
        #expect(unknown.isWhole && unknown.contents == journal(found: ["wheel": 1, "door": 3]).contents)
    }

    @Test(arguments: Implementation.allCases) func tellsOfRemovedCaptures(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let journals = stores.players.journals
        var news = JournalDocument(story: "mill", contents: JournalContents())
        news.contents.captures["c"] = .init(event: "wheel", file: "/c", timestamp: time(1))
        let taken = try await journals.exchange(news, since: .start, of: ines, isLimited: true)
        var removal = JournalDocument(story: "mill", contents: JournalContents())
        removal.contents.remove(capture: "c", at: time(2))
        try await journals.record(removal, of: ines)
        let changes = try await journals.exchange(
            journal(found: [:]), since: taken.cursor, of: ines, isLimited: true)
        #expect(changes.contents.removed == ["c": time(2)])
        _ = try await journals.exchange(news, since: .start, of: ines, isLimited: true)
        #expect(try await journals.document(of: ines, story: "mill").contents.captures.isEmpty)
        // Older devices know no deletions.
        #expect(try await journals.merge(journal(found: [:]), of: ines).contents.removed.isEmpty)
    }

    @Test(arguments: Implementation.allCases) func takesChangesAtTheSameTime(_ kind: Implementation) async throws {
        let stores = try kind.make()
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let news = journal(found: ["event-\(number)": Int64(number)])
                    _ = try await stores.players.journals.merge(news, of: ines)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores.players.journals.document(of: ines, story: "mill").contents.found.count == 20)
    }

    @Test(arguments: Implementation.allCases) func isLimited(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let journals = stores.players.journals
        let fault = StorageFault.full(.journal(story: "mill", bytes: JournalLimits.maxBytes))
        let text = String(repeating: "a", count: JournalLimits.maxBytes / 4)
        func attempt(_ number: Int64) -> JournalDocument {
            var news = JournalDocument(story: "mill", contents: JournalContents())
            news.contents.attempts.insert(.init(lockbox: "door", text: text, timestamp: time(number)))
            return news
        }
        var kept: Int64 = 0
        await #expect(throws: fault) {
            while true {
                _ = try await journals.merge(attempt(kept + 1), of: ines)
                kept += 1
            }
        }
        #expect((1...4).contains(kept))
        #expect(try await journals.document(of: ines, story: "mill").contents.attempts.count == kept)
        try await journals.checkRoom(forJournal: "mill", of: ines)
        // The service records also in a full journal.
        for number in kept + 1...5 { try await journals.record(attempt(number), of: ines) }
        #expect(try await journals.document(of: ines, story: "mill").contents.attempts.count == 5)
        await #expect(throws: fault) { try await journals.checkRoom(forJournal: "mill", of: ines) }
        try await journals.removeJournal("mill", of: ines)
        try await journals.checkRoom(forJournal: "mill", of: ines)
    }

    @Test(arguments: Implementation.allCases) func beginsAnewAfterRemoval(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let journals = stores.players.journals
        let before = try await journals.exchange(journal(found: ["wheel": 1]), since: .start, of: ines, isLimited: true)
        try await journals.removeJournal("mill", of: ines)
        try await journals.removeJournal("mill", of: ines)
        #expect(try await journals.stories(of: ines).isEmpty)
        _ = try await journals.merge(journal(found: ["door": 2]), of: ines)
        let after = try await journals.exchange(
            journal(found: [:]), since: before.cursor, of: ines, isLimited: true)
        #expect(after.isWhole && after.contents == journal(found: ["door": 2]).contents)
    }

    @Test(arguments: Implementation.allCases, [nil, "mill"])
    func erasureBeatsLaterWrites(_ kind: Implementation, _ story: String?) async throws {
        let stores = try kind.make()
        let (journals, erasures) = (stores.players.journals, stores.players.erasures)
        _ = try await journals.merge(journal(found: ["wheel": 1]), of: ines)
        try await erasures.erase(ines, story: story, upTo: time(5))
        // An earlier one has no effect.
        try await erasures.erase(ines, story: story, upTo: time(3))
        #expect(try await erasures.erased(ines, story: "mill") == time(5))
        #expect(try await erasures.erased(ines, story: nil) == (story == nil ? time(5) : nil))
        #expect(try await erasures.erased(olaf, story: "mill") == nil)
        #expect(try await journals.document(of: ines, story: "mill").contents.found.isEmpty)
        _ = try await journals.merge(journal(found: ["door": 5, "bell": 6]), of: ines)
        #expect(try await journals.document(of: ines, story: "mill").contents.found.keys.map(\.text) == ["bell"])
        _ = try await journals.merge(journal("other", found: ["door": 4]), of: ines)
        #expect(try await journals.document(of: ines, story: "other").contents.found.isEmpty == (story == nil))
    }
}
