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
        let folder = input.path.folder == "." ? "./" : input.path.folder
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
                    bytes: try RecordingBytes(folder + first.file, .wfdb, input), coding: coding,
                    signals: index..<end, count: count, byteOffset: first.byteOffset))
            index = end
        }
        let shortest = files.min { $0.frames < $1.frames }
        let there = max(0, shortest?.frames ?? 0)
        frames = min(header.frames ?? there, there)
        guard Double(frames) / header.rate <= 1e11 else { throw file.fault("is longer than any recording") }
        if let wanted = header.frames, wanted > there, let shortest {
            let reason = "the file ends after \(there) of \(wanted) samples"
            guard onDamage != nil else {
                throw shortest.bytes.fault(reason, "read what is there with \(OptionName.skipDamaged)")
            }
            cut = shortest.bytes.fault(reason, "what is there is read")
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
