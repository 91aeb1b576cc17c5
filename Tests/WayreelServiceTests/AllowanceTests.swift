import TestSupport
import Testing
import WayreelService

struct AllowanceTests {
    private let a = client("192.0.2.1")
    private let b = client("192.0.2.2")
    private let c = client("192.0.2.3")

    private static func client(_ address: String) -> Client { Client(HostAddress(address)!) }

    @Test func oneClientTakesItsPartAndNoMore() throws {
        let allowance = Allowance(100, clientShare: 0.25)
        let first = try allowance.reserve(20, for: a)
        #expect(throws: Allowance.Refusal.client) { try allowance.reserve(6, for: a) }
        let second = try allowance.reserve(5, for: a)
        let others = try [allowance.reserve(25, for: b), allowance.reserve(25, for: c)]
        #expect(allowance.load.held == 75)
        withExtendedLifetime((first, second, others)) {}
    }

    @Test func aSingleReservationMayBeLargerThanAPart() throws {
        let allowance = Allowance(100, clientShare: 0.25)
        let whole = try allowance.reserve(80, for: a)
        #expect(throws: Allowance.Refusal.client) { try allowance.reserve(1, for: a) }
        #expect(throws: Allowance.Refusal.total) { try allowance.reserve(21, for: b) }
        #expect(allowance.load.refused == 2)
        withExtendedLifetime(whole) {}
    }

    @Test func whatIsReservedIsGivenBackOnce() throws {
        let allowance = Allowance(100, clientShare: 0.5)
        do {
            let other = try allowance.reserve(5, for: a)
            let reservation = try allowance.reserve(10, for: a)
            #expect(try reservation.grow(to: 15) == 15)
            // A whole step where there is room for it.
            #expect(try reservation.grow(to: 16, step: 20) == 35)
            // Else only what is needed: a client has 50.
            #expect(try reservation.grow(to: 36, step: 20) == 36)
            #expect(throws: Allowance.Refusal.client) { try reservation.grow(to: 46) }
            #expect(allowance.load.held == 41)
            reservation.shrink(to: 4)
            #expect(allowance.load.held == 9)
            withExtendedLifetime((other, reservation)) {}
        }
        #expect(allowance.load.held == 0)
        #expect(throws: Never.self) { try allowance.reserve(100, for: a) }
    }

    @Test func aSingleReservationMayGrowBeyondAPart() throws {
        let allowance = Allowance(100, clientShare: 0.25)
        let other = try allowance.reserve(10, for: b)
        let reservation = try allowance.reserve(1, for: a)
        #expect(try reservation.grow(to: 90) == 90)
        #expect(throws: Allowance.Refusal.total) { try reservation.grow(to: 91) }
        withExtendedLifetime((other, reservation)) {}
    }

    /// RFC 6177 lets a site have a /48.
    @Test func networksOfOneSiteShareFourParts() throws {
        let allowance = Allowance(100, clientShare: 0.1)
        let networks = (0..<8).map { Self.client("2001:db8:1:\($0)::1") }
        let held = networks.compactMap { try? allowance.reserve(10, for: $0) }
        #expect(held.count == 4)
        #expect(throws: Never.self) { try allowance.reserve(10, for: Self.client("2001:db8:2::1")) }
        #expect(Self.client("2001:db8:1:2:3::4") == Self.client("2001:db8:1:2::5"))
        #expect(Self.client("::ffff:192.0.2.1") == a)
    }

    /// Random reservations of random clients: the sums are those of a table.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func sumsAreThoseOfATable(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let allowance = Allowance(1000, clientShare: 0.3)
        var held: [(client: Int, count: Int, reservation: Reservation)] = []
        for _ in 0..<2000 {
            if Bool.random(using: &random), !held.isEmpty {
                held.remove(at: Int.random(in: 0..<held.count, using: &random))
                continue
            }
            let (number, count) = (Int.random(in: 1...6, using: &random), Int.random(in: 0...120, using: &random))
            let own = held.filter { $0.client == number }.reduce(0) { $0 + $1.count }
            let all = held.reduce(0) { $0 + $1.count }
            let fits = all + count <= 1000 && (own == 0 || own + count <= 300)
            let reservation = try? allowance.reserve(count, for: Self.client("192.0.2.\(number)"))
            #expect((reservation != nil) == fits)
            if let reservation { held.append((number, count, reservation)) }
        }
        #expect(allowance.load.held == held.reduce(0) { $0 + $1.count })
    }
}
