internal import WayreelCore

/// Writes the leads of an electrocardiogram as a General ECG Waveform (PS3.3, A.34.4), in one multiplex group of 16-bit
/// samples, explicit little endian.
struct DICOMWriter {
    private let fault: ErrorSite

    /// The codes of the leads (PS3.16, CID 3001), from ISO/IEEE 11073-10102.
    private static let leads: [String: String] = [
        "i": "2:1", "ii": "2:2", "v1": "2:3", "v2": "2:4", "v3": "2:5", "v4": "2:6", "v5": "2:7", "v6": "2:8",
        "iii": "2:61", "avr": "2:62", "avl": "2:63", "avf": "2:64",
    ]
    /// Microvolts in the units of a channel.
    private static let units: [String: Double] = ["mV": 1000, "uV": 1, "µV": 1, "μV": 1, "V": 1e6]
    private static let maxChannels = 24
    private static let maxBytes = 1 << 28
    /// Stands for no sample.
    private static let padding = Int16.min

    init(_ output: String) {
        fault = ErrorSite(
            .encoding, step: .write, format: .dicom, subject: output,
            advice: "choose leads with --stream 'ecg.*', or write .edf or .csv")
    }

    /// Throws an `encoding` error for what a General ECG Waveform cannot hold.
    func write(_ measured: MeasuredRecording, to sink: AtomicOutput) throws(MediaError) {
        let signals = measured.signals
        guard let first = signals.first, let start = measured.start else {
            throw fault("none of the chosen channels has a sample")
        }
        guard measured.beginsInYears else { throw fault("begins in no year from 1 to 9999") }
        guard signals.count <= Self.maxChannels else {
            throw fault("has \(signals.count) channels, of at most \(Self.maxChannels)")
        }
        for signal in signals {
            guard signal.channel.stream == "ecg", Self.leads[signal.channel.component] != nil else {
                throw fault("\(signal.channel.name) is no lead of a 12-lead electrocardiogram")
            }
            guard Self.units[signal.channel.unit ?? ""] != nil else {
                throw fault("\(signal.channel.name) is in \(signal.channel.unit ?? "no unit"), not in mV or µV")
            }
            guard abs(signal.rate - first.rate) < 1e-3 else {
                throw fault("\(signal.channel.name) has another rate than \(first.channel.name)")
            }
        }
        let last = signals.map { $0.place($0.measure.last).rounded() }.max() ?? 0
        guard last < Double(Self.maxBytes / 2 / signals.count) else {
            throw fault("has \(last) samples of each lead, which are more than \(Self.maxBytes) bytes")
        }
        let frames = Int(last) + 1
        var samples = EvenSamples(signals)
        let steps = signals.map { Self.step($0) }
        var numbers = Array(repeating: Self.padding, count: frames * signals.count)
        func take(_ samples: inout EvenSamples) throws(MediaError) {
            if let reason = samples.fault { throw fault(reason) }
            for (index, signal) in signals.enumerated() {
                let scale = (Self.units[signal.channel.unit ?? ""] ?? 1) / steps[index]
                for sample in samples.take(index, before: frames) {
                    numbers[sample.place * signals.count + index] =
                        Int16(max(-32767, min(32767, (sample.value * scale).rounded())))
                }
            }
        }
        try measured.recording.read(into: &samples) { (samples: inout EvenSamples) throws(MediaError) in
            try take(&samples)
        }
        try take(&samples)
        let data = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        try sink.write(file(measured.recording, signals, steps, SensorTime(microseconds: start), frames, data))
    }

    /// The microvolts of a number: the finest step that the values allow.
    private static func step(_ signal: EvenSignal) -> Double {
        let most = max(abs(signal.measure.least), abs(signal.measure.most)) * (units[signal.channel.unit ?? ""] ?? 1)
        var step = 0.01
        while most / step > 32767, step < 1e9 { step *= 10 }
        return [0.1, 0.2, 0.5].map { $0 * step }.first { most / $0 <= 32767 } ?? step
    }

    // MARK: The file

    private func file(
        _ recording: ConvertedRecording, _ signals: [EvenSignal], _ steps: [Double], _ start: SensorTime, _ frames: Int,
        _ data: [UInt8]
    ) -> [UInt8] {
        let kind = "1.2.840.10008.5.1.4.1.1.9.1.2"
        let identity = Self.identity(data)
        let moment = recording.notation == .date ? start : SensorTime(microseconds: 0)
        let digits = moment.text(.date).filter(\.isNumber)
        // 20261123170509.250125
        let (date, time) = (String(digits.prefix(8)), String(digits.dropFirst(8).prefix(6)))
        let rest = digits.dropFirst(14)
        let fraction = rest.isEmpty ? "" : ".\(rest)"
        var meta = DICOMElements()
        meta.add(.fileMetaInformationVersion, [0, 1] as [UInt8])
        meta.add(.mediaStorageSOPClassUID, kind)
        meta.add(.mediaStorageSOPInstanceUID, "2.25.\(identity)1")
        meta.add(.transferSyntaxUID, "1.2.840.10008.1.2.1")
        meta.add(.implementationClassUID, "2.25.324823464534534523")
        var all = DICOMElements()
        all.add(.specificCharacterSet, "ISO_IR 192")
        all.add(.sopClassUID, kind)
        all.add(.sopInstanceUID, "2.25.\(identity)1")
        all.add(.studyDate, date)
        all.add(.contentDate, date)
        all.add(.acquisitionDateTime, "\(date)\(time)\(fraction)")
        all.add(.studyTime, time)
        all.add(.contentTime, "\(time)\(fraction)")
        all.add(.accessionNumber, "")
        all.add(.modality, "ECG")
        all.add(.manufacturer, "Wayreel")
        all.add(.referringPhysicianName, "")
        all.add(.timezoneOffsetFromUTC, "+0000")
        if let title = recording.title { all.add(.seriesDescription, String(title.prefix(64))) }
        all.add(.patientName, "")
        all.add(.patientID, "")
        all.add(.patientBirthDate, "")
        all.add(.patientSex, "")
        all.add(.studyInstanceUID, "2.25.\(identity)2")
        all.add(.seriesInstanceUID, "2.25.\(identity)3")
        all.add(.studyID, "")
        all.add(.seriesNumber, "1")
        all.add(.instanceNumber, "1")
        all.add(.acquisitionContextSequence, items: [])
        let marks = recording.marks.map { annotation($0, signals, start) }
        if !marks.isEmpty { all.add(.waveformAnnotationSequence, items: marks) }
        all.add(.waveformSequence, items: [group(signals, steps, frames, data)])
        return Array(repeating: 0, count: 128) + Array("DICM".utf8) + meta.withLength.bytes + all.bytes
    }

    private func group(
        _ signals: [EvenSignal], _ steps: [Double], _ frames: Int, _ data: [UInt8]
    ) -> DICOMElements {
        var group = DICOMElements()
        group.add(.waveformOriginality, "DERIVED")
        group.add(.numberOfWaveformChannels, [UInt16(signals.count)])
        group.add(.numberOfWaveformSamples, [UInt32(frames)])
        group.add(.samplingFrequency, DICOMElements.decimal(signals[0].rate))
        let channels = zip(signals, steps).map { signal, step in
            let lead = SignalNames.leadName(signal.channel.component)
            var channel = DICOMElements()
            let code = Self.leads[signal.channel.component] ?? ""
            channel.add(.channelSourceSequence, items: [.code(code, "MDC", "Lead \(lead)")])
            channel.add(.channelSensitivity, DICOMElements.decimal(step))
            channel.add(.channelSensitivityUnitsSequence, items: [.code("uV", "UCUM", "microvolt")])
            channel.add(.channelSensitivityCorrectionFactor, "1")
            channel.add(.channelBaseline, "0")
            channel.add(.channelSampleSkew, "0")
            channel.add(.waveformBitsStored, [16 as UInt16])
            return channel
        }
        group.add(.channelDefinitionSequence, items: channels)
        group.add(.waveformBitsAllocated, [16 as UInt16])
        group.add(.waveformSampleInterpretation, "SS")
        group.add(.waveformPaddingValue, [UInt16(bitPattern: Self.padding)])
        group.add(.waveformData, data)
        return group
    }

    private func annotation(_ mark: SensorMark, _ signals: [EvenSignal], _ start: SensorTime) -> DICOMElements {
        let place = mark.time.seconds(since: start) * signals[0].rate
        let end = place + mark.seconds * signals[0].rate
        // Places count from 1.
        let positions = (mark.seconds > 0 ? [place, end] : [place]).map { UInt32(max(0, min(4e9, $0.rounded()))) + 1 }
        let lead = mark.channel.flatMap { name in signals.firstIndex { $0.channel.name == name } }
        var item = DICOMElements()
        item.add(.referencedWaveformChannels, [1, UInt16((lead ?? -1) + 1)])
        item.add(.temporalRangeType, positions.count == 2 ? "SEGMENT" : "POINT")
        item.add(.referencedSamplePositions, positions)
        item.add(.annotationGroupNumber, [1 as UInt16])
        item.add(.unformattedTextValue, String(mark.text.prefix(1024)))
        return item
    }

    /// A number of 24 to 26 digits, by the samples: the same recording has the same identifiers.
    private static func identity(_ data: [UInt8]) -> String {
        // FNV-1a, twice.
        let sums = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4].map { (start: UInt64) in
            data.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return "1" + sums.map { String(Int($0 % 1_000_000_000_000), paddedTo: 12) }.joined()
    }
}

/// The bytes of elements in explicit little endian.
struct DICOMElements {
    private(set) var bytes: [UInt8] = []

    private static let long: Set = ["OB", "OW", "SQ"]

    /// Adds an element. Its value has an even number of bytes.
    mutating func add(_ attribute: DICOMAttribute, _ value: [UInt8]) {
        let kind = attribute.representation
        append(UInt16(attribute.tag >> 16))
        append(UInt16(attribute.tag & 0xFFFF))
        bytes += Array(kind.utf8)
        let isOdd = value.count % 2 == 1
        let length = value.count + (isOdd ? 1 : 0)
        if Self.long.contains(kind) {
            append(UInt16(0))
            append(UInt32(length))
        } else {
            append(UInt16(length))
        }
        bytes += value
        if isOdd { bytes.append(["UI", "OB"].contains(kind) ? 0 : UInt8(ascii: " ")) }
    }

    mutating func add(_ attribute: DICOMAttribute, _ text: String) { add(attribute, Array(text.utf8)) }

    mutating func add<Number: FixedWidthInteger>(_ attribute: DICOMAttribute, _ numbers: [Number]) {
        var value = DICOMElements()
        for number in numbers { value.append(number) }
        add(attribute, value.bytes)
    }

    mutating func add(_ attribute: DICOMAttribute, items: [DICOMElements]) {
        var value = DICOMElements()
        for item in items {
            value.append(UInt16(0xFFFE))
            value.append(UInt16(0xE000))
            value.append(UInt32(item.bytes.count))
            value.bytes += item.bytes
        }
        add(attribute, value.bytes)
    }

    /// These elements of group 2 after their length.
    var withLength: DICOMElements {
        var all = DICOMElements()
        all.add(.fileMetaInformationGroupLength, [UInt32(bytes.count)])
        all.bytes += bytes
        return all
    }

    static func code(_ value: String, _ scheme: String, _ meaning: String) -> DICOMElements {
        var item = DICOMElements()
        item.add(.codeValue, value)
        item.add(.codingSchemeDesignator, scheme)
        item.add(.codeMeaning, meaning)
        return item
    }

    /// A number as text of at most 16 characters.
    static func decimal(_ number: Double) -> String {
        let text = DecimalNumber.text((number * 1e9).rounded() / 1e9)
        return text.utf8.count <= 16 ? text : String(text.prefix(16))
    }

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
