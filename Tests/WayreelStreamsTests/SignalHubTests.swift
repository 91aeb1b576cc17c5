import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// The hub of live streams, with a clock of the test's own; its bytes are read by a parser of the test's own.
@Suite struct SignalHubTests {
    // MARK: A parser of batches, as Documentation/streams.md describes them

    private struct Run: Equatable {
        var channel: Int
        var times: [Double]
        var values: [Float]
    }

    private struct Batch {
        var number: Int
        var arrival: Double
        var sent: Double
        var runs: [Run] = []

        init(_ bytes: [UInt8]) throws {
            func word(_ at: Int, _ count: Int) -> UInt64 {
                (0..<count).reduce(0) { $0 | UInt64(bytes[at + $1]) << (8 * UInt64($1)) }
            }
            func float(_ at: Int) -> Float { Float(bitPattern: UInt32(word(at, 4))) }
            func double(_ at: Int) -> Double { Double(bitPattern: word(at, 8)) }
            try #require(bytes.count >= 24 && bytes[0] == 1 && bytes[1] == 0)
            (number, arrival, sent) = (Int(word(4, 4)), double(8), double(16))
            var at = 24
            for _ in 0..<word(2, 2) {
                try #require(at % 8 == 0)
                let (channel, isEven, count) = (Int(word(at, 2)), word(at + 2, 2) == 1, Int(word(at + 4, 4)))
                let (start, interval) = (double(at + 8), double(at + 16))
                at += 24
                let times = (0..<count).map {
                    isEven ? start + Double($0) * interval : start + Double(float(at + 4 * $0))
                }
                if !isEven { at += 4 * count }
                runs.append(Run(channel: channel, times: times, values: (0..<count).map { float(at + 4 * $0) }))
                at = (at + 4 * count + 7) / 8 * 8
            }
            #expect(at == bytes.count)
        }

        /// The samples of a channel.
        func samples(_ channel: Int) -> [(time: Double, value: Float)] {
            runs.filter { $0.channel == channel }.flatMap { zip($0.times, $0.values).map { ($0, $1) } }
        }

        var count: Int { runs.reduce(0) { $0 + $1.values.count } }
    }

    /// A hub with some channels, whose clock the test sets.
    private struct Bench {
        var hub: SignalHub
        var viewer = SignalViewer()
        var now = 1_000_000.0

        init(channels: Int = 1, bytes: Int = 1_000_000, seconds: Double = 60) {
            var head = SignalHead()
            head.channels = (0..<channels).map { SensorChannel("ecg", "lead\($0)", unit: "mV") }
            hub = SignalHub(head, limits: .init(bytes: bytes, seconds: seconds), at: 1_000_000)
        }

        mutating func add(_ channel: Int = 0, _ samples: [(Int64, Double)]) {
            let (times, values) = (samples.map(\.0), samples.map(\.1))
            hub.add(channel, times: times.span, values: values.span, at: now)
        }

        /// Lets time pass, so that what was added is a piece.
        mutating func pass(_ milliseconds: Double = 20) {
            now += milliseconds
            _ = hub.commit(at: now)
        }

        mutating func take(_ id: Int) throws -> (texts: [String], batches: [Batch]) {
            var (texts, batches): ([String], [Batch]) = ([], [])
            for message in viewer.messages(hub.take(id, at: now), sent: now) {
                switch message {
                case .text(let text): texts.append(text)
                case .binary(let bytes): batches.append(try Batch(bytes))
                }
            }
            return (texts, batches)
        }
    }

    // MARK: Bytes

    @Test func batchesAreAsDescribed() throws {
        var bench = Bench(channels: 3)
        let id = bench.hub.join(at: bench.now)
        // 250 samples a second, from 10 s on.
        bench.add(0, (0..<5).map { (10_000_000 + Int64($0) * 4000, Double($0) / 2) })
        bench.add(1, [(10_000_000, 1), (10_000_500, 2), (10_003_000, .nan), (10_004_000, 1e300)])
        bench.add(2, [(9_999_000, -7)])
        bench.pass(5)
        bench.now += 3
        let (texts, batches) = try bench.take(id)
        #expect(texts.count == 1 && texts[0].contains(#""origin":"10000000""#))
        #expect(texts[0].contains(#"{"index":1,"name":"ecg.lead1","unit":"mV","rate":null,"of":null,"filter":null}"#))
        let batch = try #require(batches.first)
        #expect(batches.count == 1 && batch.number == 1)
        #expect(batch.arrival == 1_000_000 && batch.sent == 1_000_008)
        let even = batch.samples(0)
        #expect(even.map(\.value) == [0, 0.5, 1, 1.5, 2])
        #expect(zip(even, 0..<5).allSatisfy { abs($0.time - Double($1) * 0.004) < 1e-9 })
        let uneven = batch.samples(1)
        #expect(zip(uneven, [0, 0.0005, 0.003, 0.004]).allSatisfy { abs($0.time - $1) < 1e-7 })
        #expect(uneven[0].value == 1 && uneven[1].value == 2 && uneven[2].value.isNaN && uneven[3].value.isNaN)
        #expect(batch.samples(2).map(\.time) == [-0.001])
    }

    @Test func longAndBackwardTimesAreFurtherRuns() throws {
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        let times: [Int64] = [
            0, 7_000_000, 15_999_999, 16_000_001, 40_000_000, 39_999_000, 39_999_000, 1_000_000_000_000,
        ]
        bench.add(0, times.map { ($0, 1) })
        bench.pass()
        let batch = try #require(try bench.take(id).batches.first)
        let read = batch.samples(0).map(\.time)
        #expect(read.count == times.count)
        for (time, micros) in zip(read, times) { #expect(abs(time - Double(micros) / 1e6) < 2e-6) }
        for run in batch.runs {
            #expect(zip(run.times, run.times.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(run.times[run.times.count - 1] - run.times[0] <= 16)
        }
    }

    @Test func aSenderReadsWhatAHubWrites() throws {
        var bench = Bench(channels: 2)
        let id = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 1), (1000, 2), (5000, 3)])
        bench.add(1, [(500, 4), (1500, 5)])
        bench.pass()
        var bytes: [UInt8] = []
        for case .binary(let message) in bench.viewer.messages(bench.hub.take(id, at: bench.now), sent: 0) {
            bytes = message
        }
        var read: [Int: [(Int64, Double)]] = [:]
        try bytes.withBytes { (bytes) throws(MediaError) -> Void in
            try SignalBatch.read(bytes) { (channel, times, values) throws(MediaError) in
                read[channel, default: []] += zip(times, values).map { ($0, $1) }
            }
        }
        #expect(read[0]?.map(\.0) == [0, 1000, 5000] && read[0]?.map(\.1) == [1, 2, 3])
        #expect(read[1]?.map(\.0) == [500, 1500] && read[1]?.map(\.1) == [4, 5])
    }

    /// Each prefix of a batch, and random bytes, are read or refused.
    @Test func damagedBatchesAreRefused() throws {
        func read(_ bytes: [UInt8]) -> Bool {
            let result = Result { () throws(MediaError) in
                try bytes.withBytes { (bytes) throws(MediaError) -> Void in
                    try SignalBatch.read(bytes) { (_, _, _) throws(MediaError) in }
                }
            }
            return (try? result.get()) != nil
        }
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 1), (1000, 2), (5000, 3)])
        bench.pass()
        for case .binary(let bytes) in bench.viewer.messages(bench.hub.take(id, at: bench.now), sent: 0) {
            #expect(read(bytes))
            // The last four bytes are zeros that fill up the run.
            for count in 0..<bytes.count - 4 { #expect(!read(Array(bytes[..<count])), "\(count)") }
        }
        // A linear congruential generator (Knuth's MMIX).
        var state: UInt64 = 7
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        for _ in 0..<2000 { _ = read([1, 0] + (0..<Int(next())).map { _ in next() }) }
    }

    // MARK: The ring

    @Test func theRingIsBoundedInBytes() {
        var bench = Bench(channels: 4, bytes: 50_000)
        for step in 0..<2000 {
            for channel in 0..<4 {
                bench.add(channel, (0..<50).map { (Int64(step * 50 + $0) * 1000, Double($0)) })
            }
            bench.pass(4)
            #expect(bench.hub.usedBytes <= 50_000)
        }
        #expect(bench.hub.usedBytes > 40_000)
    }

    @Test func theRingIsBoundedInSeconds() throws {
        var bench = Bench(seconds: 2)
        for step in 0..<1000 {
            bench.add(0, [(Int64(step) * 10_000, Double(step))])
            bench.pass(10)
        }
        let id = bench.hub.join(at: bench.now)
        let samples = try #require(try bench.take(id).batches.first).samples(0)
        #expect((199...202).contains(samples.count) && samples.last?.value == 999)
    }

    /// What a viewer gets and what it is told to have missed are all samples, in their order.
    @Test func aSlowViewerIsToldWhatItMissed() throws {
        var bench = Bench(bytes: 20_000)
        let id = bench.hub.join(at: bench.now)
        var (got, missed, last) = (0, 0, -1.0)
        for step in 0..<6000 {
            bench.add(0, [(Int64(step) * 1000, Double(step))])
            bench.pass(4)
            // It looks seldom, and acknowledges what it got before.
            guard step % 997 == 0 || step == 5999 else { continue }
            let (texts, batches) = try bench.take(id)
            for text in texts where text.contains("\"missed\"") {
                let count = try #require(text.split(separator: "\"samples\":").last?.dropLast())
                missed += try #require(Int(count))
            }
            for batch in batches {
                got += batch.count
                let times = batch.samples(0).map(\.time)
                #expect(times.allSatisfy { $0 > last } && times == times.sorted())
                last = times.last ?? last
                bench.hub.acknowledge(UInt32(batch.number), from: id, at: bench.now)
            }
        }
        #expect(got + missed == 6000 && missed > 0 && last == 5.999)
    }

    /// A tab that is hidden looks at all that comes and acknowledges nothing: it is told once, afterwards, what it missed.
    @Test func aHiddenViewerIsToldOnceWhatItMissed() throws {
        var bench = Bench(bytes: 20_000)
        let id = bench.hub.join(at: bench.now)
        var (waiting, got, told): ([Int], Int, [String]) = ([], 0, [])
        func take() throws {
            let (texts, batches) = try bench.take(id)
            told += texts.filter { $0.contains("\"missed\"") }
            got += batches.reduce(0) { $0 + $1.count }
            waiting += batches.map(\.number)
        }
        for step in 0..<6000 {
            bench.add(0, [(Int64(step) * 1000, Double(step))])
            bench.pass(4)
            try take()
        }
        #expect(waiting == Array(1...8) && told.isEmpty)
        let before = got
        for number in 1...100 {
            bench.hub.acknowledge(UInt32(number), from: id, at: bench.now)
            try take()
        }
        let text = try #require(told.first)
        #expect(told.count == 1 && text.contains("\"from\":\(Double(before - 1) / 1000),"), "\(told)")
        #expect(text.hasSuffix("\"samples\":\(6000 - got)}") && got > before)
    }

    @Test func viewersAtTheirOwnPaceGetTheSame() throws {
        var bench = Bench()
        let (fast, slow) = (bench.hub.join(at: bench.now), bench.hub.join(at: bench.now))
        var seen: [Int: [Float]] = [:]
        func take(_ id: Int) throws {
            for batch in try bench.take(id).batches {
                seen[id, default: []] += batch.samples(0).map(\.value)
                bench.hub.acknowledge(UInt32(batch.number), from: id, at: bench.now)
            }
        }
        for step in 0..<300 {
            bench.add(0, [(Int64(step) * 1000, Double(step))])
            bench.pass(4)
            try take(fast)
            if step % 100 == 99 { try take(slow) }
        }
        // One that comes late gets what the ring has.
        let late = bench.hub.join(at: bench.now)
        try take(late)
        let all = (0..<300).map(Float.init)
        #expect(seen[fast] == all && seen[slow] == all && seen[late] == all)
    }

    @Test func atMostEightBatchesAreNotAcknowledged() throws {
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        var count = 0
        for step in 0..<20 {
            bench.add(0, [(Int64(step) * 4000, 0)])
            bench.pass(4)
            count += try bench.take(id).batches.count
        }
        #expect(count == 8)
        bench.hub.acknowledge(8, from: id, at: bench.now)
        // What was never sent is not acknowledged.
        bench.hub.acknowledge(800, from: id, at: bench.now)
        let rest = try bench.take(id).batches
        #expect(rest.count == 1 && rest.first?.number == 9 && rest.first?.count == 12)
    }

    // MARK: Time

    @Test func piecesComeFourMillisecondsApart() {
        var bench = Bench()
        _ = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 0)])
        #expect(bench.hub.commit(at: bench.now) == .now)
        bench.now += 1
        bench.add(0, [(1000, 0)])
        #expect(bench.hub.commit(at: bench.now) == .later(3))
        bench.now += 1
        bench.add(0, [(2000, 0)])
        #expect(bench.hub.commit(at: bench.now) == .nothing)
        // The timer is a little early.
        bench.now += 1.999
        #expect(bench.hub.commit(at: bench.now, isDue: true) == .now)
        // Many viewers get them once a frame of a display.
        for _ in 0..<8 { _ = bench.hub.join(at: bench.now) }
        bench.now += 10
        bench.add(0, [(3000, 0)])
        guard case .later(let wait) = bench.hub.commit(at: bench.now) else { return #expect(Bool(false)) }
        #expect(abs(wait - (1000.0 / 60 - 10)) < 1e-6)
    }

    @Test func silenceIsToldOnce() throws {
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 0)])
        bench.pass()
        #expect(try bench.take(id).texts.count == 1)
        bench.now += 1900
        #expect(try bench.take(id).texts.isEmpty)
        bench.now += 200
        let told = try bench.take(id).texts
        #expect(told.count == 1 && told[0].hasPrefix(#"{"type":"silent","seconds":2.1"#))
        #expect(try bench.take(id).texts.isEmpty)
        bench.add(0, [(1000, 0)])
        bench.pass(3000)
        #expect(try bench.take(id).texts.count == 1)
    }

    /// A source that stops for a minute: what it measured before and after is there, and the silence is told once.
    @Test func aSourceThatStopsForAMinute() throws {
        var bench = Bench(seconds: 120)
        let id = bench.hub.join(at: bench.now)
        bench.add(0, (0..<50).map { (Int64($0) * 10_000, Double($0)) })
        bench.pass()
        var (values, silences) = ([Float](), 0)
        func take() throws {
            let (texts, batches) = try bench.take(id)
            silences += texts.count { $0.contains("\"silent\"") }
            for batch in batches {
                values += batch.samples(0).map(\.value)
                bench.hub.acknowledge(UInt32(batch.number), from: id, at: bench.now)
            }
        }
        try take()
        for _ in 0..<60 {
            bench.pass(1000)
            try take()
        }
        #expect(values.count == 50 && silences == 1)
        bench.add(0, (0..<50).map { (60_500_000 + Int64($0) * 10_000, Double(50 + $0)) })
        bench.pass()
        try take()
        #expect(values == (0..<100).map { Float($0) } && silences == 1)
        // Who comes now gets both.
        let late = bench.hub.join(at: bench.now)
        var other = SignalViewer()
        swap(&bench.viewer, &other)
        let samples = try bench.take(late).batches.flatMap { $0.samples(0) }
        #expect(samples.count == 100 && abs((samples.last?.time ?? 0) - (samples.first?.time ?? 0) - 60.99) < 1e-3)
    }

    // MARK: What viewers are told

    @Test func marksReachAllViewersAndThoseWhoComeLater() throws {
        var bench = Bench()
        let first = bench.hub.join(at: bench.now)
        bench.add(0, [(5_000_000, 0)])
        bench.pass()
        let mark = bench.hub.add(SensorMark(SensorTime(microseconds: 6_500_000), text: "a \"beat\""))
        let id = try #require(mark)
        let told = #"{"type":"mark","id":1,"time":1.5,"seconds":0.0,"text":"a \"beat\"","channel":null}"#
        #expect(try bench.take(first).texts.contains(told))
        let second = bench.hub.join(at: bench.now)
        #expect(try bench.take(second).texts.contains(told))
        let gone = bench.hub.removeMark(id)
        #expect(gone && !bench.hub.removeMark(id) && bench.hub.mark(id) == nil)
        #expect(try bench.take(second).texts == [#"{"type":"unmark","id":1}"#])
    }

    /// A viewer that does not read leaves most of them where they are. Samples come after all of them.
    @Test func manyMarksComeAFewAtATime() throws {
        var bench = Bench()
        bench.add(0, [(0, 1)])
        bench.pass()
        let text = String(repeating: "x", count: 1000)
        for number in 0..<1000 {
            _ = bench.hub.add(SensorMark(SensorTime(microseconds: Int64(number) * 1_000_000), text: text))
        }
        let id = bench.hub.join(at: bench.now)
        var (texts, batches): ([String], Int) = ([], 0)
        for _ in 0..<1000 where batches == 0 {
            let taken = try bench.take(id)
            let size = taken.texts.reduce(0) { $0 + $1.utf8.count }
            #expect(size < 32_000)
            texts += taken.texts
            batches += taken.batches.count
            #expect(batches == 0 || texts.count == 1001)
        }
        let marks = texts.filter { $0.hasPrefix(#"{"type":"mark""#) }
        #expect(batches == 1 && marks.count == 1000)
        for (number, mark) in marks.enumerated() { #expect(mark.contains(#""time":\#(number).0,"#)) }
    }

    /// Filters of one viewer do not keep others waiting for long.
    @Test func aBatchThatIsWorkedOnHasFewSamples() throws {
        var bench = Bench(channels: 4)
        for step in 0..<100 {
            for channel in 0..<4 {
                bench.add(channel, (0..<100).map { (Int64(step * 100 + $0) * 1000, Double($0)) })
            }
            bench.pass()
        }
        let (filtered, plain) = (bench.hub.join(at: bench.now), bench.hub.join(at: bench.now))
        func count(_ delivery: SignalHub.Delivery) throws -> Int {
            var (viewer, count) = (SignalViewer(), 0)
            for case .binary(let bytes) in viewer.messages(delivery, sent: 0) { count += try Batch(bytes).count }
            return count
        }
        let few = try count(bench.hub.take(filtered, at: bench.now, isForWork: true))
        let all = try count(bench.hub.take(plain, at: bench.now))
        #expect((1...4096).contains(few) && all == 40_000)
        var rest = few
        for number in 1..<8 {
            bench.hub.acknowledge(UInt32(number), from: filtered, at: bench.now)
            rest += try count(bench.hub.take(filtered, at: bench.now, isForWork: true))
        }
        #expect(rest == 8 * few)
    }

    @Test func anEndIsToldAfterTheSamples() throws {
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 1)])
        bench.hub.end("the disk is full", at: bench.now)
        let (texts, batches) = try bench.take(id)
        #expect(batches.count == 1)
        #expect(
            texts.dropFirst() == [
                #"{"type":"error","for":"source","message":"the disk is full"}"#, #"{"type":"end"}"#,
            ])
        // A source that comes back goes on.
        bench.add(0, [(1000, 2)])
        bench.pass()
        #expect(try bench.take(id).batches.first?.samples(0).map(\.value) == [2])
    }

    @Test func anotherPlaceOfARecordingDropsWhatWaits() throws {
        var bench = Bench()
        let id = bench.hub.join(at: bench.now)
        bench.add(0, (0..<100).map { (Int64($0) * 1000, Double($0)) })
        bench.pass()
        bench.add(0, [(200_000, 200)])
        var state = PlayState(speed: .max)
        state.position = 7
        bench.hub.play(state, restarts: true)
        bench.add(0, [(7_000_000, 7)])
        bench.pass()
        let (texts, batches) = try bench.take(id)
        #expect(texts.contains(#"{"type":"state","playing":true,"speed":"max","position":7.0}"#))
        #expect(!texts.contains { $0.contains("missed") })
        #expect(batches.flatMap { $0.samples(0) }.map(\.value) == [7])
    }

    // MARK: Filters

    @Test func aFilteredChannelIsBesideItsSource() throws {
        var bench = Bench(channels: 2)
        bench.viewer = SignalViewer(try SignalFilters(["ecg.lead1:clamp=-1..1", "ecg.lead1:range=-10..10"]))
        let id = bench.hub.join(at: bench.now)
        bench.add(0, (0..<3).map { ($0 * 1000, 5) })
        bench.add(1, [(0, 0.5), (1000, 3), (2000, -20)])
        bench.pass()
        let (texts, batches) = try bench.take(id)
        #expect(
            texts[0].contains(
                """
                {"index":1000,"name":"ecg.lead1","unit":"mV","rate":null,"of":1,\
                "filter":"ecg.lead1:clamp=-1..1 ecg.lead1:range=-10..10"}
                """))
        #expect(batches[0].samples(1).map(\.value) == [0.5, 3, -20])
        #expect(batches[0].samples(1000).map(\.value) == [0.5, 1, -1])
        #expect(bench.viewer.use(try SignalFilters()).count == 1)
    }

    /// Filters that leave samples as they are make no second curve: what they find is told to this viewer.
    @Test func eventsAreToldToTheirViewer() throws {
        var bench = Bench(channels: 2)
        bench.viewer = SignalViewer(try SignalFilters(["ecg.lead1:above=1"]))
        let id = bench.hub.join(at: bench.now)
        bench.add(0, [(0, 9)])
        bench.add(1, [(0, 0.5), (500_000, 3), (1_250_000, 0.25), (2_000_000, 2)])
        bench.pass()
        let (texts, batches) = try bench.take(id)
        #expect(texts[0].contains(#""filters":["ecg.lead1:above=1"]"#) && !texts[0].contains(#""index":1000"#))
        #expect(
            texts.last == """
                {"type":"events","events":[\
                {"kind":"above","channel":"ecg.lead1","time":0.5,"value":3.0,"seconds":0,"phase":"begin"},\
                {"kind":"above","channel":"ecg.lead1","time":1.25,"value":0.25,"seconds":0.75,"phase":"end"},\
                {"kind":"above","channel":"ecg.lead1","time":2.0,"value":2.0,"seconds":0,"phase":"begin"}]}
                """)
        #expect(Set(batches.flatMap(\.runs).map(\.channel)) == [0, 1])
        // A recording that is played again from an earlier place is filtered anew.
        bench.add(1, [(0, 0), (500_000, 3)])
        bench.pass()
        #expect(try bench.take(id).texts.last?.contains(#""time":0.5,"value":3.0,"seconds":0,"phase":"begin""#) == true)
    }

    /// Beats are events, and their rate a channel. A viewer is told 500 events at once at most.
    @Test func beatsAndTheirRate() throws {
        let lines = try Fixture.text(Fixture.media("streams/ecg-12-lead.csv")).split(separator: "\n").dropFirst()
        let values = lines.map { Double(Float($0.split(separator: ",")[2]) ?? 0) }
        let filter = "ecg.lead0:peaks=200ms,rate=250"
        var chain = try SensorFilterChain([SensorFilter(parsing: filter)])
        var wanted: [SensorSample] = []
        for (index, value) in values.enumerated() {
            let time = SensorTime(microseconds: Int64(index) * 4000)
            try chain.apply(SensorSample(time, stream: "ecg", values: ["lead0": value]), to: &wanted)
        }
        wanted.removeAll { $0.stream == "ecg" }
        var bench = Bench()
        bench.viewer = SignalViewer(try SignalFilters([filter]))
        let id = bench.hub.join(at: bench.now)
        bench.add(0, values.enumerated().map { (Int64($0.offset) * 4000, $0.element) })
        bench.pass()
        let (texts, batches) = try bench.take(id)
        try #require(wanted.count > 10)
        #expect(texts.joined().count(of: #""kind":"beats""#) == wanted.count)
        let channel = #"{"index":1000,"name":"ecg-beats.bpm","unit":"bpm","rate":null,"of":null,"#
        #expect(texts.contains { $0.contains(channel) })
        #expect(!texts.joined().contains(#""index":1001"#))
        let rates = wanted.compactMap { $0.values["bpm"].map { Float($0) } }
        #expect(batches.flatMap { $0.samples(1000) }.map(\.value) == rates)

        var busy = Bench()
        busy.viewer = SignalViewer(try SignalFilters(["ecg.lead0:above=1"]))
        let other = busy.hub.join(at: busy.now)
        busy.add(0, (0..<4000).map { (Int64($0) * 1000, Double($0 % 2 * 2)) })
        busy.pass()
        let told = try busy.take(other).texts.joined()
        #expect(told.count(of: #""kind":"above""#) == SignalFilters.mostEvents)
        // The newest ones.
        #expect(told.contains(#""time":3.999,"#))
    }

    /// Filters may make 1000 samples of one, and each of these may be a run of its own, of which a message has 65,535. What is
    /// too much is told, and the samples themselves are sent.
    @Test(arguments: [
        (["resample=0.1"], 400), (["resample=0.1"], 1000), (["resample=1000"], 1),
        (["resample=0.1", "resample=50", "resample=5000", "max=-1"], 5000),
    ])
    func filtersMakeNoMoreThanAViewerIsSent(filters: [String], seconds: Int) throws {
        var bench = Bench()
        bench.viewer = SignalViewer(try SignalFilters(filters.map { "ecg.lead0:\($0)" }))
        let id = bench.hub.join(at: bench.now)
        bench.add(0, (0..<4000).map { (Int64($0 * seconds) * 1_000_000, Double($0 % 7)) })
        bench.pass()
        let (texts, batches) = try bench.take(id)
        let told = texts.last ?? ""
        #expect(told.contains(#""for":"filters""#) && told.contains("the filters make more"))
        #expect(batches.flatMap { $0.samples(0) }.count == 4000)
    }

    /// Where each sample is earlier than the one before, no filter is computed anew.
    @Test func timesThatGoBackCostNoMore() throws {
        var bench = Bench()
        let filters = Array(repeating: "ecg.lead0:resample=50,width=64", count: 8)
        bench.viewer = SignalViewer(try SignalFilters(filters))
        let id = bench.hub.join(at: bench.now)
        bench.add(0, (0..<4000).map { (Int64(8000 - 2 * $0) * 1_000_000, 1) })
        bench.pass()
        let start = ContinuousClock.now
        #expect(try bench.take(id).batches.flatMap { $0.samples(0) }.count == 4000)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func aViewerHasEightFilters() throws {
        #expect(throws: MediaError.self) { try SignalFilters(Array(repeating: "a:max=1", count: 9)) }
        #expect(throws: MediaError.self) { try SignalFilters(["a:nothing=1"]) }
        #expect(throws: MediaError.self) { try SignalFilters(["a:max=\(String(repeating: "1", count: 300))"]) }
    }

    // MARK: Requests

    @Test(arguments: [
        "", "[]", "{}", #"{"type":"dance"}"#, #"{"type":"ack"}"#, #"{"type":"ack","batch":-1}"#,
        #"{"type":"mark","time":1e300,"text":"x"}"#, #"{"type":"mark","time":1}"#,
        #"{"type":"mark","time":1,"text":""}"#,
        #"{"type":"play","speed":0}"#, #"{"type":"play","speed":"fast"}"#, #"{"type":"play","position":-1}"#,
        #"{"type":"filters","filters":"ecg:notch=50"}"#,
    ])
    func otherRequestsAreRefused(text: String) {
        #expect(throws: MediaError.self) { try SignalRequest(text) }
    }

    @Test func requestsAreRead() throws {
        guard case .play(let position, let speed) = try SignalRequest(#"{"type":"play","position":2.5,"speed":"max"}"#)
        else { return #expect(Bool(false)) }
        #expect(position == 2.5 && speed == .max)
        guard case .acknowledge(7) = try SignalRequest(#"{"type":"ack","batch":7}"#) else {
            return #expect(Bool(false))
        }
    }
}

/// A recording that is written while it is measured.
@Suite struct RecordingFileTests {
    @Test func itHoldsEachSampleAtOnce() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/walk.ndjson"
            let file = try RecordingFile(path)
            var head = RecordingHead()
            head.channels = [
                SensorChannel("ecg", "i", unit: "mV"), SensorChannel("ecg", "ii"), SensorChannel("b", "c"),
            ]
            var samples = PendingSamples()
            let times: [Int64] = [0, 500_000]
            samples.add(0, times: times.span, values: [1.5, 2].span)
            samples.add(1, times: times.span, values: [-1, .nan].span)
            samples.add(2, times: [250_000].span, values: [7].span)
            try file.add(&samples, of: head)
            let text = """
                {"format":"wayreel-recording","version":1,"units":{"ecg.i":"mV"}}
                {"time":0,"stream":"ecg","values":{"i":1.5,"ii":-1}}
                {"time":0.25,"stream":"b","values":{"c":7}}
                {"time":0.5,"stream":"ecg","values":{"i":2}}

                """
            #expect(String(decoding: try Fixture.bytes(path), as: UTF8.self) == text)
            try file.finish()
            // A recording is not replaced.
            #expect(throws: MediaError.self) { try RecordingFile(path) }
            #expect(String(decoding: try Fixture.bytes(path), as: UTF8.self) == text)
            #expect(RegularFile.byteCount(path) != nil)
            let empty = try RecordingFile("\(folder)/empty.ndjson")
            try empty.finish()
            #expect(RegularFile.byteCount("\(folder)/empty.ndjson") == nil)
        }
    }

    @Test func marksAreKeptBesideIt() throws {
        try Fixture.withFolder { folder in
            let marks = [
                SensorMark(SensorTime(microseconds: 1_764_000_000_250_001), text: "start \"here\""),
                SensorMark(SensorTime(microseconds: -500_000), seconds: 2.5, text: "é", channel: "ecg.ii"),
            ]
            let file = MarksFile(besides: "\(folder)/a.csv")
            #expect(try file.marks().isEmpty)
            try file.save(marks)
            #expect(try MarksFile(besides: "\(folder)/a.csv").marks() == marks)
            try file.save([])
            #expect(access("\(folder)/a.csv.marks.ndjson", F_OK) != 0)
        }
    }

    /// A stream with a sample at 0 s, and the file of its marks.
    private static func marked(_ folder: String) -> (stream: LiveStream, path: String) {
        let stream = LiveStream(SignalHead(), marks: MarksFile(besides: "\(folder)/a.csv"), later: { _, _ in })
        var head = RecordingHead()
        head.channels = [SensorChannel("a", "b")]
        var samples = PendingSamples()
        samples.add(0, times: [0].span, values: [1].span)
        stream.add(&samples, of: head)
        return (stream, "\(folder)/a.csv.marks.ndjson")
    }

    private static func mark(_ stream: LiveStream, _ second: Int, _ text: String) throws {
        try stream.fulfil(.mark(seconds: Double(second), duration: 0, text: text, channel: nil))
    }

    /// A further mark is a further line of the same file; without one of them, it is another file.
    @Test func aMarkIsAppended() throws {
        try Fixture.withFolder { folder in
            let (stream, path) = Self.marked(folder)
            let line = { (second: Int) in "{\"time\":\(second),\"mark\":\"m\"}\n" }
            try Self.mark(stream, 9, "m")
            let first = try FileStatus(path).identity
            for second in [3, 5, 1] { try Self.mark(stream, second, "m") }
            // The same once more is no further one.
            try Self.mark(stream, 3, "m")
            #expect(try FileStatus(path).identity == first)
            #expect(try Fixture.text(path) == [9, 3, 5, 1].map(line).joined())
            try stream.fulfil(.unmark(2))
            #expect(try FileStatus(path).identity != first)
            #expect(try Fixture.text(path) == [1, 5, 9].map(line).joined())
            try Self.mark(stream, 2, "m")
            #expect(try Fixture.text(path) == [1, 5, 9, 2].map(line).joined())
        }
    }

    /// With a mark at a time that is no date, a recording with dates could not be read any more.
    @Test func marksHaveTheTimesOfRecordings() throws {
        for (notation, second) in [(SensorTime.Notation.date, 1_000_000_000_000), (.date, -1_000_000_000_000)] {
            var head = SignalHead()
            head.notation = notation
            let stream = LiveStream(head, later: { _, _ in })
            var recording = RecordingHead()
            (recording.channels, recording.notation) = ([SensorChannel("a", "b")], notation)
            var samples = PendingSamples()
            samples.add(0, times: [0].span, values: [1].span)
            stream.add(&samples, of: recording)
            #expect { try Self.mark(stream, second, "m") } throws: {
                ($0 as? MediaError)?.reason == "cannot have a mark at that time"
            }
            try Self.mark(stream, 253_402_300_799, "m")
        }
        for (microseconds, isDate, isNumber) in [
            (253_402_300_799_999_999, true, true), (253_402_300_800_000_000, false, true),
            (-62_135_596_800_000_000, true, true), (-62_135_596_800_000_001, false, true),
            (1_000_000_000_000_000_000, false, true), (-1_000_000_000_000_000_001, false, false),
            (Int64.min, false, false),
        ] as [(Int64, Bool, Bool)] {
            let time = SensorTime(microseconds: microseconds)
            #expect(time.isOfRecordings(.date) == isDate && time.isOfRecordings(.seconds) == isNumber)
        }
    }

    /// What somebody else has written, or removed, is not appended to.
    @Test func aChangedFileIsReplaced() throws {
        try Fixture.withFolder { folder in
            let (stream, path) = Self.marked(folder)
            try Self.mark(stream, 1, "a")
            try OutputFile.write(Array((try Fixture.text(path) + "{\"time\":7,\"ma").utf8), to: path)
            try Self.mark(stream, 2, "b")
            #expect(try MarksFile(besides: "\(folder)/a.csv").marks().map(\.text) == ["a", "b"])
            unlink(path)
            try Self.mark(stream, 3, "c")
            #expect(try MarksFile(besides: "\(folder)/a.csv").marks().map(\.text) == ["a", "b", "c"])
        }
    }

    /// Who continues a recording gets all marks, and each of them once, whichever thread saves it.
    @Test func marksOfThreadsAreSavedOnce() throws {
        try Fixture.withFolder { folder in
            let (stream, path) = Self.marked(folder)
            let threads = try (0..<4).map { thread in
                try WorkThread("marks") { for second in 0..<50 { try? Self.mark(stream, second, "\(thread)") } }
            }
            for thread in threads { thread.join() }
            let texts = try Fixture.text(path).split(separator: "\n")
            #expect(texts.count == 200 && Set(texts).count == 200)
            stream.keepMarks(MarksFile(besides: "\(folder)/b.csv"))
            try Self.mark(stream, 60, "x")
            #expect(try MarksFile(besides: "\(folder)/b.csv").marks().count == 201)
        }
    }

    /// A process that was killed has left a line that is not whole.
    @Test(arguments: [1, 8, 25, 27]) func aLineThatIsCutOffIsNoMark(bytes: Int) throws {
        try Fixture.withFolder { folder in
            let (stream, path) = Self.marked(folder)
            for second in 1...2 { try Self.mark(stream, second, "m") }
            let text = try Fixture.text(path)
            let torn = text + "{\"time\":12.5,\"mark\":\"beat\"}".prefix(bytes)
            try OutputFile.write(Array(torn.utf8), to: path)
            let file = MarksFile(besides: "\(folder)/a.csv")
            // All of a line but its end is a mark.
            #expect(try file.marks().count == (bytes == 27 ? 3 : 2))
            try OutputFile.write(Array((torn + "\n").utf8), to: path)
            if bytes < 27 { #expect(throws: MediaError.self) { try file.marks() } }
        }
    }

    /// Marks are limited in number and in bytes; a removal that is refused leaves the mark.
    @Test func marksAreLimited() throws {
        var limits = SignalHub.Limits()
        (limits.marks, limits.markBytes) = (3, 100)
        var hub = SignalHub(limits: limits, at: 0)
        let mark = { (bytes: Int) in
            SensorMark(SensorTime(microseconds: 0), text: String(repeating: "é", count: bytes / 2))
        }
        #expect(hub.add(mark(60)) == 1 && hub.add(mark(42)) == nil && hub.add(mark(40)) == 2)
        #expect(hub.add(mark(2)) == nil)
        #expect(hub.removeMark(1) && !hub.removeMark(2) && hub.mark(2) != nil)
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
