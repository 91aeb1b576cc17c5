import StorageSupport
import TestSupport
import Testing
import WayreelStorage

extension Implementation {
    /// Stores without accounts.
    func makeAccounts() throws -> Accounts {
        let folder = TemporaryFolder()
        let store: any AccountStoring =
            switch self {
            case .files: try SQLiteAccounts(folder: folder.path, threads: CallingThread())
            case .memory: MemoryAccounts()
            }
        return Accounts(store, in: folder)
    }

    /// A store of accounts, whose folder is removed with it.
    final class Accounts: Sendable {
        let store: any AccountStoring
        private let folder: TemporaryFolder

        init(_ store: any AccountStoring, in folder: TemporaryFolder) { (self.store, self.folder) = (store, folder) }
    }
}

/// What ``AccountStoring`` promises.
@Suite struct AccountContractTests {
    private func passkey(_ number: UInt8, counter: UInt32 = 0) -> NewPasskey {
        NewPasskey(id: [number], key: [1, 2, number], counter: counter, device: "phone \(number)")
    }

    private func account(_ player: PlayerIdentity, handle: UInt8 = 1) -> PasskeyAccount {
        PasskeyAccount(player: player, handle: [handle], name: "Name of \(player.id)")
    }

    private func session(
        _ store: any AccountStoring, _ player: PlayerIdentity = ines, device: String = "phone", origin: String? = nil,
        latest: Int64? = nil
    ) async throws -> NewSession {
        try await store.makeSession(for: player, device: device, origin: origin, latest: latest)
    }

    // MARK: Sessions

    @Test(arguments: Implementation.allCases) func aSecretLetsItsPlayerIn(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let (first, second) = (try await session(store), try await session(store, device: "tablet", origin: "token"))
        #expect(first.secret != second.secret && first.session.id != second.session.id && first.name == "ines")
        #expect(try await store.session(first.secret) == first.session)
        #expect(try await store.session(second.secret) == second.session)
        #expect(first.session.player == ines && second.session.origin == "token" && second.session.device == "tablet")
        // An id lets nobody in.
        #expect(try await store.session(first.session.id) == nil)
        #expect(try await store.session("") == nil)
        #expect(try await Set(store.sessions(of: ines)) == [first.session, second.session])
        #expect(try await store.sessions(of: olaf).isEmpty)
    }

    @Test(arguments: Implementation.allCases) func aSessionIsEndedByItsPlayer(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let (first, second) = (try await session(store), try await session(store))
        #expect(try await !store.endSession(first.session.id, of: olaf))
        #expect(try await store.endSession(first.session.id, of: ines))
        #expect(try await !store.endSession(first.session.id, of: ines))
        #expect(try await store.session(first.secret) == nil)
        #expect(try await store.sessions(of: ines) == [second.session])
    }

    @Test(arguments: Implementation.allCases) func aSessionExpires(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let past = try await session(store, latest: 1_000_000_000)
        #expect(past.session.expires == 1_000_000_000)
        #expect(try await store.session(past.secret) == nil)
        #expect(try await store.sessions(of: ines).isEmpty)
        let long = try await session(store, latest: 100_000_000_000)
        #expect(long.session.expires == long.session.created + AccountLimits.sessionSeconds)
        #expect(try await store.session(long.secret) != nil)
    }

    @Test(arguments: Implementation.allCases) func aPlayerHasSoManySessions(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        var made: [NewSession] = []
        for _ in 0..<AccountLimits.sessions + 5 { made.append(try await session(store)) }
        let other = try await session(store, olaf)
        #expect(try await store.sessions(of: ines).count == AccountLimits.sessions)
        #expect(try await store.session(other.secret) == other.session)
        let newest = try #require(made.last)
        #expect(try await store.session(newest.secret) == newest.session)
    }

    // MARK: Accounts and passkeys

    @Test(arguments: Implementation.allCases) func aPasskeyHasItsAccount(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        #expect(try await store.passkey([1]) == nil)
        try await store.add(account(ines), with: passkey(1, counter: 7))
        let (stored, found) = try #require(try await store.passkey([1]))
        #expect(stored.passkey == passkey(1, counter: 7) && stored.player == "ines" && found == account(ines))
        #expect(try await store.name(of: ines) == "Name of ines")
        #expect(try await store.name(of: olaf) == "olaf")
        #expect(try await session(store).name == "Name of ines")
        try await store.add(passkey(2), of: ines)
        #expect(try await store.passkeys(of: ines).map(\.passkey) == [passkey(1, counter: 7), passkey(2)])
        #expect(try await store.passkeys(of: olaf).isEmpty)
    }

    @Test(arguments: Implementation.allCases) func aPasskeyIsKnownOnce(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        try await store.add(account(ines), with: passkey(1))
        await #expect(throws: StorageFault.conflict(.passkey)) {
            try await store.add(account(olaf, handle: 2), with: passkey(1))
        }
        await #expect(throws: StorageFault.conflict(.passkey)) { try await store.add(passkey(1), of: olaf) }
        // All or nothing: there is no account of olaf.
        #expect(try await store.players() == ["ines"])
        #expect(try await store.name(of: olaf) == "olaf")
        #expect(try await store.passkey([1])?.1 == account(ines))
    }

    @Test(arguments: Implementation.allCases) func aPlayerHasSoManyPasskeys(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        for number in 0..<AccountLimits.passkeys { try await store.add(passkey(UInt8(number)), of: ines) }
        let fault = StorageFault.full(.passkeys(AccountLimits.passkeys))
        await #expect(throws: fault) { try await store.add(passkey(99), of: ines) }
        try await store.add(passkey(99), of: olaf)
        #expect(try await !store.removePasskey([0], of: olaf))
        #expect(try await store.removePasskey([0], of: ines))
        #expect(try await !store.removePasskey([0], of: ines))
        try await store.add(passkey(98), of: ines)
    }

    /// WebAuthn Level 2, section 6.1.1: of two uses with the same counter, one is that of a copy.
    @Test(arguments: Implementation.allCases) func aCounterChangesOnce(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        try await store.add(account(ines), with: passkey(1, counter: 5))
        let (stored, _) = try #require(try await store.passkey([1]))
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number: UInt32 in 6..<16 { group.addTask { try await store.setCounter(number, of: stored) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0 } == 1)
        let (changed, _) = try #require(try await store.passkey([1]))
        #expect((6..<16).contains(changed.passkey.counter))
        // Authenticators without a counter say 0 at each use.
        try await store.add(passkey(2), of: ines)
        let uncounted = try #require(try await store.passkey([2])?.0)
        #expect(try await store.setCounter(0, of: uncounted))
        #expect(try await store.setCounter(0, of: uncounted))
    }

    @Test(arguments: Implementation.allCases) func anAccountIsMadeAndRenamed(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let made = try await store.account(of: olaf, name: nil)
        #expect(made.player == olaf && made.name == "olaf" && made.handle.count == 32)
        #expect(try await store.account(of: olaf, name: nil) == made)
        let member = PlayerIdentity(id: "olaf", groups: ["sailors", "walkers"])
        let renamed = try await store.account(of: member, name: "Olaf")
        #expect(renamed.handle == made.handle && renamed.name == "Olaf" && renamed.player == member)
        // A name that is not given stays; the groups are those that are given.
        #expect(try await store.account(of: olaf, name: nil).name == "Olaf")
        try await store.add(passkey(1), of: olaf)
        #expect(try await store.passkey([1])?.1.player.groups == [])
    }

    // MARK: Revocation

    @Test(arguments: Implementation.allCases) func aTokenIsRevoked(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let (made, other) = (try await session(store, origin: "a"), try await session(store, origin: "b"))
        let olafs = try await session(store, olaf, origin: "a")
        try await store.add(passkey(1), of: ines)
        #expect(try await !store.isRevoked("a", of: "ines", issued: 1))
        #expect(try await store.revoke(player: "ines", token: "a", expires: nil) == 1)
        #expect(try await store.revoke(player: "ines", token: "a", expires: 100_000_000_000) == 0)
        #expect(try await store.isRevoked("a", of: "ines", issued: 100_000_000_000))
        #expect(try await !store.isRevoked("b", of: "ines", issued: nil))
        #expect(try await !store.isRevoked("a", of: "olaf", issued: nil))
        #expect(try await store.session(made.secret) == nil)
        #expect(try await store.session(other.secret) == other.session)
        #expect(try await store.session(olafs.secret) == olafs.session)
        #expect(try await store.passkeys(of: ines).count == 1)
    }

    @Test(arguments: Implementation.allCases) func allOfAPlayerIsRevoked(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        let (made, other) = (try await session(store, origin: "a"), try await session(store, olaf))
        _ = try await session(store)
        try await store.add(account(ines), with: passkey(1))
        #expect(try await store.revoke(player: "ines", token: nil, expires: nil) == 2)
        #expect(try await store.isRevoked("a", of: "ines", issued: 1))
        #expect(try await store.isRevoked("a", of: "ines", issued: nil))
        // A token of later is another matter.
        #expect(try await !store.isRevoked("a", of: "ines", issued: 100_000_000_000))
        #expect(try await store.session(made.secret) == nil)
        #expect(try await store.passkey([1]) == nil)
        #expect(try await store.session(other.secret) == other.session)
        #expect(try await !store.isRevoked("a", of: "olaf", issued: 1))
        // The account stays.
        #expect(try await store.name(of: ines) == "Name of ines")
    }

    // MARK: Erasure

    @Test(arguments: Implementation.allCases) func aPlayerIsRemoved(_ kind: Implementation) async throws {
        let accounts = try kind.makeAccounts()
        let store = accounts.store
        try await store.add(account(ines), with: passkey(1))
        let (made, other) = (try await session(store), try await session(store, olaf))
        _ = try await store.revoke(player: "ines", token: "a", expires: nil)
        #expect(try await Set(store.players()) == ["ines", "olaf"])
        // What is newer than the deletion stays.
        try await store.remove(ines, upTo: made.session.created - 10)
        #expect(try await store.session(made.secret) == made.session)
        #expect(try await store.passkey([1]) != nil)
        try await store.remove(ines, upTo: nil)
        #expect(try await store.players() == ["olaf"])
        #expect(try await store.session(made.secret) == nil)
        #expect(try await store.passkey([1]) == nil)
        #expect(try await store.name(of: ines) == "ines")
        #expect(try await store.session(other.secret) == other.session)
        #expect(try await store.isRevoked("a", of: "ines", issued: nil))
    }

    // MARK: What outlives a service

    @Test func theFileHasEverythingAfterItIsOpenedAgain() async throws {
        let folder = TemporaryFolder()
        let first = try SQLiteAccounts(folder: folder.path, threads: CallingThread())
        let made = try await session(first, PlayerIdentity(id: "ines", groups: ["b", "a"]), latest: 100_000_000_000)
        try await first.add(account(ines), with: passkey(1, counter: .max))
        _ = try await first.revoke(player: "ines", token: "a", expires: nil)
        // Also beside the first, as `wayreel token revoke` does.
        let second = try SQLiteAccounts(folder: folder.path, threads: CallingThread())
        #expect(try await second.session(made.secret) == made.session)
        #expect(try await second.passkey([1])?.0.passkey == passkey(1, counter: .max))
        #expect(try await second.passkey([1])?.1 == account(ines))
        #expect(try await second.revoke(player: "ines", token: nil, expires: nil) == 1)
        #expect(try await first.session(made.secret) == nil)
        #expect(try await first.isRevoked("b", of: "ines", issued: nil))
    }
}
