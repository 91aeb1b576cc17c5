internal import WayreelCore

extension MediaError.Format {
    static let wfdb = MediaError.Format(rawValue: "WFDB")
}

extension RecordingFormat {
    /// PhysioNet's records: a header file, signal files or segments with their own beside it, and annotations in
    /// `record.atr` (physionet.org/physiotools/wag: header(5), signal(5), annot(5)).
    static let wfdb = RecordingFormat(
        name: "WFDB", extensions: ["hea"],
        recognizes: { (_, path) in path.fileExtension?.lowercased() == "hea" },
        open: { (input) throws(MediaError) in try WFDBRecording(input) })
}

/// Reads the signals of a record, some thousand frames in a piece, segment by segment.
final class WFDBRecording: RecordingSource {
    private(set) var head = RecordingHead()
    private let input: RecordingInput
    private let folder: String
    private let rate: Double
    private let start: SensorTime
    /// The signals of the channels.
    private let layout: [WFDBHeader.Signal]
    /// The channels by the labels of signals, if segments have some of them; else segments have all in the same order.
    private let places: [String: [Int]]?
    /// The segments that have not begun.
    private var waiting: ArraySlice<WFDBHeader.Segment> = []
    private var segment: WFDBSegment?
    /// The frames of the record before ``segment``, and the frames that it takes.
    private var (first, length) = (0, 0)

    init(_ input: RecordingInput) throws(MediaError) {
        self.input = input
        folder = input.path.folder == "." ? "./" : input.path.folder
        let file = try RecordingBytes(input.path, .wfdb, input)
        let header = try WFDBHeader(file)
        rate = header.rate
        start = header.start ?? SensorTime(microseconds: 0)
        let isVariable = header.segments.first?.frames == 0
        waiting = header.segments[...].dropFirst(isVariable ? 1 : 0)
        if header.segments.isEmpty {
            layout = header.signals
            let only = try WFDBSegment(header, file, frames: header.frames, folder: folder, input)
            (segment, length) = (only, only.frames)
        } else {
            let named = header.segments.prefix(isVariable ? 1 : header.segments.count)
            guard let model = named.lazy.compactMap(\.name).first else {
                throw file.fault("the record has no segment with signals")
            }
            layout = try WFDBHeader(RecordingBytes("\(folder)\(model).hea", .wfdb, input)).signals
            guard layout.count == header.signalCount else {
                throw file.fault("the segment \(model) has \(layout.count) of \(header.signalCount) signals")
            }
        }
        let all = layout
        places = isVariable ? Dictionary(grouping: all.indices) { all[$0].label } : nil
        var names = SignalNames()
        for signal in all {
            head.channels.append(names.channel(signal.label, unit: signal.unit, rate: rate * Double(signal.count)))
        }
        head.notation = header.start == nil ? .seconds : .date
        head.title = header.name
        guard Double(waiting.reduce(length) { $0 + $1.frames }) / rate <= 1e11 else {
            throw file.fault("is longer than any recording")
        }
        let annotations = input.path.replacingExtension(with: "atr")
        if RegularFile.byteCount(annotations) != nil {
            let bytes = try RecordingBytes(annotations, .wfdb, input)
            head.marks = try WFDBAnnotations.read(bytes, rate: rate, start: start, onDamage: input.onDamage)
        }
    }

    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        while true {
            if let segment {
                let (rate, start, first, layout) = (rate, start, first, layout)
                let hasRead = try segment.read { signal, frame, values in
                    sink.add(
                        signal.channel, start: start, rate: rate * Double(signal.count),
                        first: (first + frame) * layout[signal.channel].count, values: values)
                }
                if hasRead { return true }
                if let cut = segment.cut { leaveOut(cut) }
            }
            first += length
            guard let next = waiting.popFirst() else {
                (segment, length) = (nil, 0)
                return false
            }
            segment = try open(next)
            length = next.frames
            // Channels without samples have a gap.
            let missing = Set(layout.indices).subtracting(segment?.channels ?? [])
            let nothing = [Double.nan]
            for channel in missing.sorted() where length > 0 {
                let count = layout[channel].count
                sink.add(
                    channel, start: start, rate: rate * Double(count), first: first * count, values: nothing.span)
            }
        }
    }

    /// Opens a segment; nil for a time without samples. One that is damaged is such a time, if what is damaged is left out.
    private func open(_ next: WFDBHeader.Segment) throws(MediaError) -> WFDBSegment? {
        guard let name = next.name else { return nil }
        do throws(MediaError) {
            let file = try RecordingBytes("\(folder)\(name).hea", .wfdb, input)
            var header = try WFDBHeader(file)
            guard header.segments.isEmpty else { throw file.fault("a segment of a record has segments itself") }
            guard header.rate == rate else {
                let rates = "\(header.rate.shortDescription) samples a second, and the record \(rate.shortDescription)"
                throw file.fault("the segment has \(rates)")
            }
            guard header.frames ?? next.frames == next.frames else {
                throw file.fault("the segment has \(header.frames ?? 0) samples, and in the record \(next.frames)")
            }
            try assign(&header.signals, file)
            return try WFDBSegment(header, file, frames: next.frames, folder: folder, input)
        } catch {
            guard error.kind != .cancelled, input.onDamage != nil else { throw error }
            leaveOut(error)
            return nil
        }
    }

    private func leaveOut(_ damage: MediaError) {
        input.onDamage?(damage)
        head.skipped += 1
    }

    /// Gives the signals of a segment their channels, and the units of these.
    private func assign(_ signals: inout [WFDBHeader.Signal], _ file: RecordingBytes) throws(MediaError) {
        guard places != nil || signals.count == layout.count else {
            throw file.fault("the segment has \(signals.count) of \(layout.count) signals")
        }
        var used: [String: Int] = [:]
        for index in signals.indices {
            let signal = signals[index]
            var channel = index
            if let places {
                // Signals with one label are in the same order.
                let found = places[signal.label, default: []].dropFirst(used[signal.label, default: 0])
                guard let next = found.first else {
                    throw file.fault("the record has no further signal '\(signal.label)'")
                }
                channel = next
                used[signal.label, default: 0] += 1
            }
            guard signal.count == layout[channel].count else {
                let counts = "\(signal.count) samples in a frame, and in the record \(layout[channel].count)"
                throw file.fault("'\(signal.label)' has \(counts)")
            }
            signals[index].channel = channel
            guard signal.unit != layout[channel].unit, signal.file != nil else { continue }
            guard let factor = SensorUnit.factor(from: signal.unit, to: layout[channel].unit) else {
                throw file.fault(
                    "'\(signal.label)' has the unit '\(signal.unit)', which was '\(layout[channel].unit)' before")
            }
            signals[index].gain /= factor
        }
    }
}

/// The signals of a segment of a record, or of a record that has no segments.
final class WFDBSegment {
    /// The frames that are there.
    let frames: Int
    /// What is said at its end, if it is shorter than its header says.
    let cut: MediaError?
    private let signals: [WFDBHeader.Signal]
    private var files: [SignalFile] = []
    private var frame = 0

    /// The signals of one file, whose samples take turns.
    private struct SignalFile {
        var bytes: RecordingBytes
        var coding: WFDBCoding
        /// Indices of signals.
        var signals: Range<Int>
        /// The samples of a frame.
        var count: Int
        var byteOffset: Int

        /// The frames that the file has.
        var frames: Int { coding.samples(inBytes: bytes.count - byteOffset) / count }
    }

    /// - Parameters:
    ///   - file: That of the header.
    ///   - wanted: The frames that it should have; nil for all that are there.
    init(
        _ header: WFDBHeader, _ file: RecordingBytes, frames wanted: Int?, folder: String, _ input: RecordingInput
    ) throws(MediaError) {
        signals = header.signals
        var index = 0
        while index < signals.count {
            let first = signals[index]
            var end = index + 1
            while end < signals.count, signals[end].file == first.file { end += 1 }
            defer { index = end }
            guard let name = first.file else { continue }
            guard let coding = WFDBCoding(first.format),
                signals[index..<end].allSatisfy({ $0.format == first.format })
            else {
                throw file.fault("the format \(first.format) of \(name) is not read", kind: .unsupported)
            }
            let count = signals[index..<end].reduce(0) { $0 + $1.count }
            guard count <= 1 << 20 else { throw file.fault("a frame has \(count) samples", kind: .limit) }
            files.append(
                SignalFile(
                    bytes: try RecordingBytes(folder + name, .wfdb, input), coding: coding,
                    signals: index..<end, count: count, byteOffset: first.byteOffset))
        }
        let shortest = files.min { $0.frames < $1.frames }
        let there = max(0, shortest?.frames ?? 0)
        frames = min(wanted ?? there, there)
        var cut: MediaError?
        if let wanted, wanted > there, let shortest {
            let reason = "the file ends after \(there) of \(wanted) samples"
            guard input.onDamage != nil else {
                throw shortest.bytes.fault(reason, "read what is there with \(OptionName.skipDamaged)")
            }
            cut = shortest.bytes.fault(reason, "what is there is read")
        }
        self.cut = cut
    }

    /// The channels that have samples.
    var channels: Set<Int> { Set(signals.lazy.filter { $0.file != nil }.map(\.channel)) }

    /// Passes the next values of each signal to `body`, with the frame in this segment at which they begin. Returns false at
    /// the end.
    func read(_ body: (WFDBHeader.Signal, Int, Span<Double>) -> Void) throws(MediaError) -> Bool {
        guard frame < frames else { return false }
        // A multiple of 6, so that samples which share bytes are in one piece.
        let most = files.reduce(1) { max($0, $1.count) }
        let wanted = min(max(6, (1 << 16) / most / 6 * 6), frames - frame)
        for file in files { try pass(file, wanted, to: body) }
        frame += wanted
        return true
    }

    private func pass(
        _ file: SignalFile, _ wanted: Int, to body: (WFDBHeader.Signal, Int, Span<Double>) -> Void
    ) throws(MediaError) {
        let total = wanted * file.count
        let at = file.byteOffset + file.coding.bytes(ofSamples: frame * file.count)
        let bytes = try file.bytes.read(file.coding.bytes(ofSamples: total), at: at)
        let numbers = file.coding.numbers(bytes, total)
        guard numbers.count == total else { throw file.bytes.fault("the file ends in sample \(frame)") }
        var place = 0
        for signal in signals[file.signals] {
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
            body(signal, frame - signal.skew, values.span)
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
