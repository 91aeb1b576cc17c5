internal import WayreelCore

extension MediaError.Format {
    static let dicom = MediaError.Format(rawValue: "DICOM")
}

extension RecordingFormat {
    /// DICOM waveforms, such as the 12-lead and the general electrocardiogram (PS3.3, C.10.9 and A.34).
    static let dicom = RecordingFormat(
        name: "DICOM waveforms", extensions: ["dcm", "dicom"],
        recognizes: { (head, _) in head.matches(Array("DICM".utf8), at: 128) },
        open: { (input) throws(MediaError) in try DICOMRecording(input) })
}

/// Reads the multiplex groups of a waveform, some thousand frames in a piece.
final class DICOMRecording: RecordingSource {
    private(set) var head = RecordingHead()
    private let cancellation: Cancellation
    private let start: SensorTime
    private var groups: [Group] = []
    private var values: [Double] = []

    /// Channels with one rate, whose samples take turns.
    private struct Group {
        var item: DICOMDataSet
        /// Microseconds.
        var start: SensorTime
        var rate: Double
        var frames: Int
        /// Where the samples begin in the file.
        var begin: Int
        var bits: Int
        var isSigned: Bool
        var padding: Double?
        /// Indices of channels.
        var channels: Range<Int>
        /// Physical value = number · gain + shift.
        var gains: [(gain: Double, shift: Double)]
        var frame = 0

        var frameBytes: Int { channels.count * bits / 8 }
        func seconds(_ frame: Int) -> Double { Double(start.microseconds) / 1e6 + Double(frame) / rate }
    }

    private static let maxBytes = 1 << 29
    private static let batch = 4096

    init(_ input: RecordingInput) throws(MediaError) {
        cancellation = input.cancellation
        let bytes = try MediaBytes.read(path: input.path, limit: Self.maxBytes)
        let file = try DICOMDataSet(bytes, input.path)
        let date = Self.start(file)
        start = date ?? SensorTime(microseconds: 0)
        head.notation = date == nil ? .seconds : .date
        let title = [file.text(.studyDescription), file.text(.seriesDescription)].first { !$0.isEmpty }
        head.title = title
        let items = file.items(.waveformSequence)
        guard !items.isEmpty else { throw file.fault("the file has no waveform", kind: .unsupported) }
        var names = SignalNames()
        for (index, item) in items.enumerated() { try add(item, index + 1, &names) }
        for item in file.items(.waveformAnnotationSequence) { try addMark(item) }
    }

    private func add(_ item: DICOMDataSet, _ number: Int, _ names: inout SignalNames) throws(MediaError) {
        func fault(_ reason: String, _ kind: MediaError.Kind = .decoding) -> MediaError {
            item.fault("multiplex group \(number): \(reason)", kind: kind)
        }
        guard let count = item.numbers16(.numberOfWaveformChannels).first,
            let frames = item.numbers32(.numberOfWaveformSamples).first,
            let rate = item.decimal(.samplingFrequency), let bits = item.numbers16(.waveformBitsAllocated).first,
            let data = item.range(.waveformData), rate >= 1e-6, rate <= 1e9, count > 0
        else { throw fault("has no channels, samples, rate or data") }
        guard head.channels.count + count <= ChannelTable.limit else {
            throw fault("has \(count) channels", .limit)
        }
        let kind = item.text(.waveformSampleInterpretation)
        guard let width = ["SB": 8, "UB": 8, "SS": 16, "US": 16, "SL": 32, "UL": 32][kind] else {
            throw fault("samples of the kind '\(kind)' are not read", .unsupported)
        }
        guard bits == width else { throw fault("samples of the kind \(kind) have \(bits) bits") }
        guard frames <= data.count / (count * width / 8) else {
            throw fault("has the data of \(data.count / (count * width / 8)) of \(frames) samples")
        }
        let offset = item.decimal(.multiplexGroupTimeOffset) ?? 0
        guard abs(offset) <= 1e12, Double(frames) / rate <= 1e11 else { throw fault("is longer than any recording") }
        let definitions = item.items(.channelDefinitionSequence)
        guard definitions.count == count else {
            throw fault("defines \(definitions.count) of \(count) channels")
        }
        var group = Group(
            item: item, start: SensorTime(microseconds: start.microseconds + Int64((offset * 1e3).rounded())),
            rate: rate, frames: frames, begin: data.lowerBound, bits: width, isSigned: kind.hasPrefix("S"),
            channels: head.channels.count..<head.channels.count + count, gains: [])
        if let padding = item.range(.waveformPaddingValue), padding.count >= width / 8 {
            group.padding = item.sample(padding.lowerBound, bits: width, isSigned: group.isSigned)
        }
        for definition in definitions {
            let source = definition.code(.channelSourceSequence)?.meaning ?? ""
            let label = source.isEmpty ? definition.text(.channelLabel) : source
            let unit = definition.code(.channelSensitivityUnitsSequence)?.value
            head.channels.append(names.channel(label, unit: unit == "" ? nil : unit, rate: rate))
            let gain =
                (definition.decimal(.channelSensitivity) ?? 1)
                * (definition.decimal(.channelSensitivityCorrectionFactor) ?? 1)
            let shift = definition.decimal(.channelBaseline) ?? 0
            guard gain.magnitude <= 1e100, shift.magnitude <= 1e100 else {
                throw fault("'\(label)' has no sensitivity")
            }
            group.gains.append((gain, shift))
        }
        groups.append(group)
    }

    var hasNext: Bool { true }

    func read(into sink: inout some SampleSink) throws(MediaError) -> Bool {
        try cancellation.check(step: .read)
        // Each group is read as far as the one that reaches least.
        let open = groups.filter { $0.frame < $0.frames }
        guard let until = open.map({ $0.seconds(min($0.frames, $0.frame + Self.batch)) }).min() else { return false }
        for index in groups.indices where groups[index].frame < groups[index].frames {
            let group = groups[index]
            var end = group.frame
            while end < group.frames, end < group.frame + Self.batch, group.seconds(end) < until { end += 1 }
            pass(group, end, to: &sink)
            groups[index].frame = end
        }
        return true
    }

    private func pass(_ group: Group, _ end: Int, to sink: inout some SampleSink) {
        guard end > group.frame else { return }
        for (place, channel) in group.channels.enumerated() {
            let (gain, shift) = group.gains[place]
            values.removeAll(keepingCapacity: true)
            for frame in group.frame..<end {
                let at = group.begin + frame * group.frameBytes + place * group.bits / 8
                let sample = group.item.sample(at, bits: group.bits, isSigned: group.isSigned)
                values.append(sample == group.padding ? .nan : sample * gain + shift)
            }
            let values = values
            sink.add(channel, start: group.start, rate: group.rate, first: group.frame, values: values.span)
        }
    }

    // MARK: Times and marks

    /// The time of the acquisition, in UTC if the file does not say its zone.
    private static func start(_ file: DICOMDataSet) -> SensorTime? {
        let dates = [
            file.text(.acquisitionDateTime), file.text(.acquisitionDate) + file.text(.acquisitionTime),
            file.text(.contentDate) + file.text(.contentTime),
        ]
        return dates.lazy.compactMap { time($0, zone: file.text(.timezoneOffsetFromUTC)) }.first
    }

    /// Reads `20261123170509.25+0100`.
    private static func time(_ text: String, zone: String) -> SensorTime? {
        let sign = text.firstIndex { "+-".contains($0) } ?? text.endIndex
        let offset = sign == text.endIndex ? zone : String(text[sign...])
        let parts = text[..<sign].split(separator: ".", maxSplits: 1)
        guard let whole = parts.first, whole.utf8.count == 14, whole.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let digits = Array(whole)
        func part(_ range: Range<Int>) -> String { String(digits[range]) }
        let fraction = parts.count > 1 ? ".\(parts[1])" : ""
        let place = offset.utf8.count == 5 ? "\(offset.prefix(3)):\(offset.suffix(2))" : "Z"
        return SensorTime(
            date: "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))"
                + "\(fraction)\(place)")
    }

    /// Adds an annotation that has places. Two places are the ends of a segment.
    private func addMark(_ item: DICOMDataSet) throws(MediaError) {
        let channels = item.numbers16(.referencedWaveformChannels)
        let number = max(0, (channels.first ?? 1) - 1)
        guard number < groups.count else { return }
        let group = groups[number]
        let positions = item.numbers32(.referencedSamplePositions).map { Double(max(0, $0 - 1)) / group.rate }
        let times = positions.isEmpty ? item.decimals(.referencedTimeOffsets) : positions
        var text = item.text(.unformattedTextValue)
        if text.isEmpty, let concept = item.code(.conceptNameCodeSequence) {
            let amount = item.text(.numericValue)
            let unit = amount.isEmpty ? nil : item.code(.measurementUnitsCodeSequence)?.value
            text = [concept.meaning, amount, unit ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        }
        guard let first = times.first, abs(first) <= 1e11, !text.isEmpty else { return }
        let isSegment = item.text(.temporalRangeType) == "SEGMENT" && times.count == 2 && times[1] >= first
        var mark = SensorMark(
            group.start.advanced(by: first), seconds: isSegment ? times[1] - first : 0, text: text)
        // Channel 0 means all of the group.
        if channels.count == 2, channels[1] > 0, channels[1] <= group.channels.count {
            mark.channel = head.channels[group.channels.lowerBound + channels[1] - 1].name
        }
        do throws(LineDamage) { try head.add(mark) } catch { throw item.fault(error.reason) }
    }
}
