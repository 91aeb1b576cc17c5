import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStreams

/// Exports of phone apps: folders and ZIP archives with a table for each sensor.
@Suite struct ExportTests {
    private static let fixtures = "\(Fixture.root)/Tests/Fixtures/streams"
    private let folder = TemporaryFolder()

    private func write(_ zip: ZipBytes, _ name: String = "export.zip") throws -> String {
        try folder.write(zip.bytes, to: name)
    }

    private static let table = "time,seconds_elapsed,z,y,x\n1698501144000000000,0,3,2,1\n"
    private static let later = "time,seconds_elapsed,z,y,x\n1698501144500000000,0.5,6,5,4\n"

    // MARK: Sensor Logger

    /// An archive that Python's zipfile has deflated (Tests/Fixtures/streams/make.py), against the numbers that are in it.
    @Test func anArchiveOfSensorLogger() throws {
        let (head, channels) = try CollectedSamples.read("\(Self.fixtures)/sensor-logger.zip")
        #expect(head.notation == .date)
        #expect(
            Set(head.channels.map(\.name))
                == [
                    "accelerometer.x", "accelerometer.y", "accelerometer.z", "position.accuracy", "position.latitude",
                    "position.longitude", "position.speed",
                ])
        #expect(head.channels.first { $0.name == "accelerometer.x" }?.unit == "m/s²")
        let samples = try #require(channels["accelerometer.x"])
        #expect(samples.count == 500)
        for (index, sample) in samples.enumerated() {
            #expect(sample == .init(time: 1_698_501_144_401_773 + Int64(index) * 10_016, value: Double(index) / 8))
        }
        #expect(channels["position.latitude"]?.map(\.value) == (0..<5).map { 35.25 + Double($0) / 64 })
        // A speed below zero is not known.
        #expect(channels["position.speed"]?.count == 4)
        #expect(head.marks.map(\.text) == ["bridge, left"])
        #expect(head.marks.map(\.time.microseconds) == [1_698_501_146_000_000])
    }

    /// All streams are on one clock: samples of all tables come in the order of their times.
    @Test(arguments: ["sensor-logger.zip", "phyphox.zip"]) func inTheOrderOfTime(name: String) throws {
        let reader = try SensorReader("\(Self.fixtures)/\(name)")
        let (_, channels) = try CollectedSamples.read("\(Self.fixtures)/\(name)")
        var (count, last) = (0, SensorTime(microseconds: .min))
        while let sample = try reader.next() {
            #expect(sample.time >= last)
            (count, last) = (count + sample.values.names.count, sample.time)
        }
        #expect(count == channels.values.reduce(0) { $0 + $1.count } && count > 0 && reader.notation == .date)
    }

    /// An archive and the folder that it was made of are the same recording.
    @Test func foldersInArchives() throws {
        let files: KeyValuePairs = [
            "walk/Accelerometer.csv": Self.table, "walk/Gyroscope.csv": Self.later,
            "walk/Metadata.csv": "version,device name\n3,phone\n", "walk/Microphone.mp4": "sound",
            "walk/Annotation.csv": "time,seconds_elapsed,text\n1698501144250000000,0.25,go\n",
            "__MACOSX/walk/._Accelerometer.csv": "\u{0}\u{5}", "walk/.hidden.csv": "x",
        ]
        try #require(mkdir("\(folder.path)/walk", 0o755) == 0)
        for (name, text) in files where name.hasPrefix("walk/") { try folder.write(text, to: name) }
        let packed = try CollectedSamples.read(try write(ZipBytes(files)))
        let plain = try CollectedSamples.read("\(folder.path)/walk")
        #expect(packed.channels == plain.channels && packed.head.channels == plain.head.channels)
        #expect(packed.head.marks == plain.head.marks && packed.head.marks.map(\.text) == ["go"])
        #expect(packed.channels.count == 6 && packed.channels["gyroscope.x"]?.map(\.value) == [4])
    }

    // MARK: phyphox

    /// The experiment's clock stands still in a pause of 58.25 s after 2 s, which `meta/time.csv` tells.
    @Test func anArchiveOfPhyphox() throws {
        let (head, channels) = try CollectedSamples.read("\(Self.fixtures)/phyphox.zip")
        #expect(head.notation == .date)
        #expect(head.channels.map(\.name) == ["gyroscope.x", "linear-acceleration.x", "linear-acceleration.y"])
        let samples = try #require(channels["linear-acceleration.y"])
        #expect(samples.count == 400)
        for (index, sample) in samples.enumerated() {
            let time = 1_700_000_000_250_000 + Int64(index) * 10_000 + (index < 200 ? 0 : 58_250_000)
            #expect(sample == .init(time: time, value: Double(index) / -4))
        }
        #expect(channels["gyroscope.x"]?.count == 100)
    }

    private static let clock = """
        "event";"experiment time";"system time";"system time text"
        "START";0,0000000E0;1,70000000025E9;"2023-11-14 22:13:20.250 UTC"
        "PAUSE";5,0000000E-1;1,70000000075E9;"2023-11-14 22:13:20.750 UTC"

        "START";5,0000000E-1;1,700000009E9;"2023-11-14 22:13:29.000 UTC"
        """
    private static let raw = "\"Time (s)\";\"Acceleration x (m/s^2)\"\n-0,25;1\n0,25;2\n0,5;3\n1;4\nNaN;5\n"

    /// Decimal commas, and a row without a time, with which columns are filled; in a folder too. Without the list of times,
    /// they are seconds.
    @Test func clocksOfExperiments() throws {
        let times: [Int64] = [
            1_700_000_000_000_000, 1_700_000_000_500_000, 1_700_000_009_000_000, 1_700_000_009_500_000,
        ]
        let files: KeyValuePairs = ["Raw Data.csv": Self.raw, "meta/time.csv": Self.clock, "meta/device.csv": "a,b\n"]
        let packed = try CollectedSamples.read(try write(ZipBytes(files)))
        #expect(packed.head.notation == .date && packed.channels["acceleration.x"]?.map(\.time) == times)
        for path in ["run", "run/meta"] { try #require(mkdir("\(folder.path)/\(path)", 0o755) == 0) }
        for (name, text) in files { try folder.write(text, to: "run/\(name)") }
        let plain = try CollectedSamples.read("\(folder.path)/run")
        #expect(plain.head.notation == .date && plain.channels == packed.channels)
        let alone = try CollectedSamples.read(try write(ZipBytes(["Raw Data.csv": Self.raw])))
        #expect(alone.head.notation == .seconds)
        #expect(alone.channels["acceleration.x"]?.map(\.time) == [-250_000, 250_000, 500_000, 1_000_000])
        // An experiment that never began has none.
        let still = try CollectedSamples.read(
            try write(ZipBytes(["a.csv": Self.raw, "meta/time.csv": "event,experiment time,system time\n"])))
        #expect(still.head.notation == .seconds)
    }

    @Test(arguments: [
        ("when,experiment time\n", "line 1: read: is no header of an experiment's times"),
        ("event,experiment time,system time\nSTART,0\n", "line 2: read: has 2 cells; the header has 3"),
        ("event,experiment time,system time\nSTART,0,yesterday\n", "line 2: read: has the times '0' and 'yesterday'"),
        ("event,experiment time,system time\nSTART,0,1e300\n", "line 2: read: has the times"),
        (
            "event,experiment time,system time\nSTART,5,1e9\nSTART,4,1e9\n",
            "line 3: read: begins before the line before it"
        ),
        ("event,experiment time,system time\nSTART,\"0,1e9\n", "line 2: read: has a quotation mark"),
    ]) func damagedClocks(text: String, words: String) throws {
        let path = try write(ZipBytes(["a.csv": Self.raw, "meta/time.csv": text]))
        expectFault(path, .decoding, "meta/time.csv, \(words)")
    }

    // MARK: Bad input

    private func expectFault(
        _ path: String, _ kind: MediaError.Kind, _ words: String, location: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: location) {
            _ = try CollectedSamples.read(path)
        } throws: {
            ($0 as? MediaError)?.kind == kind && "\($0)".contains(words) && !"\($0)".contains("\n")
                && "\($0)".contains(path)
        }
    }

    @Test func damagedArchives() throws {
        let zip = ZipBytes(["Accelerometer.csv": Self.table, "Gyroscope.csv": Self.later])
        for cut in [1, 22, 30, zip.bytes.count - 10] {
            try folder.write(Array(zip.bytes.dropLast(cut)), to: "cut.zip")
            expectFault("\(folder.path)/cut.zip", .decoding, "cut.zip")
        }
        // A byte of a table: its sum is another one. What was read before it stays, if damage is left out.
        var changed = zip.bytes
        changed[zip.places[1] + Self.later.utf8.count - 2] = UInt8(ascii: "7")
        let path = try folder.write(changed, to: "changed.zip")
        expectFault(path, .decoding, "Gyroscope.csv: read: ZIP: the archive is damaged")
        var told: [MediaError] = []
        let (head, channels) = try CollectedSamples.read(path, onDamage: { told.append($0) })
        #expect(told.count == 1 && head.skipped == 1 && channels["accelerometer.x"]?.map(\.value) == [1])
        // A damaged line is named as in a file.
        let line = try write(ZipBytes(["Accelerometer.csv": "\(Self.table)noon,0,1,2,3\n"]))
        expectFault(line, .decoding, "export.zip/Accelerometer.csv, line 3: read: the time 'noon'")
    }

    /// Bytes that are changed and cut give an error in one line, or other values, but nothing worse.
    @Test(arguments: ["sensor-logger.zip", "phyphox.zip"]) func changedArchives(name: String) throws {
        let bytes = try Fixture.bytes("\(Self.fixtures)/\(name)")
        var random = SeededRandom(seed: 17)
        for round in 0..<150 {
            // The directory of an archive is at its end.
            let places = round % 2 == 0 ? bytes.indices : max(0, bytes.count - 500)..<bytes.count
            let changes = Int.random(in: 1...4, using: &random)
            let damaged = bytes.damaged(cut: round % 3 == 0, changes: changes, in: places, using: &random)
            let path = try folder.write(damaged, to: name)
            for onDamage in [nil, { _ in }] as [((MediaError) -> Void)?] {
                do {
                    _ = try CollectedSamples.read(path, onDamage: onDamage)
                } catch { #expect(!"\(error)".contains("\n")) }
            }
        }
    }

    @Test func encryptedArchives() throws {
        let entry = ZipBytes.Entry(name: "Gyroscope.csv", content: Array(Self.table.utf8), flags: 0x801)
        expectFault(
            try write(ZipBytes([entry])), .unsupported,
            "Gyroscope.csv: read: ZIP: is encrypted; unpack it and name the folder")
    }

    /// What unpacks to more than 64 MiB and 100 times the size of the archive is refused: at once if the archive says it,
    /// else when it was read so far.
    @Test func bombs() throws {
        let huge = ZipBytes.Entry(name: "a.csv", content: Array(Self.table.utf8), size: 1 << 30)
        expectFault(try write(ZipBytes([huge])), .limit, "a.csv: read: ZIP: unpacks the archive to more than 100 times")
        let packed = ZipBytes.repeated("seconds,a.x\n   \n", count: 80 << 20)
        let bomb = ZipBytes.Entry(name: "a.csv", content: packed, method: 8, sum: 0, size: 1000)
        expectFault(try write(ZipBytes([bomb])), .limit, "a.csv: read: ZIP: unpacks the archive to more than 100 times")
    }

    /// A list of files that takes much memory is refused before it is read; of ZIP64 also one that says so of itself.
    @Test func longListsOfFiles() throws {
        let zip = ZipBytes(["Gyroscope.csv": Self.table]).bytes
        var long = zip
        long.replaceSubrange(zip.count - 10..<zip.count - 6, with: [0xFF, 0xFF, 0xFF, 0xFF])
        expectFault(try folder.write(long, to: "long.zip"), .limit, "its list of files has more than 17 MB")
        // The end of the list of ZIP64 has 56 bytes, its locator 20, the end of any list 22.
        let large = try Fixture.bytes("\(Self.fixtures)/zip64.zip")
        let end = large.count - 98
        for (place, count) in [(end + 40, 4), (end + 32, 4), (end + 39, 1), (end + 47, 1)] {
            var changed = large
            changed.replaceSubrange(place..<place + count, with: Array(repeating: 0xFF, count: count))
            expectFault(
                try folder.write(changed, to: "large.zip"), .limit,
                "its list of files has more than 17 MB; unpack it and name the folder")
        }
        for (place, words) in [
            (end, "is not where it should be"), (end + 64, "is not where it should be"), (end + 71, "is not in it"),
        ] {
            var changed = large
            changed[place] ^= 5
            expectFault(
                try folder.write(changed, to: "lost.zip"), .decoding, "the end of its list of files \(words)")
        }
    }

    /// An archive whose list of files Python's zipfile has written as ZIP64, against the numbers that are in it.
    @Test func listsOfFilesOfZIP64() throws {
        let (head, channels) = try CollectedSamples.read("\(Self.fixtures)/zip64.zip")
        #expect(head.notation == .date && channels.count == 3)
        let samples = try #require(channels["gyroscope.y"])
        #expect(samples.count == 100)
        for (index, sample) in samples.enumerated() {
            #expect(sample == .init(time: 1_698_501_144_401_773 + Int64(index) * 20_000, value: Double(index) / 4))
        }
    }

    // MARK: Pipes

    /// Opens a pipe that another thread fills with `bytes` while `body` reads its path.
    private func withPipe<Result>(of bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        let writer = try WorkThread("writer") {
            try? writeAll(bytes, to: output)
            close(output)
        }
        defer {
            // Ends a writer that waits.
            close(input)
            writer.join()
        }
        return try body("/dev/fd/\(input)")
    }

    /// A recording of any format from a pipe is that of its file.
    @Test(arguments: [
        "sensor-logger.zip", "phyphox.zip", "zip64.zip", "plus.edf", "plus.bdf", "gaps.edf", "explicit.dcm",
        "implicit.dcm",
    ])
    func anyFormatFromAPipe(name: String) throws {
        let path = "\(Self.fixtures)/\(name)"
        let wanted = try CollectedSamples.read(path)
        try withPipe(of: try Fixture.bytes(path)) { pipe in
            let found = try CollectedSamples.read(pipe)
            #expect(found.channels == wanted.channels && !found.channels.isEmpty)
            #expect(found.head.channels == wanted.head.channels && found.head.marks == wanted.head.marks)
        }
        try withPipe(of: try Fixture.bytes(path)) { pipe in
            let (reader, other) = (try SensorReader(pipe), try SensorReader(path))
            while let sample = try other.next() { #expect(try reader.next() == sample) }
            #expect(try reader.next() == nil)
        }
    }

    /// Errors name the pipe, and not its copy.
    @Test func damageFromAPipe() throws {
        let zip = ZipBytes(["Accelerometer.csv": "\(Self.table)noon,0,1,2,3\n"]).bytes
        try withPipe(of: zip) { pipe in
            expectFault(pipe, .decoding, "/Accelerometer.csv, line 3: read: the time 'noon'")
        }
        try withPipe(of: zip) { pipe in
            var told: [String] = []
            _ = try CollectedSamples.read(pipe, onDamage: { told.append("\($0)") })
            #expect(told.count == 1 && told[0].hasPrefix("\(pipe)/Accelerometer.csv, line 3"))
        }
        try withPipe(of: zip.dropLast(30)) { pipe in expectFault(pipe, .decoding, "ZIP: the archive is damaged") }
        let edf = try Fixture.bytes("\(Self.fixtures)/plus.edf")
        try withPipe(of: edf.dropLast(100)) { pipe in expectFault(pipe, .decoding, "EDF: ") }
        // What is no format at all is named as a file would be.
        try withPipe(of: [0, 1, 2, 3]) { pipe in
            expectFault(pipe, .decoding, "is neither a JSON object nor a CSV header")
        }
    }

    /// Names lead nowhere: nothing is written, and nothing is read beside the archive.
    @Test func hostileNames() throws {
        let zip = ZipBytes([
            "../../Gyroscope.csv": Self.table, "/etc/Accelerometer.csv": Self.later, "C:\\x\\Gravity.csv": Self.later,
        ])
        let path = try write(zip)
        let (head, channels) = try CollectedSamples.read(path)
        #expect(Set(head.channels.map(\.stream)) == ["gyroscope", "accelerometer", "gravity"])
        #expect(channels["gyroscope.x"]?.map(\.value) == [1])
        #expect(Directory.entries(of: folder.path) == ["export.zip"])
        // Nor do they break a message into lines.
        expectFault(
            try write(ZipBytes(["a\nb.csv": "x\n"])), .decoding, "is neither a JSON object nor a CSV header")
    }

    @Test func otherArchives() throws {
        expectFault(
            try write(ZipBytes([:])), .decoding, "the archive has no tables of sensors; export the recording as CSV")
        expectFault(
            try write(ZipBytes(["[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"]), "book.xlsx"),
            .decoding, "the archive has no tables of sensors")
        let many = (0..<65).map { ZipBytes.Entry(name: "t\($0).csv", content: Array("seconds,x\n0,1\n".utf8)) }
        expectFault(try write(ZipBytes(many)), .limit, "the archive has 65 tables, of at most 64")
        let two: KeyValuePairs = ["a/meta/time.csv": Self.clock, "b/meta/time.csv": Self.clock, "a/x.csv": Self.raw]
        expectFault(try write(ZipBytes(two)), .decoding, "the archive has 2 experiments; unpack it")
        let same: KeyValuePairs = ["a/Gyroscope.csv": Self.table, "b/Gyroscope.csv": Self.table]
        expectFault(try write(ZipBytes(same)), .decoding, "has 'gyroscope.z', which another table of the recording has")
    }

    /// A table by another clock than the others: times since 1970 and times since the start.
    @Test func twoClocks() throws {
        let path = try write(ZipBytes(["Gyroscope.csv": Self.table, "b.csv": "seconds,x\n0,1\n"]))
        expectFault(path, .decoding, "has a time in seconds, others in dates")
    }
}
