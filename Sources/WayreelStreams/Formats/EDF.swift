internal import WayreelCore

extension MediaError.Format {
    static let edf = MediaError.Format(rawValue: "EDF")
}

extension RecordingFormat {
    /// The European Data Format with 16 bits, EDF+ also with gaps and annotations, and BioSemi's BDF with 24 bits
    /// (B. Kemp and J. Olivan, Clinical Neurophysiology 114, 2003; edfplus.info).
    static let edf = RecordingFormat(
        name: "EDF, EDF+, BDF", extensions: ["edf", "bdf", "rec"],
        recognizes: { (head, _) in
            head.count >= 256 && (head.matches(Array("0       ".utf8), at: 0) || head.matches(EDFHeader.biosemi, at: 0))
                && head[168..<184].allSatisfy { (0x20...0x7E).contains($0) }
        },
        open: { (input) throws(MediaError) in try EDFRecording(input) })
}

/// The header of an EDF file.
struct EDFHeader {
    struct Signal {
        var label: String
        var unit: String
        /// Physical value = number · gain + shift.
        var gain: Double
        var shift: Double
        /// The samples of a record.
        var count: Int
        var isAnnotation: Bool
    }

    static let biosemi: [UInt8] = [0xFF] + Array("BIOSEMI".utf8)

    var patient: String
    var recording: String
    /// Microseconds since 1970, of a clock without a zone; nil if the date is none.
    var start: SensorTime?
    var isDiscontinuous: Bool
    /// Whether the records have times of their own.
    var isPlus: Bool
    /// -1 if it is not known.
    var records: Int
    /// Of a record, in seconds.
    var duration: Double
    var signals: [Signal]
    var bytesOfSample: Int
    var byteCount: Int

    var bytesOfRecord: Int { signals.reduce(0) { $0 + $1.count } * bytesOfSample }

    init(_ file: RecordingBytes) throws(MediaError) {
        let main = try file.read(256, at: 0)
        guard main.count == 256 else { throw file.fault("the file ends in its header") }
        let text = { (range: Range<Int>) in String(field: main[range]) }
        bytesOfSample = main.starts(with: Self.biosemi) ? 3 : 2
        (patient, recording) = (text(8..<88), text(88..<168))
        let reserved = text(192..<236)
        isDiscontinuous = reserved.hasPrefix("EDF+D") || reserved.hasPrefix("BDF+D")
        isPlus = isDiscontinuous || reserved.hasPrefix("EDF+C") || reserved.hasPrefix("BDF+C")
        start = Self.start(text(168..<176), text(176..<184), recording)
        records = try Self.number(text(236..<244), "the number of records", -1...(1 << 40), file)
        let seconds = text(244..<252)
        guard let duration = DecimalNumber.value(seconds), duration == 0 || (1e-6...1e6).contains(duration) else {
            throw file.fault("the duration of a record is '\(seconds)', not 0.000001 to 1000000 seconds")
        }
        self.duration = duration
        let count = try Self.number(text(252..<256), "the number of signals", 1...ChannelTable.limit, file)
        byteCount = 256 * (count + 1)
        let bytes = try file.read(256 * count, at: 256)
        guard bytes.count == 256 * count else { throw file.fault("the file ends in its header, of \(count) signals") }
        signals = []
        for index in 0..<count {
            // The fields of all signals follow each other.
            let field = { (begin: Int, length: Int) in
                String(field: bytes[(begin * count + index * length)..<(begin * count + (index + 1) * length)])
            }
            let label = field(0, 16)
            let isAnnotation = label == "EDF Annotations" || label == "BDF Annotations"
            let name = "signal \(index + 1) ('\(label)')"
            let samples = try Self.number(field(216, 8), "\(name): the number of samples", 0...(1 << 24), file)
            var signal = Signal(
                label: label, unit: field(96, 8), gain: 1, shift: 0, count: samples, isAnnotation: isAnnotation)
            if !isAnnotation {
                let limits = [104, 112, 120, 128].map { DecimalNumber.value(field($0, 8)) }
                guard let low = limits[0], let high = limits[1], let least = limits[2], let most = limits[3],
                    low != high, least < most,
                    limits.allSatisfy({ ($0 ?? 0).magnitude <= 1e100 })
                else {
                    throw file.fault(
                        "\(name): the physical range '\(field(104, 8))' to '\(field(112, 8))' or the digital one "
                            + "'\(field(120, 8))' to '\(field(128, 8))' is none")
                }
                signal.gain = (high - low) / (most - least)
                // If a number stands for 0, it gives 0 exactly, and not what rounding leaves of it.
                let zero = least - low / signal.gain
                let isWhole = (zero - zero.rounded()).magnitude < 1e-6 && zero.magnitude < 1e9
                signal.shift = isWhole ? -zero.rounded() * signal.gain : low - least * signal.gain
            }
            signals.append(signal)
        }
        guard bytesOfRecord <= RecordingBytes.limit, bytesOfRecord > 0 else {
            throw file.fault("a record has \(bytesOfRecord) bytes", kind: .limit)
        }
        guard duration > 0 || signals.allSatisfy({ $0.isAnnotation || $0.count == 0 }) else {
            throw file.fault("a record lasts 0 seconds")
        }
    }

    private static func number(
        _ text: String, _ what: String, _ range: ClosedRange<Int>, _ file: RecordingBytes
    ) throws(MediaError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw file.fault("\(what) is '\(text)', not \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The start by `dd.mm.yy` and `hh.mm.ss`; EDF+ has the year in the recording's description,
    /// `Startdate 02-MAR-2002`.
    private static func start(_ date: String, _ time: String, _ recording: String) -> SensorTime? {
        let (days, hours) = (date.split(separator: "."), time.split(separator: "."))
        guard days.count == 3, hours.count == 3, (days + hours).allSatisfy({ $0.utf8.count == 2 }),
            let short = Int(days[2])
        else { return nil }
        var year = short >= 85 ? 1900 + short : 2000 + short
        let words = recording.split(separator: " ")
        // EDF+ has X for a date that is not known.
        if words.starts(with: ["Startdate", "X"]) { return nil }
        if words.first == "Startdate", words.count > 1,
            let long = words[1].split(separator: "-").last.flatMap({ Int($0) }),
            (1800...9999).contains(long)
        {
            year = long
        }
        return SensorTime(date: "\(year)-\(days[1])-\(days[0])T\(hours.joined(separator: ":"))Z")
    }
}

/// Reads EDF records. Each piece holds some of them.
final class EDFRecording: RecordingSource {
    private(set) var head = RecordingHead()
    private let file: RecordingBytes
    private let header: EDFHeader
    private let onDamage: ((MediaError) -> Void)?
    /// The signals that are channels.
    private let signals: [(signal: EDFHeader.Signal, offset: Int)]
    private let annotations: [(count: Int, offset: Int)]
    private let records: Int
    private var record = 0
    /// The time of the first record of those that follow each other without a gap, and how many of these were read.
    private var start = SensorTime(microseconds: 0)
    private var run = 0
    private var isCut = false
    private var values: [Double] = []
    private var gaps: EDFGaps

    init(_ input: RecordingInput) throws(MediaError) {
        file = try RecordingBytes(input.path, .edf, input)
        header = try EDFHeader(file)
        onDamage = input.onDamage
        var offset = 0
        var names = SignalNames()
        var channels: [(EDFHeader.Signal, Int)] = []
        var marks: [(Int, Int)] = []
        for signal in header.signals {
            let bytes = signal.count * header.bytesOfSample
            if signal.isAnnotation {
                marks.append((bytes, offset))
            } else if signal.count > 0 {
                channels.append((signal, offset))
                head.channels.append(
                    names.channel(
                        signal.label, unit: signal.unit.isEmpty ? nil : signal.unit,
                        rate: Double(signal.count) / header.duration))
            }
            offset += bytes
        }
        (signals, annotations) = (channels, marks)
        gaps = EDFGaps(recording: header.recording, labels: channels.map(\.0.label))
        head.notation = header.start == nil ? .seconds : .date
        // That of EDF+ has the date, codes and the device.
        head.title = header.recording.isEmpty || header.isPlus ? nil : header.recording
        start = header.start ?? SensorTime(microseconds: 0)
        let there = (file.count - header.byteCount) / header.bytesOfRecord
        isCut = header.records > there
        records = header.records < 0 ? there : min(header.records, there)
        guard Double(records) * header.duration <= 1e11 else {
            throw file.fault("\(records) records of \(header.duration) seconds are longer than any recording")
        }
        if isCut, onDamage == nil { throw cut }
    }

    private var cut: MediaError {
        file.fault(
            "the file ends in record \(records + 1) of \(header.records)",
            onDamage == nil ? "read what is there with \(OptionName.skipDamaged)" : "what is there is read")
    }

    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard record < records else {
            if isCut { onDamage?(cut) }
            if isCut { head.skipped += 1 }
            isCut = false
            return false
        }
        let size = header.bytesOfRecord
        let wanted = min(max(1, (1 << 20) / size), records - record)
        let bytes = try file.read(wanted * size, at: header.byteCount + record * size)
        guard bytes.count == wanted * size else { throw file.fault("the file ends in record \(record + 1)") }
        var first = 0
        for index in 0..<wanted {
            let onset = try onset(bytes, index)
            if let onset, !continues(onset) {
                pass(bytes, first..<index, to: &sink)
                first = index
                (start, run) = (time(onset), 0)
            }
            run += 1
        }
        pass(bytes, first..<wanted, to: &sink)
        record += wanted
        return true
    }

    /// Passes records that follow each other, of which the last is the last of the run.
    private func pass(_ bytes: [UInt8], _ range: Range<Int>, to sink: inout some SampleSink) {
        guard !range.isEmpty else { return }
        for (channel, (signal, offset)) in signals.enumerated() {
            let count = signal.count * range.count
            if values.count < count { values = Array(repeating: 0, count: count) }
            for (place, index) in range.enumerated() {
                let at = index * header.bytesOfRecord + offset
                if header.bytesOfSample == 2 {
                    RawSamples.convert16(
                        bytes, at: at, gain: signal.gain, shift: signal.shift, into: &values, place * signal.count,
                        signal.count)
                } else {
                    RawSamples.convert24(
                        bytes, at: at, gain: signal.gain, shift: signal.shift, into: &values, place * signal.count,
                        signal.count)
                }
            }
            let (rate, first) = (Double(signal.count) / header.duration, (run - range.count) * signal.count)
            gaps.apply(
                to: &values, count: count, of: channel, start: start.microseconds, first: first, rate: rate)
            let values = values
            sink.add(channel, start: start, rate: rate, first: first, values: values.span.extracting(0..<count))
        }
    }

    // MARK: Annotations

    private func time(_ onset: Double) -> SensorTime {
        (header.start ?? SensorTime(microseconds: 0)).advanced(by: onset)
    }

    /// Whether a record with this onset follows the last one of the run.
    private func continues(_ onset: Double) -> Bool {
        guard run > 0 else { return time(onset) == start }
        let expected = start.advanced(by: Double(run) * header.duration)
        return abs(time(onset).microseconds(until: expected)) <= 1
    }

    /// Reads the annotations of a record. Returns its onset in seconds after the start of the file, if it has one.
    private func onset(_ bytes: [UInt8], _ index: Int) throws(MediaError) -> Double? {
        var onset: Double?
        for (number, annotation) in annotations.enumerated() {
            let begin = index * header.bytesOfRecord + annotation.offset
            for list in bytes[begin..<begin + annotation.count].split(separator: 0) {
                let first = number == 0 && onset == nil
                guard let found = try read(list, isFirst: first) else { continue }
                if first { onset = found }
            }
        }
        return header.isPlus ? onset : nil
    }

    /// Reads a list of annotations that begin at one time: `+onset`, 21 and a duration if there is one, 20, and texts, of
    /// which each ends with 20. Returns the onset.
    private func read(_ list: ArraySlice<UInt8>, isFirst: Bool) throws(MediaError) -> Double? {
        let parts = list.split(separator: 20, omittingEmptySubsequences: false)
        let times = parts[0].split(separator: 21, omittingEmptySubsequences: false)
        let numbers = times.map { DecimalNumber.value(String(decoding: $0, as: UTF8.self)) }
        guard let onset = numbers.first ?? nil, abs(onset) <= 1e11, numbers.count <= 2, parts.count > 1 else {
            return try damage("an annotation of record \(record + 1) or a later one has no time")
        }
        let duration = numbers.count == 2 ? numbers[1] ?? 0 : 0
        for text in parts.dropFirst() where !text.isEmpty {
            do throws(LineDamage) {
                let mark = SensorMark(time(onset), seconds: duration, text: String(field: text))
                try head.add(mark)
                gaps.add(mark)
            } catch { _ = try damage(error.reason) }
        }
        return onset
    }

    private func damage(_ reason: String) throws(MediaError) -> Double? {
        let fault = file.fault(reason)
        guard let onDamage else { throw fault }
        head.skipped += 1
        onDamage(fault)
        return nil
    }
}
