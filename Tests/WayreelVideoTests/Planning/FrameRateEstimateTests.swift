import Testing
import WayreelAV
import WayreelCore

/// Frame timestamps from a formula, rounded as in containers.
@Suite struct FrameRateEstimateTests {
    private static func times(_ rate: Double, unit: Double, count: Int, from first: Int64 = 0) -> [Int64] {
        (0..<count).map { first + Int64((Double($0) / rate / unit).rounded()) }
    }

    @Test(arguments: [
        ("24000/1001", "1/1000"), ("24000/1001", "1/24000"), ("25", "1/1000"), ("30000/1001", "1/1000"),
        ("30000/1001", "1/90000"), ("30000/1001", "1/600"), ("60000/1001", "1/1000"), ("60", "1/1000"), ("25", "1/25"),
        ("15", "1/12800"), ("120", "1/1000"), ("240", "1/1000"), ("50", "1/90000"), ("48", "1/600"),
    ])
    func roundedTimesAreStillConstant(rate: String, unit: String) throws {
        let (rate, unit) = (try #require(Rational(rate)), try #require(Rational(unit)))
        let times = Self.times(rate.value, unit: unit.value, count: 3000, from: 77)
        let finding = FrameRateEstimate(times: times.shuffled(), timeBase: unit, guess: nil)
        #expect(finding.mode == .constant && finding.rate == rate)
    }

    /// An uncommon rate is detected exactly.
    @Test func anyRateIsFound() throws {
        let unit = try #require(Rational(1, 90_000))
        let finding = FrameRateEstimate(times: (0..<500).map { $0 * 3001 }, timeBase: unit, guess: nil)
        #expect(finding.mode == .constant && finding.rate == Rational(90_000, 3001))
    }

    /// One lost frame in hundreds does not make a rate variable; several do, and so does jitter above the unit of the
    /// clock.
    @Test func whatVaries() throws {
        let unit = try #require(Rational(1, 1000))
        var times = Self.times(30, unit: 0.001, count: 600)
        times.remove(at: 300)
        #expect(FrameRateEstimate(times: times, timeBase: unit, guess: 30).mode == .constant)
        times.removeSubrange(100..<120)
        #expect(FrameRateEstimate(times: times, timeBase: unit, guess: 30).mode == .variable)
        let jitter = (0..<300).map { Int64($0 * 33 + [0, 4, -3, 7, 0][$0 % 5]) }
        let finding = FrameRateEstimate(times: jitter, timeBase: unit, guess: 30)
        #expect(finding.mode == .variable && abs((finding.rate?.value ?? 0) - 30.3) < 0.1)
        // Half of the frames at one rate, half at another.
        let two = Self.times(30, unit: 0.001, count: 100) + Self.times(60, unit: 0.001, count: 100, from: 3400)
        #expect(FrameRateEstimate(times: two, timeBase: unit, guess: 60).mode == .variable)
    }

    @Test func absurdTimesAreNoTrap() throws {
        for times in [[], [5], [7, 7], [.min, .max], [0, .max], [.min, 0, 1, .max]] as [[Int64]] {
            for unit in [1, Rational(1, .max)!, Rational(.max, 1)!] {
                let finding = FrameRateEstimate(times: times, timeBase: unit, guess: 25)
                #expect(finding.mode != .constant || times.count > 1)
            }
        }
    }

    private static func entry(_ time: Int64, _ bytes: Int = 1000, isKey: Bool = false) -> PacketLog.Entry {
        PacketLog.Entry(time: time, decodingTime: time, duration: 1, byteCount: bytes, isKeyFrame: isKey)
    }

    @Test func whatAPacketLogTells() throws {
        let unit = try #require(Rational(1, 10))
        // Ten seconds, a keyframe every 2.5 s, twice the bits in the sixth second.
        let entries = (0..<100).map { index in
            Self.entry(Int64(index), (50..<60).contains(index) ? 2000 : 1000, isKey: index % 25 == 0)
        }
        let log = PacketLog(timeBase: unit, entries: entries)
        #expect(log.seconds == 10 && log.keyFrameInterval == 2.5 && log.irregularities == [])
        #expect(log.bitRate == 88_000 && log.peakBitRate == 160_000)
    }

    @Test func whatStandsAgainstACopy() throws {
        let unit = try #require(Rational(1, 10))
        let plain = (0..<20).map { Self.entry($0, isKey: $0 == 0) }
        let irregularities = { (change: (inout [PacketLog.Entry]) -> Void) -> [String] in
            var entries = plain
            change(&entries)
            return PacketLog(timeBase: unit, entries: entries).irregularities
        }
        #expect(irregularities { _ in } == [])
        #expect(irregularities { $0[0].isKeyFrame = false } == ["it does not begin with a keyframe"])
        #expect(irregularities { $0[7].decodingTime = 3 } == ["its timestamps jump back"])
        #expect(irregularities { $0[19].decodingTime = 36_000 } == ["its timestamps jump ahead by 3598 s"])
        #expect(irregularities { $0[0].isDiscarded = true } == ["an edit list leaves parts of it out"])
        #expect(irregularities { $0[9].decodingTime = nil } == ["it has packets without timestamps"])
        // Matroska omits the decoding times of the first packets.
        #expect(irregularities { ($0[0].decodingTime, $0[1].decodingTime) = (nil, nil) } == [])
    }
}
