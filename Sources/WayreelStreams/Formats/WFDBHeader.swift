internal import WayreelCore

/// The header of a record, or of one of its segments.
struct WFDBHeader {
    struct Signal {
        /// Nothing if it has no samples here.
        var file: String?
        var format: Int
        /// The index of its channel.
        var channel = 0
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

    /// A part of the time of a record.
    struct Segment {
        /// That of its header, without the ending; nil if there are no samples.
        var name: String?
        var frames: Int
    }

    var name: String
    /// Frames a second.
    var rate = 250.0
    /// nil if the header does not say it.
    var frames: Int?
    var start: SensorTime?
    /// The signals of a record of one segment.
    var signals: [Signal] = []
    /// The segments of a record of several, in the order of time. If the first has no frames, its header has all signals
    /// that occur in the others, which then may have some of them, in any order.
    var segments: [Segment] = []
    /// The number of signals, as the first line says it.
    private(set) var signalCount = 0
    private var isOfSegments = false

    /// The most frames of a record.
    private static let frameLimit = 1 << 40

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
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            if let expected {
                guard signals.count + segments.count < expected else { break }
                if isOfSegments {
                    segments.append(try Self.segment(line, index + 1, lines))
                } else {
                    var signal = try Self.signal(line, index + 1, lines)
                    signal.channel = signals.count
                    signals.append(signal)
                }
            } else {
                expected = try readRecord(line, index + 1, lines)
            }
        }
        guard let expected else { throw file.fault("the header is empty") }
        guard signals.count + segments.count == expected else {
            let what = isOfSegments ? "segments" : "signals"
            throw file.fault("the header has \(signals.count + segments.count) of \(expected) \(what)")
        }
        guard isOfSegments else { return }
        var sum = 0
        for segment in segments where sum <= Self.frameLimit { sum += segment.frames }
        guard sum <= Self.frameLimit, sum == frames ?? sum else {
            throw file.fault("the segments have \(sum) samples, and the record \(frames ?? Self.frameLimit)")
        }
    }

    /// Reads `name[/segments] signals rate/counter frames time date`. Returns the number of lines that follow: of signals,
    /// or of segments.
    private mutating func readRecord(_ line: String, _ number: Int, _ lines: Lines) throws(MediaError) -> Int {
        let words = line.split(whereSeparator: \.isWhitespace)
        let names = words[0].split(separator: "/", omittingEmptySubsequences: false)
        name = String(names[0])
        isOfSegments = names.count > 1
        guard !name.isEmpty, names.count <= 2, let segmentCount = isOfSegments ? Int(names[1]) : 1, segmentCount > 0
        else {
            throw lines.fault(number, "the record is '\(words[0])', not a name or NAME/SEGMENTS")
        }
        guard words.count > 1, let count = Int(words[1]), (1...ChannelTable.limit).contains(count) else {
            throw lines.fault(number, "has no number of signals from 1 to \(ChannelTable.limit)")
        }
        signalCount = count
        if words.count > 2 {
            guard let rate = words[2].split(separator: "/").first.flatMap(DecimalNumber.value), rate >= 1e-6,
                rate <= 1e9
            else { throw lines.fault(number, "the rate is '\(words[2])', not 0.000001 to 1000000000 a second") }
            self.rate = rate
        }
        if words.count > 3 {
            guard let frames = Int(words[3]), (0...Self.frameLimit).contains(frames) else {
                throw lines.fault(number, "the number of samples is '\(words[3])', not 0 to \(Self.frameLimit)")
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
        return isOfSegments ? segmentCount : count
    }

    /// Reads `name frames`; the name `~` is a time without samples.
    private static func segment(_ line: String, _ number: Int, _ lines: Lines) throws(MediaError) -> Segment {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let frames = Int(words[1]), (0...frameLimit).contains(frames) else {
            throw lines.fault(number, "is no segment: a name and the number of samples, 0 to \(frameLimit)")
        }
        let name = String(words[0])
        guard isBeside(name) else {
            throw lines.fault(number, "the segment '\(name)' is not in the folder of the header")
        }
        return Segment(name: name == "~" ? nil : name, frames: frames)
    }

    /// Whether a name is that of a file in the folder of the header.
    private static func isBeside(_ name: String) -> Bool {
        !name.contains("/") && !name.contains("\\") && name != ".." && name != "." && !name.utf8.contains(0)
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
        var signal = Signal(format: 0)
        let fault = "the format is not FORMAT[xSAMPLES][:SKEW][+BYTES], as in 212 or 16x4:2, but"
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
                throw lines.fault(number, "\(fault) '\(words[1])'")
            }
            parts[kind] = value
            (kind, digits) = (character, "")
        }
        signal.format = parts[" "] ?? 0
        // A signal of the format 0 has no samples, and `~` in place of a file.
        if signal.format != 0 {
            guard file != "~", isBeside(file) else {
                throw lines.fault(number, "the file '\(file)' is not in the folder of the header")
            }
            signal.file = file
        }
        signal.count = parts["x"] ?? 1
        signal.skew = parts[":"] ?? 0
        signal.byteOffset = parts["+"] ?? 0
        guard (1...1 << 16).contains(signal.count), (0...1 << 20).contains(signal.skew), signal.byteOffset >= 0 else {
            throw lines.fault(number, "\(fault) '\(words[1])'")
        }
        if words.count > 2 {
            let sides = words[2].split(separator: "/", maxSplits: 1)
            let amounts = (sides.first ?? "").split { "()".contains($0) }
            guard let gain = amounts.first.flatMap(DecimalNumber.value), amounts.count <= 2,
                gain == 0 || gain.magnitude >= 1e-100
            else {
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
