import Testing
import WayreelEngine
import WayreelJournal
import WayreelStorage

/// What ``CaptureStoring``, ``BlobStoring`` and ``ErasureStoring`` promise.
@Suite struct CaptureContractTests {
    @Test(arguments: Implementation.allCases) func hasWhatWasKept(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let captures = stores.players.captures
        #expect(try await captures.capture(id(1), of: ines) == nil)
        let (kept, isNew) = try await captures.keep(capture(id(1)), image(1), of: ines)
        #expect(isNew)
        #expect(try await captures.capture(id(1), of: ines) == kept)
        #expect(kept.player == "ines" && kept.story == "mill" && kept.event == "wheel" && kept.bytes == 100)
        #expect(kept.type == "image/jpeg" && kept.fingerprint == "one" && kept.time == time(10))
        #expect(try await stores.players.blobs.read(kept.file) == image(1).bytes)
        let (other, _) = try await captures.keep(capture(id(2), story: "bell"), image(2), of: ines)
        #expect(try await captures.captures(of: ines, story: "bell") == [other])
        #expect(try await Set(captures.captures(of: ines, story: nil)) == [kept, other])
        #expect(try await captures.captures(of: olaf, story: nil).isEmpty)
    }

    /// An id has one image; another player may have the same id.
    @Test(arguments: Implementation.allCases) func keepsTheFirst(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let captures = stores.players.captures
        let first = try await captures.keep(capture(id(1)), image(1), of: ines).capture
        for number: UInt8 in [1, 2] {
            let again = try await captures.keep(capture(id(1), fingerprint: "two", at: 11), image(number), of: ines)
            #expect(!again.isNew && again.capture == first)
            #expect(try await stores.players.blobs.read(first.file) == image(1).bytes)
        }
        #expect(try await captures.keep(capture(id(1)), image(3), of: olaf).isNew)
    }

    @Test(arguments: Implementation.allCases) func keepsOneOfMany(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let kept = try await withThrowingTaskGroup(of: (capture: KeptCapture, isNew: Bool).self) { group in
            for number: UInt8 in 0..<10 {
                group.addTask {
                    let new = capture(id(1), fingerprint: "\(number)")
                    return try await stores.players.captures.keep(new, image(number), of: ines)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(kept.count { $0.isNew } == 1 && Set(kept.map(\.capture)).count == 1)
        let number = try #require(UInt8(kept[0].capture.fingerprint))
        #expect(try await stores.players.blobs.read(kept[0].capture.file) == image(number).bytes)
    }

    @Test(arguments: Implementation.allCases) func limitsTheImagesOfAPlayer(_ kind: Implementation) async throws {
        let stores = try kind.make(maxImageBytes: 150)
        let (captures, notes) = (stores.players.captures, stores.players.notes)
        let fault = StorageFault.full(.images(bytes: 150))
        _ = try await captures.keep(capture(id(1)), image(1), of: ines)
        _ = try await notes.keep(note(id(2)), image(2))
        await #expect(throws: fault) { try await captures.checkRoom(forCapturesOf: ines) }
        await #expect(throws: fault) { try await notes.checkRoom(forNotesOf: ines) }
        await #expect(throws: fault) { try await captures.keep(capture(id(3)), image(3), of: ines) }
        await #expect(throws: fault) { try await notes.keep(note(id(4)), image(4)) }
        #expect(try await captures.capture(id(3), of: ines) == nil)
        #expect(try await notes.note(id(4)) == nil)
        // What is there is found, and others have their own room.
        #expect(try await !captures.keep(capture(id(1)), image(1), of: ines).isNew)
        try await captures.checkRoom(forCapturesOf: olaf)
        try await notes.removeNotes([id(2)], of: ines, at: time(20))
        try await captures.checkRoom(forCapturesOf: ines)
    }

    @Test(arguments: Implementation.allCases) func removalIsFinal(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let (captures, erasures) = (stores.players.captures, stores.players.erasures)
        let kept = try await captures.keep(capture(id(1)), image(1), of: ines).capture
        try await captures.removeCaptures([id(1), id(2)], of: ines, at: time(20))
        #expect(try await captures.capture(id(1), of: ines) == nil)
        await #expect(throws: StorageFault.notFound) { try await stores.players.blobs.read(kept.file) }
        for number in [1, 2] {
            #expect(try await erasures.isRemoved(id(number), of: ines))
            await #expect(throws: StorageFault.removed(.capture)) {
                try await captures.keep(capture(id(number), at: 30), image(1), of: ines)
            }
            await #expect(throws: StorageFault.removed(.capture)) {
                try await erasures.checkNotRemoved(capture: id(number), taken: time(30), story: "mill", of: ines)
            }
        }
        #expect(try await !erasures.isRemoved(id(1), of: olaf))
        #expect(try await captures.keep(capture(id(1)), image(1), of: olaf).isNew)
    }

    @Test(arguments: Implementation.allCases, [nil, "mill"])
    func erasureBeatsLaterWrites(_ kind: Implementation, _ story: String?) async throws {
        let stores = try kind.make()
        let captures = stores.players.captures
        try await stores.players.erasures.erase(ines, story: story, upTo: time(20))
        await #expect(throws: StorageFault.removed(.capture)) {
            try await captures.keep(capture(id(1), at: 20), image(1), of: ines)
        }
        #expect(try await captures.keep(capture(id(1), at: 21), image(1), of: ines).isNew)
        #expect(try await captures.keep(capture(id(1), at: 20), image(1), of: olaf).isNew)
    }

    @Test(arguments: Implementation.allCases) func remembersSoMany(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let (captures, erasures) = (stores.players.captures, stores.players.erasures)
        let ids = (0..<ErasureLimits.maxRemoved).map(id)
        _ = try await captures.keep(capture("kept"), image(1), of: ines)
        await #expect(throws: StorageFault.full(.removals)) {
            try await erasures.markRemoved(ids + ["kept"], of: ines, at: time(1))
        }
        #expect(try await !erasures.isRemoved(ids[0], of: ines))
        try await erasures.markRemoved(ids, of: ines, at: time(1))
        try await erasures.markRemoved(ids, of: ines, at: time(2))
        await #expect(throws: StorageFault.full(.removals)) {
            try await captures.removeCaptures(["kept"], of: ines, at: time(2))
        }
        #expect(try await captures.capture("kept", of: ines) != nil)
    }

    /// A deletion that was cut off after it was remembered.
    @Test(arguments: Implementation.allCases) func repeatsErasures(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let players = stores.players
        for (number, seconds) in [(1, Int64(10)), (2, 20), (3, 30)] {
            _ = try await players.captures.keep(capture(id(number), at: seconds), image(1), of: ines)
        }
        _ = try await players.notes.keep(note(id(4)), image(4))
        _ = try await players.journals.merge(journal(found: ["wheel": 10, "door": 30]), of: ines)
        try await players.repeatErasures()
        #expect(try await players.captures.captures(of: ines, story: nil).count == 3)
        try await players.erasures.erase(ines, story: "mill", upTo: time(20))
        try await players.erasures.markRemoved([id(3), id(4)], of: ines, at: time(40))
        try await players.repeatErasures()
        #expect(try await players.captures.captures(of: ines, story: nil).isEmpty)
        #expect(try await players.notes.note(id(4)) == nil)
        let contents = try await players.journals.document(of: ines, story: "mill").contents
        #expect(contents.found.keys.map(\.text) == ["door"])
    }

    @Test(arguments: Implementation.allCases) func removesAllOfAPlayer(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let players = stores.players
        for player in [ines, olaf] {
            _ = try await players.captures.keep(capture(id(1)), image(1), of: player)
            _ = try await players.notes.keep(note(id(player == ines ? 2 : 3), by: player), image(2))
            _ = try await players.journals.merge(journal(found: ["wheel": 1]), of: player)
        }
        try await players.removeAll(of: ines)
        #expect(try await players.captures.captures(of: ines, story: nil).isEmpty)
        #expect(try await players.notes.notes(by: ines).isEmpty)
        #expect(try await players.journals.stories(of: ines).isEmpty)
        #expect(try await players.captures.captures(of: olaf, story: nil).count == 1)
        #expect(try await players.notes.notes(by: olaf).count == 1)
        #expect(try await players.journals.stories(of: olaf) == ["mill"])
        // What was under way does not come back; the player may begin anew.
        await #expect(throws: StorageFault.removed(.player)) { try await players.notes.keep(note(id(4)), image(4)) }
        await #expect(throws: StorageFault.removed(.capture)) {
            try await players.captures.keep(capture(id(5)), image(5), of: ines)
        }
        let later = Int64(1_000_000_000)
        #expect(try await players.captures.keep(capture(id(5), at: later), image(5), of: ines).isNew)
        _ = try await players.notes.keep(note(id(4), began: later), image(4))
        _ = try await players.journals.merge(journal(found: ["door": 2, "bell": later]), of: ines)
        #expect(
            try await players.journals.document(of: ines, story: "mill").contents.found.keys.map(\.text) == ["bell"])
    }

    @Test(arguments: Implementation.allCases) func keepsBlobs(_ kind: Implementation) async throws {
        let stores = try kind.make()
        let blobs = stores.players.blobs
        let key = BlobKey("notes/some/name.jpeg")
        #expect(key.name == "name.jpeg")
        await #expect(throws: StorageFault.notFound) { try await blobs.open(key) }
        try await blobs.write([1, 2, 3], to: key)
        try await blobs.write([4, 5, 6, 7], to: key)
        let blob = try await blobs.open(key)
        #expect(blob.count == 4)
        #expect(try await blobs.read(key) == [4, 5, 6, 7])
        try await blobs.delete([BlobKey("notes/some/other.jpeg"), key])
        await #expect(throws: StorageFault.notFound) { try await blobs.open(key) }
        // It is open.
        #expect(try await blob.read(1..<3) == [5, 6])
    }
}
