import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelGridTests {
    /// A bucket begins with the first sample at or after its time: sample n is at n / sampleRate seconds.
    @Test(arguments: [(44_100, "30"), (44_100, "29.97"), (48_000, "30000/1001"), (11_025, "60"), (384_000, "7.3")])
    func edgesMatchTheirTimes(sampleRate: Int, rate: String) throws {
        let rate = try #require(Rational(rate))
        // The last edge is 10 hours into the audio.
        for index in [0, 1, 2, 29, 30, 1001, 36_000 * rate.numerator / rate.denominator] {
            let edge = LevelGrid.rate(rate).edge(index, sampleRate: sampleRate, sampleCount: 0)
            let isAtOrAfter = { (n: Int) in n * rate.numerator >= index * rate.denominator * sampleRate }
            #expect(isAtOrAfter(edge))
            #expect(edge == 0 || !isAtOrAfter(edge - 1))
        }
    }

    @Test func pointsShareTheWholeAudio() {
        let edges = (0...800).map { LevelGrid.points(800).edge($0, sampleRate: 44_100, sampleCount: 176_401) }
        #expect(edges.first == 0 && edges.last == 176_401)
        #expect(Set(zip(edges, edges.dropFirst()).map { $1 - $0 }) == [220, 221])
    }
}
