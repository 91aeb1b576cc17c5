import Testing
import WayreelStorage

/// What ``PairingStoring`` promises. A further implementation is a further argument.
@Suite struct PairingContractTests {
    private let store: any PairingStoring = MemoryPairings()

    private func session() async throws -> NewSession {
        let session = AccountSession(for: ines, device: "tablet", origin: nil, latest: nil, now: 0)
        return NewSession(session, secret: "secret", name: "Ines")
    }

    @Test func aDeviceIsLetInOnce() async throws {
        let (id, code) = try await store.offer(for: ines)
        // Four letters, a hyphen, four letters, none of which is mistaken for another.
        #expect(code.wholeMatch(of: /[A-HJKMNP-TV-Z2-9]{4}-[A-HJKMNP-TV-Z2-9]{4}/) != nil)
        #expect(try await store.pairing(id, of: ines)?.state == .waiting)
        #expect(try await store.pairing(id, of: olaf) == nil)
        #expect(try await store.decide(id, of: ines, isAccepted: true) == nil)
        // As a person types it.
        let typed = code.lowercased().replacing("-", with: " ")
        let secret = try #require(try await store.enter(typed, device: "tablet"))
        #expect(try await store.enter(code, device: "another") == nil)
        let asked = try await store.pairing(id, of: ines)
        #expect(asked?.state == .asked && asked?.device == "tablet")
        #expect(try await store.result(secret) == .waiting)
        #expect(try await store.decide(id, of: olaf, isAccepted: true) == nil)
        #expect(try await store.decide(id, of: ines, isAccepted: true) == "tablet")
        // There is no session yet.
        #expect(try await store.result(secret) == .waiting)
        let session = try await session()
        try await store.complete(id, with: session)
        #expect(try await store.result("another") == nil)
        #expect(try await store.result(secret) == .accepted(session))
        #expect(try await store.result(secret) == nil)
        #expect(try await store.pairing(id, of: ines) == nil)
    }

    @Test func aPlayerMaySayNo() async throws {
        let (id, code) = try await store.offer(for: ines)
        let secret = try #require(try await store.enter(code, device: "tablet"))
        #expect(try await store.decide(id, of: ines, isAccepted: false) == "tablet")
        #expect(try await store.decide(id, of: ines, isAccepted: true) == nil)
        #expect(try await store.result(secret) == .refused)
        #expect(try await store.result(secret) == nil)
    }

    @Test func aPlayerMayAnswerAgainWithoutASession() async throws {
        let (id, code) = try await store.offer(for: ines)
        let secret = try #require(try await store.enter(code, device: "tablet"))
        #expect(try await store.decide(id, of: ines, isAccepted: true) == "tablet")
        try await store.reopen(id)
        #expect(try await store.result(secret) == .waiting)
        #expect(try await store.decide(id, of: ines, isAccepted: true) == "tablet")
    }

    @Test func aFurtherCodeReplacesTheOldest() async throws {
        var made: [(id: String, code: String)] = []
        for _ in 0..<PairingLimits.perPlayer + 1 { made.append(try await store.offer(for: ines)) }
        let other = try await store.offer(for: olaf)
        #expect(try await store.pairing(made[0].id, of: ines) == nil)
        #expect(try await store.enter(made[0].code, device: "tablet") == nil)
        for pairing in made.dropFirst() { #expect(try await store.pairing(pairing.id, of: ines) != nil) }
        #expect(try await store.pairing(other.id, of: olaf) != nil)
    }

    @Test func codesAreNotGuessed() async throws {
        let (_, code) = try await store.offer(for: ines)
        for number in 0..<PairingLimits.wrongCodes {
            #expect(try await store.enter("wrong \(number)", device: "tablet") == nil)
        }
        await #expect(throws: StorageFault.full(.wrongCodes)) { try await store.enter(code, device: "tablet") }
    }
}
