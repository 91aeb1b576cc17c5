import Testing
import WayreelEngine
import WayreelStorage
import WayreelStory

/// What ``NoteStoring`` promises.
@Suite struct NoteContractTests {
    private func query(
        _ player: PlayerIdentity, radius: Double = NoteQuery.maxRadius, isOwn: Bool = false, now: Int64 = 10,
        limit: Int = 50, after: NotePlace? = nil
    ) -> NoteQuery {
        NoteQuery(
            player: player, center: GeoPoint(latitude: 50, longitude: 7), radius: radius, isOwn: isOwn,
            now: time(now), limit: limit, after: after)
    }

    @Test(arguments: Implementation.allCases) func hasWhatWasKept(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        let new = note(id(1), to: .group("walkers"), from: 1, until: 9)
        let kept = try await notes.keep(new, image(1))
        #expect(try await notes.note(id(1)) == kept)
        #expect(kept.author == "ines" && kept.visibility == .group("walkers") && kept.place == new.place)
        #expect(kept.start == time(1) && kept.end == time(9) && kept.text == "here" && kept.fingerprint == "one")
        #expect(kept.type == "image/jpeg" && kept.width == 20 && kept.height == 10 && kept.bytes == 100)
        #expect(try await stores.players.blobs.read(kept.file) == image(1).bytes)
        // Of an id, the first one is kept, whoever sends another.
        #expect(try await notes.keep(note(id(1), by: olaf), image(2)) == kept)
        #expect(try await stores.players.blobs.read(kept.file) == image(1).bytes)
        #expect(try await notes.notes(by: ines) == [kept])
        #expect(try await notes.notes(by: olaf).isEmpty)
    }

    /// Who sees a note of ines at the seconds 5, 10 and 20, of which 10 is within its time.
    @Test(arguments: Implementation.allCases) func isSeenByThoseWhoMay(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        let friend = PlayerIdentity(id: "friend", groups: ["sailors", "walkers"])
        let cases: [(NoteVisibility, seenBy: [PlayerIdentity])] = [
            (.all, [ines, olaf, friend]), (.group("walkers"), [ines, friend]), (.author, [ines]),
        ]
        for (number, (visibility, viewers)) in cases.enumerated() {
            _ = try await notes.keep(note(id(number), to: visibility, from: 6, until: 20), image(1))
            for player in [ines, olaf, friend] {
                for now: Int64 in [5, 10, 20] {
                    let isSeen = now == 10 && viewers.contains(player)
                    let listed = try await notes.notes(query(player, now: now)).contains { $0.note.id == id(number) }
                    #expect(listed == isSeen, "\(visibility) \(player.id) \(now)")
                    let found = try await notes.note(id(number), to: player, now: time(now)) != nil
                    #expect(found == (isSeen || player == ines), "\(visibility) \(player.id) \(now)")
                }
            }
        }
        #expect(try await notes.notes(query(ines, isOwn: true, now: 99)).count == 3)
        #expect(try await notes.notes(query(olaf, isOwn: true)).isEmpty)
    }

    @Test(arguments: Implementation.allCases) func listsTheNearestFirst(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        // 11, 22, 33, … metres to the north, and one on the other side of the Earth.
        for number in [4, 2, 5, 1, 3] {
            _ = try await notes.keep(note(id(number), latitude: 50 + Double(number) / 10_000), image(1))
        }
        _ = try await notes.keep(note(id(9), latitude: -50), image(1))
        func ids(_ query: NoteQuery) async throws -> [String] { try await notes.notes(query).map(\.note.id) }
        #expect(try await ids(query(olaf)) == [1, 2, 3, 4, 5, 9].map(id))
        #expect(try await ids(query(olaf, radius: 40)) == [1, 2, 3].map(id))
        let page = try await notes.notes(query(olaf, limit: 2))
        #expect(page.map(\.note.id) == [1, 2].map(id))
        #expect(abs(page[1].distance - 22.2) < 0.1)
        let last = NotePlace(distance: page[1].distance, id: page[1].note.id)
        #expect(try await ids(query(olaf, limit: 2, after: last)) == [3, 4].map(id))
    }

    @Test(arguments: Implementation.allCases) func removalIsFinal(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        let kept = try await notes.keep(note(id(1)), image(1))
        // Those of others stay.
        try await notes.removeNotes([id(1)], of: olaf, at: time(20))
        #expect(try await notes.note(id(1)) == kept)
        try await notes.removeNotes([id(1)], of: ines, at: time(20))
        #expect(try await notes.note(id(1)) == nil)
        await #expect(throws: StorageFault.notFound) { try await stores.players.blobs.open(kept.file) }
        await #expect(throws: StorageFault.removed(.note)) { try await notes.keep(note(id(1)), image(1)) }
        await #expect(throws: StorageFault.removed(.note)) {
            try await stores.players.erasures.checkNotRemoved(note: id(1), of: ines)
        }
        // Also if no further ids can be remembered.
        try await stores.players.erasures.markRemoved(
            (0..<ErasureLimits.maxRemoved - 1).map { "\($0)" }, of: ines, at: time(20))
        _ = try await notes.keep(note(id(2)), image(2))
        try await notes.removeNotes([id(2)], of: ines, at: time(20))
        #expect(try await notes.note(id(2)) == nil)
    }

    @Test(arguments: Implementation.allCases) func erasureBeatsLaterWrites(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        try await stores.players.erasures.erase(ines, story: nil, upTo: time(20))
        await #expect(throws: StorageFault.removed(.player)) {
            try await notes.keep(note(id(1), began: 20), image(1))
        }
        _ = try await notes.keep(note(id(1), began: 21), image(1))
        _ = try await notes.keep(note(id(2), by: olaf, began: 20), image(1))
    }

    @Test(arguments: Implementation.allCases) func removesEndedNotesInBatches(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let notes = stores.players.notes
        for number in 0..<5 { _ = try await notes.keep(note(id(number), until: Int64(10 + number)), image(1)) }
        let endless = try await notes.keep(note(id(9)), image(1))
        #expect(try await notes.removeNotes(endedBefore: time(14), count: 3) == 3)
        #expect(try await notes.removeNotes(endedBefore: time(14), count: 3) == 1)
        #expect(try await notes.removeNotes(endedBefore: time(14), count: 3) == 0)
        #expect(try await Set(notes.notes(by: ines).map(\.id)) == [id(4), endless.id])
        // Its upload may be repeated: nobody has deleted it.
        _ = try await notes.keep(note(id(0)), image(1))
    }
}
