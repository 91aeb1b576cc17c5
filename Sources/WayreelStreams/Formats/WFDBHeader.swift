internal import WayreelCore

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
            else { throw lines.fault(number, "the rate is '\(words[2])', not 0.000001 to 1000000000 a second") }
            self.rate = rate
        }
        if words.count > 3 {
            guard let frames = Int(words[3]), (0...1 << 40).contains(frames) else {
                throw lines.fault(number, "the number of samples is '\(words[3])', not 0 to \(1 << 40)")
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
