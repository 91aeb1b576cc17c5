internal import Glibc
internal import WayreelCore

extension MediaError.Format {
    static let wfdb = MediaError.Format(rawValue: "WFDB")
}

extension RecordingFormat {
    /// PhysioNet's records: a header file, signal files beside it, and annotations in `record.atr`
    /// (physionet.org/physiotools/wag: header(5), signal(5), annot(5)).
    static let wfdb = RecordingFormat(
        name: "WFDB", extensions: ["hea"],
        recognizes: { (_, path) in path.fileExtension?.lowercased() == "hea" },
        open: { (input) throws(MediaError) in try WFDBRecording(input) })
}

/// The header of a record.
struct WFDBHeader {
    struct Signal {
        var file: String
        var format: Int
        /// The samples of a frame.
        var count = 1
        /// In samples.
        var skew = 0
        /// The bytes before the first sample of the file.
        var byteOffset = 0
        /// Numbers per unit.
        var gain = 200.0
        var baseline = 0
        var unit = "mV"
        var label = ""
    }

    var name: String
    /// Frames a second.
    var rate = 250.0
    /// nil if the header does not say it.
    var frames: Int?
    var start: SensorTime?
    var signals: [Signal] = []
    var comments: [String] = []

    /// What reads a header.
    private struct Lines {
        let file: RecordingBytes
        func fault(_ line: Int, _ reason: String, _ kind: MediaError.Kind = .decoding) -> MediaError {
            file.fault("line \(line): \(reason)", kind: kind)
        }
    }

    init(_ file: RecordingBytes) throws(MediaError) {
        guard file.count <= 1 << 20 else { throw file.fault("the header has \(file.count) bytes", kind: .limit) }
        let text = String(field: try file.read(file.count, at: 0))
        let lines = Lines(file: file)
        var expected: Int?
        name = ""
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed()
            if line.hasPrefix("#") { comments.append(line.dropFirst().trimmed()) }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if let expected {
                guard signals.count < expected else { break }
                signals.append(try Self.signal(line, index + 1, lines))
            } else {
                expected = try readRecord(line, index + 1, lines)
            }
        }
        guard let expected else { throw file.fault("the header is empty") }
        guard signals.count == expected else {
            throw file.fault("the header has \(signals.count) of \(expected) signals")
        }
    }

    /// Reads `name signals rate/counter frames time date`. Returns the number of signals.
    private mutating func readRecord(_ line: String, _ number: Int, _ lines: Lines) throws(MediaError) -> Int {
        let words = line.split(whereSeparator: \.isWhitespace)
        name = String(words[0])
        guard !name.contains("/") else {
            throw lines.fault(number, "records of several segments are not read", .unsupported)
        }
        guard words.count > 1, let count = Int(words[1]), (1...ChannelTable.limit).contains(count) else {
            throw lines.fault(number, "has no number of signals from 1 to \(ChannelTable.limit)")
        }
        if words.count > 2 {
            guard let rate = words[2].split(separator: "/").first.flatMap(DecimalNumber.value), rate >= 1e-6,
                rate <= 1e9
            else { throw lines.fault(number, "the rate is '\(words[2])'") }
            self.rate = rate
        }
        if words.count > 3 {
            guard let frames = Int(words[3]), (0...1 << 40).contains(frames) else {
                throw lines.fault(number, "the number of samples is '\(words[3])'")
            }
            self.frames = frames == 0 ? nil : frames
        }
        if words.count > 5 {
            let date = words[5].split(separator: "/")
            if date.count == 3 {
                start = SensorTime(
                    date: "\(date[2])-\(Self.padded(date[1]))-\(Self.padded(date[0]))T\(Self.clock(words[4]))Z")
            }
        }
        return count
    }

    private static func padded(_ text: Substring) -> String { text.utf8.count == 1 ? "0\(text)" : String(text) }

    /// `9:05:00` is `09:05:00`, and `5:00` is `00:05:00`.
    private static func clock(_ text: Substring) -> String {
        let parts = text.split(separator: ":")
        return
            (Array(repeating: "00", count: max(0, 3 - parts.count)) + parts.prefix(2).map(padded)
            + parts.dropFirst(2).map { $0.first(where: { $0 == "." }) == nil ? padded($0) : String($0) })
            .joined(separator: ":")
    }

    /// Reads `file format[xN][:skew][+offset] gain[(baseline)][/unit] bits zero first checksum block label`.
    private static func signal(_ line: String, _ number: Int, _ lines: Lines) throws(MediaError) -> Signal {
        let words = line.split(maxSplits: 8, whereSeparator: \.isWhitespace)
        guard words.count > 1 else { throw lines.fault(number, "is no signal: file, format, …") }
        let file = String(words[0])
        guard !file.contains("/"), !file.contains("\\"), file != "..", file != ".", file != "~", !file.utf8.contains(0)
        else {
            throw lines.fault(number, "the file '\(file)' is not in the folder of the header")
        }
        var signal = Signal(file: file, format: 0)
        // The number, and what its further parts begin with.
        var parts: [Character: Int] = [:]
        var (kind, digits): (Character, String) = (" ", "")
        for character in "\(words[1]) " {
            if character.isASCII, character.isNumber || (character == "-" && digits.isEmpty) {
                digits.append(character)
                continue
            }
            guard let value = Int(digits), value.magnitude <= 1 << 40, parts[kind] == nil, "x:+ ".contains(character)
            else {
                throw lines.fault(number, "the format is '\(words[1])'")
            }
            parts[kind] = value
            (kind, digits) = (character, "")
        }
        signal.format = parts[" "] ?? 0
        signal.count = parts["x"] ?? 1
        signal.skew = parts[":"] ?? 0
        signal.byteOffset = parts["+"] ?? 0
        guard (1...1 << 16).contains(signal.count), (0...1 << 20).contains(signal.skew), signal.byteOffset >= 0 else {
            throw lines.fault(number, "the format is '\(words[1])'")
        }
        if words.count > 2 {
            let sides = words[2].split(separator: "/", maxSplits: 1)
            let amounts = (sides.first ?? "").split { "()".contains($0) }
            guard let gain = amounts.first.flatMap(DecimalNumber.value), amounts.count <= 2 else {
                throw lines.fault(number, "the gain is '\(words[2])'")
            }
            signal.gain = gain == 0 ? 200 : gain
            if sides.count > 1 { signal.unit = String(sides[1]) }
            let zero = words.count > 4 ? Int(words[4]) : 0
            guard let baseline = amounts.count > 1 ? Int(amounts[1]) : zero, baseline.magnitude <= 1 << 40 else {
                throw lines.fault(number, "the baseline of '\(words[2])' is none")
            }
            signal.baseline = baseline
        }
        if words.count > 8 { signal.label = words[8].trimmed() }
        return signal
    }
}

/// Reads the signals of a record, some thousand frames in a piece.
final class WFDBRecording: RecordingSource {
    private(set) var head = RecordingHead()
    private let header: WFDBHeader
    private let onDamage: ((MediaError) -> Void)?
    private var files: [SignalFile] = []
    private let frames: Int
    private var frame = 0
    private var cut: MediaError?

    /// The signals of one file, whose samples take turns.
    private struct SignalFile {
        var bytes: RecordingBytes
        var coding: WFDBCoding
        /// Indices of channels.
        var signals: Range<Int>
        /// The samples of a frame.
        var count: Int
        var byteOffset: Int

        /// The frames that the file has.
        var frames: Int { coding.samples(inBytes: bytes.count - byteOffset) / count }
    }

    init(_ input: RecordingInput) throws(MediaError) {
        let file = try RecordingBytes(input.path, .wfdb, input)
        header = try WFDBHeader(file)
        onDamage = input.onDamage
        var names = SignalNames()
        for signal in header.signals {
            head.channels.append(
                names.channel(signal.label, unit: signal.unit, rate: header.rate * Double(signal.count)))
        }
        head.notation = header.start == nil ? .seconds : .date
        head.title = header.name
        var index = 0
        while index < header.signals.count {
            let first = header.signals[index]
            var end = index + 1
            while end < header.signals.count, header.signals[end].file == first.file { end += 1 }
            guard let coding = WFDBCoding(first.format),
                header.signals[index..<end].allSatisfy({ $0.format == first.format })
            else {
                throw file.fault("the format \(first.format) of \(first.file) is not read", kind: .unsupported)
            }
            let count = header.signals[index..<end].reduce(0) { $0 + $1.count }
            guard count <= 1 << 20 else { throw file.fault("a frame has \(count) samples", kind: .limit) }
            files.append(
                SignalFile(
                    bytes: try RecordingBytes(input.path.folder + first.file, .wfdb, input), coding: coding,
                    signals: index..<end, count: count, byteOffset: first.byteOffset))
            index = end
        }
        let shortest = files.min { $0.frames < $1.frames }
        let there = max(0, shortest?.frames ?? 0)
        frames = min(header.frames ?? there, there)
        guard Double(frames) / header.rate <= 1e11 else { throw file.fault("is longer than any recording") }
        if let wanted = header.frames, wanted > there, let shortest {
            let fault = shortest.bytes.fault(
                "the file ends after \(there) of \(wanted) samples",
                "read what is there with \(OptionName.skipDamaged)")
            guard onDamage != nil else { throw fault }
            cut = fault
        }
        let annotations = input.path.replacingExtension(with: "atr")
        if RegularFile.byteCount(annotations) != nil {
            let bytes = try RecordingBytes(annotations, .wfdb, input)
            let begin = header.start ?? SensorTime(microseconds: 0)
            head.marks = try WFDBAnnotations.read(bytes, rate: header.rate, start: begin, onDamage: onDamage)
        }
    }

    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        guard frame < frames else {
            if let cut {
                onDamage?(cut)
                head.skipped += 1
            }
            cut = nil
            return false
        }
        // A multiple of 6, so that samples which share bytes are in one piece.
        let most = files.reduce(1) { max($0, $1.count) }
        let wanted = min(max(6, (1 << 16) / most / 6 * 6), frames - frame)
        for file in files { try pass(file, wanted, to: &sink) }
        frame += wanted
        return true
    }

    private func pass(_ file: SignalFile, _ wanted: Int, to sink: inout some SampleSink) throws(MediaError) {
        let total = wanted * file.count
        let at = file.byteOffset + file.coding.bytes(ofSamples: frame * file.count)
        let bytes = try file.bytes.read(file.coding.bytes(ofSamples: total), at: at)
        let numbers = file.coding.numbers(bytes, total)
        guard numbers.count == total else { throw file.bytes.fault("the file ends in sample \(frame)") }
        var place = 0
        for index in file.signals {
            let signal = header.signals[index]
            var values: [Double] = []
            values.reserveCapacity(wanted * signal.count)
            for frame in 0..<wanted {
                for number in place..<place + signal.count {
                    let sample = numbers[frame * file.count + number]
                    values.append(
                        sample == file.coding.gap ? .nan : (Double(sample) - Double(signal.baseline)) / signal.gain)
                }
            }
            place += signal.count
            sink.add(
                index, start: header.start ?? SensorTime(microseconds: 0), rate: header.rate * Double(signal.count),
                first: (frame - signal.skew) * signal.count, values: values.span)
        }
    }
}

/// How the samples of a signal file are written.
struct WFDBCoding {
    private let format: Int
    /// The number that stands for no sample.
    let gap: Int32
    /// Samples that share bytes, and these bytes.
    private let group: (samples: Int, bytes: Int)

    init?(_ format: Int) {
        self.format = format
        switch format {
        case 16, 61, 160: (gap, group) = (-32768, (1, 2))
        case 80: (gap, group) = (-128, (1, 1))
        case 24: (gap, group) = (-8_388_608, (1, 3))
        case 32: (gap, group) = (.min, (1, 4))
        case 212: (gap, group) = (-2048, (2, 3))
        case 310, 311: (gap, group) = (-512, (3, 4))
        default: return nil
        }
    }

    /// The bytes of samples, of which the last may share theirs with no other.
    func bytes(ofSamples count: Int) -> Int {
        let (whole, rest) = count.quotientAndRemainder(dividingBy: group.samples)
        return whole * group.bytes + (rest == 0 ? 0 : rest == 1 ? min(group.bytes, 2) : group.bytes)
    }

    func samples(inBytes count: Int) -> Int {
        guard count > 0 else { return 0 }
        let (whole, rest) = count.quotientAndRemainder(dividingBy: group.bytes)
        guard group.samples > 1, rest > 1 else { return whole * group.samples }
        // The second of three is in the bytes 3 and 4, or 2 and 3.
        return whole * group.samples + (format == 310 ? 1 : rest - 1)
    }

    /// Returns the first `count` samples, or those that `bytes` has.
    func numbers(_ bytes: [UInt8], _ count: Int) -> [Int32] {
        guard samples(inBytes: bytes.count) >= count else { return [] }
        // Bytes that are not there are those of samples that are not wanted.
        let bytes = bytes.span
        func byte(_ index: Int) -> Int32 { index < bytes.count ? Int32(bytes[index]) : 0 }
        var numbers: [Int32] = []
        numbers.reserveCapacity(count + 2)
        var at = 0
        while numbers.count < count {
            switch format {
            case 16: numbers.append(Int32(Int16(truncatingIfNeeded: byte(at) | byte(at + 1) << 8)))
            case 61: numbers.append(Int32(Int16(truncatingIfNeeded: byte(at) << 8 | byte(at + 1))))
            case 160: numbers.append((byte(at) | byte(at + 1) << 8) - 32768)
            case 80: numbers.append(byte(at) - 128)
            case 24: numbers.append((byte(at) << 8 | byte(at + 1) << 16 | byte(at + 2) << 24) >> 8)
            case 32: numbers.append(byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24)
            case 212:
                numbers.append(Self.signed(byte(at) | (byte(at + 1) & 0x0F) << 8, 12))
                numbers.append(Self.signed(byte(at + 2) | (byte(at + 1) & 0xF0) << 4, 12))
            case 310:
                let (first, second) = (byte(at) | byte(at + 1) << 8, byte(at + 2) | byte(at + 3) << 8)
                numbers.append(Self.signed((first >> 1) & 0x3FF, 10))
                numbers.append(Self.signed((second >> 1) & 0x3FF, 10))
                numbers.append(Self.signed((first >> 11) & 0x1F | ((second >> 11) & 0x1F) << 5, 10))
            default:
                let word = byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24
                for shift in [0, 10, 20] as [Int32] { numbers.append(Self.signed((word >> shift) & 0x3FF, 10)) }
            }
            at += group.bytes
        }
        numbers.removeLast(numbers.count - count)
        return numbers
    }

    private static func signed(_ number: Int32, _ bits: Int32) -> Int32 {
        (number << (32 - bits)) >> (32 - bits)
    }
}

/// Annotations in MIT format.
enum WFDBAnnotations {
    /// The mnemonics of the types (annot(5), ecgcodes.h).
    private static let mnemonics: [Int: String] = [
        1: "N", 2: "L", 3: "R", 4: "a", 5: "V", 6: "F", 7: "J", 8: "A", 9: "S", 10: "E", 11: "j", 12: "/", 13: "Q",
        14: "~", 16: "|", 18: "s", 19: "T", 20: "*", 21: "D", 22: "\"", 23: "=", 24: "p", 25: "B", 26: "^", 27: "t",
        28: "+", 29: "u", 30: "?", 31: "!", 32: "[", 33: "]", 34: "e", 35: "n", 36: "@", 37: "x", 38: "f", 39: "(",
        40: ")", 41: "r",
    ]

    static func read(
        _ file: RecordingBytes, rate: Double, start: SensorTime, onDamage: ((MediaError) -> Void)?
    ) throws(MediaError) -> [SensorMark] {
        guard file.count <= RecordingBytes.limit else {
            throw file.fault("the annotations have \(file.count) bytes", kind: .limit)
        }
        let bytes = try file.read(file.count, at: 0)
        var head = RecordingHead()
        do throws(LineDamage) { try add(bytes, rate, start, &head) } catch {
            let fault = file.fault(error.reason)
            guard let onDamage else { throw fault }
            onDamage(fault)
        }
        return head.marks
    }

    private static func add(
        _ bytes: [UInt8], _ rate: Double, _ start: SensorTime, _ head: inout RecordingHead
    ) throws(LineDamage) {
        var (at, sample, rate) = (0, 0, rate)
        var open: (type: Int, sample: Int, text: String)?
        func word(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
        while at + 2 <= bytes.count {
            let (type, value) = (word(at) >> 10, word(at) & 0x3FF)
            at += 2
            switch type {
            case 0 where value == 0:
                try close(open, &rate, start, &head)
                return
            // A long interval before the next annotation, whose upper half comes first.
            case 59:
                guard at + 4 <= bytes.count else { throw LineDamage("the annotations end in an interval") }
                sample += Int(Int32(truncatingIfNeeded: word(at) << 16 | word(at + 2)))
                at += 4
            // Numbers that belong to the last one.
            case 60, 61, 62: break
            case 63:
                guard at + value <= bytes.count else { throw LineDamage("the annotations end in a text") }
                open?.text = String(field: bytes[at..<at + value])
                at += value + value % 2
            default:
                try close(open, &rate, start, &head)
                sample += value
                open = (type, sample, "")
            }
        }
        throw LineDamage("the annotations have no end")
    }

    private static func close(
        _ annotation: (type: Int, sample: Int, text: String)?, _ rate: inout Double, _ start: SensorTime,
        _ head: inout RecordingHead
    ) throws(LineDamage) {
        guard let annotation else { return }
        // A comment that says how fine the times are, before all others.
        let resolution = "## time resolution: "
        if annotation.type == 22, annotation.sample == 0, annotation.text.hasPrefix(resolution) {
            guard let own = DecimalNumber.value(annotation.text.dropFirst(resolution.count)), own > 0 else {
                throw LineDamage("the annotations have '\(annotation.text)'")
            }
            rate = own
            return
        }
        guard let mnemonic = mnemonics[annotation.type] else { return }
        let seconds = Double(annotation.sample) / rate
        guard abs(seconds) <= 1e11 else { throw LineDamage("an annotation is at \(seconds) seconds") }
        let time = SensorTime(microseconds: start.microseconds + Int64((seconds * 1e6).rounded()))
        let isComment = annotation.type == 22 && !annotation.text.isEmpty
        let parts = [isComment ? "" : mnemonic, annotation.text].filter { !$0.isEmpty }
        try head.add(SensorMark(time, text: parts.joined(separator: " ")))
    }
}
