import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// Filters that add events: thresholds and heart beats.
@Suite struct SensorEventTests {
    private func events(_ series: Series, _ filter: String) throws -> [SensorSample] {
        let all = try series.all(filter)
        // The samples stay.
        #expect(all.filter { $0.stream == "s" } == (try series.samples))
        return all.filter { $0.stream != "s" }
    }

    private func event(_ seconds: Double, _ stream: String, _ values: SensorSample.Values) throws -> SensorSample {
        SensorSample(try #require(SensorTime(seconds: seconds)), stream: stream, values: values)
    }

    // MARK: Thresholds

    @Test func above() throws {
        let series = Series(every: 1, [-30, -21, -20, -22, -23, -23.1, -21, -19, -40, -20])
        #expect(
            try events(series, "x:above=-20,hysteresis=3") == [
                event(2, "s-above", ["above": 1, "x": -20]),
                event(5, "s-above", ["above": 0, "x": -23.1, "seconds": 3]),
                event(7, "s-above", ["above": 1, "x": -19]),
                event(8, "s-above", ["above": 0, "x": -40, "seconds": 1]),
                event(9, "s-above", ["above": 1, "x": -20]),
            ])
    }

    /// Without hysteresis; a value that is below at first; a time that goes backwards is ignored.
    @Test func below() throws {
        let series = Series([0, 1, 2, 1.5, 3, 4.25], [5, 5.5, 6, 1, 5, 5.01])
        #expect(
            try events(series, "x:below=5") == [
                event(0, "s-below", ["below": 1, "x": 5]), event(1, "s-below", ["below": 0, "x": 5.5, "seconds": 1]),
                event(3, "s-below", ["below": 1, "x": 5]),
                event(4.25, "s-below", ["below": 0, "x": 5.01, "seconds": 1.25]),
            ])
    }

    /// Events go through the filters that follow, and are known as targets.
    @Test func eventsAreFiltered() throws {
        let series = Series(every: 1, [0, 2, 0, 2, 2, 2, 0])
        let all = try series.all("x:above=1", "s-above.seconds:min=2")
        #expect(all.count { $0.values["above"] == 0 } == 1)
        var chain = try SensorFilterChain(
            [SensorFilter(parsing: "x:above=1"), SensorFilter(parsing: "s-above.seconds:min=2")])
        #expect(chain.addedComponents == ["above", "seconds"])
        var output: [SensorSample] = []
        for sample in try series.samples { try chain.apply(sample, to: &output) }
        #expect(chain.idle.isEmpty && chain.dropped == 1)
    }

    @Test func longNames() throws {
        let name = String(repeating: "a", count: 64)
        var chain = try SensorFilterChain([SensorFilter(parsing: "\(name):above=1")])
        var output: [SensorSample] = []
        try chain.apply(SensorSample(SensorTime(microseconds: 0), stream: name, values: ["x": 2]), to: &output)
        #expect(output.first?.stream == String(repeating: "a", count: 58) + "-above")
    }

    // MARK: Heart beats

    /// The leads of the electrocardiogram of Media/streams by name; 20 s at 250 samples a second.
    private static let leads = Result<[String: Series], any Error> {
        let lines = try Fixture.text(Fixture.media("streams/ecg-12-lead.csv")).split(separator: "\n")
        let rows = lines.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
        let names = lines[0].split(separator: ",").map { String($0.dropFirst("ecg.".count)) }
        return Dictionary(
            uniqueKeysWithValues: names.indices.dropFirst().map { column in
                (names[column], Series(rows.map { $0[0] }, rows.map { $0[column] }))
            })
    }

    private static func lead(_ name: String) throws -> Series { try #require(try leads.get()[name]) }

    /// Returns a column of a table in Tests/Fixtures/ecg-beats.
    private static func marks(_ file: String, lead: String? = nil) throws -> [Double] {
        let rows = try Fixture.text("\(Fixture.root)/Tests/Fixtures/ecg-beats/\(file).csv").split(separator: "\n")
            .map { $0.split(separator: ",") }
        let column = try #require(rows[0].firstIndex(of: "seconds"))
        return rows.dropFirst().filter { row in lead.map { row[0] == $0 } ?? true }.compactMap { Double($0[column]) }
    }

    /// Returns the times of the beats in seconds.
    private func beats(_ series: Series, _ filter: String = "x:peaks=200ms") throws -> [Double] {
        try events(series, filter).map { Double($0.time.microseconds) / 1e6 }
    }

    private func expectSame(_ found: [Double], _ expected: [Double], within tolerance: Double = 0.02) {
        #expect(found.count == expected.count)
        for (beat, mark) in zip(found, expected) { #expect(abs(beat - mark) <= tolerance, "\(beat), not \(mark)") }
    }

    @Test func asMarkedByHand() throws {
        expectSame(try beats(Self.lead("ii")), try Self.marks("hand"))
        expectSame(try beats(Self.lead("ii"), "x:peaks=200ms,rate=250"), try Self.marks("hand"))
    }

    @Test(arguments: ["ii", "i", "iii", "avl", "v1", "v2", "v3", "v4", "v5"]) func asXQRS(lead: String) throws {
        expectSame(try beats(Self.lead(lead)), try Self.marks("xqrs", lead: lead))
    }

    /// The leads in which XQRS marks other waves: the beats are within a complex of those of lead II.
    @Test(arguments: ["avr", "avf", "v6"]) func otherLeads(lead: String) throws {
        expectSame(try beats(Self.lead(lead)), try Self.marks("hand"), within: 0.06)
    }

    /// The value is that of the sample; the rate is that of the interval.
    @Test func valuesAndRates() throws {
        let series = try Self.lead("ii")
        let found = try events(series, "x:peaks=200ms")
        for (index, beat) in found.enumerated() {
            #expect(beat.stream == "s-beats")
            let sample = Int(beat.time.microseconds / 4000)
            #expect(beat.values["x"] == series.values[sample])
            guard index > 0 else {
                #expect(beat.values["bpm"] == nil)
                continue
            }
            let interval = beat.time.seconds(since: found[index - 1].time)
            #expect(abs((beat.values["bpm"] ?? 0) - 60 / interval) < 1e-9)
        }
    }

    /// Upside down, in other units, with mains hum, drift and an offset; at other rates.
    @Test func disturbances() throws {
        let series = try Self.lead("ii")
        let marks = try Self.marks("hand")
        func changed(_ change: (Double, Double) -> Double) -> Series {
            Series(series.times, zip(series.times, series.values).map(change))
        }
        expectSame(try beats(changed { -$1 }), marks)
        expectSame(try beats(changed { $1 * 1000 + 5000 }), marks)
        expectSame(try beats(changed { $1 + 0.1 * sin(2 * .pi * 50 * $0) }), marks)
        expectSame(try beats(changed { $1 + 0.5 * sin(2 * .pi * 0.2 * $0) }), marks)
        // A stronger drift is removed before.
        let drifting = changed { $1 + 5 * sin(2 * .pi * 0.2 * $0) }
        expectSame(try beats(try drifting.filtered("x:highpass=1,order=1")), marks)
        let half = series.times.indices.filter { $0 % 2 == 0 }
        expectSame(try beats(Series(half.map { series.times[$0] }, half.map { series.values[$0] })), marks)
        let faster = try series.filtered("x:resample=1000")
        expectSame(try beats(faster), marks)
    }

    /// Beats that become smaller; a disturbance of ten times their size at first.
    @Test func smallBeatsAndDisturbances() throws {
        let series = try Self.lead("ii")
        let marks = try Self.marks("hand")
        let smaller = Series(series.times, zip(series.times, series.values).map { $0 > 7.2 ? $1 * 0.5 : $1 })
        expectSame(try beats(smaller), marks)
        var disturbed = series
        for index in 150..<160 { disturbed.values[index] = 5 }
        let found = try beats(disturbed)
        for mark in marks where mark > 4 { #expect(found.contains { abs($0 - mark) <= 0.02 }, "\(mark)") }
    }

    /// After a gap, the detector begins anew, without a rate; times that go backwards are ignored.
    @Test func gapsAndTimesThatGoBackwards() throws {
        let series = try Self.lead("ii")
        let marks = try Self.marks("hand")
        var twice = Series(series.times + series.times.map { $0 + 100 }, series.values + series.values)
        twice.times.insert(contentsOf: [11.996, 3], at: 3000)
        twice.values.insert(contentsOf: [9, -9], at: 3000)
        let found = try events(twice, "x:peaks=200ms")
        expectSame(found.map { Double($0.time.microseconds) / 1e6 }, marks + marks.map { $0 + 100 })
        #expect(found.count { $0.values["bpm"] == nil } == 2)
    }

    /// Nothing is found in a flat line, in a moment, and in values that overflow.
    @Test func noBeats() throws {
        for value in [0, 0.1, 1_000_000.3, -7e-9] {
            let found = try beats(Series(every: 0.004, [Double](repeating: value, count: 10_000)))
            #expect(found.isEmpty)
        }
        #expect(try beats(Series([0, 0.004], [1, 2])).isEmpty)
        _ = try beats(Series(every: 0.004, (0..<5000).map { $0 % 100 < 2 ? ($0 % 2 == 0 ? 1e200 : -1e200) : 0 }))
    }
}
