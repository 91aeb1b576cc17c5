internal import Glibc
internal import WayreelCore

/// A file of binary samples that is read in pieces.
final class RecordingBytes {
    let path: String
    let count: Int
    private let format: MediaError.Format
    private let file: OpenFile
    private let cancellations: [Cancellation]

    /// The most bytes of a piece.
    static let limit = 1 << 26

    init(_ path: String, _ format: MediaError.Format, _ input: RecordingInput) throws(MediaError) {
        self.path = path
        self.format = format
        cancellations = [input.cancellation, input.stopping]
        guard !path.utf8.contains(0) else {
            throw MediaError(.io, step: .read, subject: path, reason: "the path contains a NUL byte")
        }
        try RegularFile.require(path)
        do throws(SystemError) { file = try OpenFile(path) } catch {
            throw MediaError(
                .io, code: error.code == ENOENT ? .notFound : nil, step: .read, subject: path,
                reason: systemReason(error.code))
        }
        count = file.byteCount ?? 0
    }

    /// Returns `count` bytes at `offset`, or those that the file has.
    func read(_ count: Int, at offset: Int) throws(MediaError) -> [UInt8] {
        for cancellation in cancellations where cancellation.isCancelled {
            throw .cancelled(step: .read).naming(path)
        }
        let there = max(0, min(count, self.count - offset, Self.limit))
        do throws(SystemError) { return try file.bytes(there, at: offset) } catch {
            throw MediaError(system: error.code, step: .read, subject: path)
        }
    }

    /// The error of a file that is damaged.
    func fault(_ reason: String, kind: MediaError.Kind = .decoding, _ advice: MediaError.Advice? = nil) -> MediaError {
        MediaError(
            kind, step: .read, format: format, subject: path, reason: "\(format): \(reason)", advice: advice)
    }
}

/// Whole numbers of binary samples, at any offset.
enum RawSamples {
    /// Converts 16-bit numbers, of which `bytes` has `values.count` from `offset` on: value = number · gain + shift.
    static func convert16(
        _ bytes: [UInt8], at offset: Int, gain: Double, shift: Double, into values: inout [Double], _ begin: Int,
        _ count: Int
    ) {
        precondition(offset >= 0 && count >= 0 && offset + 2 * count <= bytes.count && begin + count <= values.count)
        bytes.withUnsafeBytes { raw in
            values.withUnsafeMutableBufferPointer { values in
                for index in 0..<count {
                    let number = raw.loadUnaligned(fromByteOffset: offset + 2 * index, as: Int16.self)
                    values[begin + index] = Double(Int16(littleEndian: number)) * gain + shift
                }
            }
        }
    }

    /// Converts 24-bit numbers.
    static func convert24(
        _ bytes: [UInt8], at offset: Int, gain: Double, shift: Double, into values: inout [Double], _ begin: Int,
        _ count: Int
    ) {
        precondition(offset >= 0 && count >= 0 && offset + 3 * count <= bytes.count && begin + count <= values.count)
        for index in 0..<count {
            let at = offset + 3 * index
            let number = Int32(bytes[at]) << 8 | Int32(bytes[at + 1]) << 16 | Int32(bytes[at + 2]) << 24
            values[begin + index] = Double(number >> 8) * gain + shift
        }
    }
}

/// Names for the signals of medical recordings.
struct SignalNames {
    private var taken: Set<String> = []

    /// The leads of an electrocardiogram as their labels write them, in lower case.
    static let leads: Set = [
        "i", "ii", "iii", "avr", "-avr", "avl", "avf", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v3r",
        "v4r",
        "v5r", "v6r", "vx", "vy", "vz", "x", "y", "z", "mli", "mlii", "mliii", "mv1", "mv2", "mv5",
    ]

    /// How a label writes the name of a lead: `aVR`, `V1`.
    static func leadName(_ component: String) -> String {
        let name = component.uppercased()
        return name.hasPrefix("AV") ? "aV" + name.dropFirst(2) : name
    }

    /// The types that EDF+ begins a label with.
    private static let types: Set = [
        "eeg", "ecg", "ekg", "eog", "erg", "emg", "meg", "mcg", "ep", "temp", "resp", "sao2", "light", "sound", "event",
    ]

    /// Returns the channel for a label, which no other has: `ecg.ii` for `ECG II`, `Lead II` and `ii`, `eeg.fpz-cz` for
    /// `EEG Fpz-Cz`, `signal.pleth` for `PLETH`. What is `stream.component` stays that.
    mutating func channel(_ label: String, unit: String?, rate: Double?) -> SensorChannel {
        if let named = SensorChannel(named: label) { return unique(named.stream, named.component, unit, rate) }
        let low = label.lowercased()
        let words = low.split(separator: " ")
        let rest = SensorSample.name(like: words.dropFirst().joined(separator: " "))
        if words.count > 1, words[0] == "lead", Self.leads.contains(String(words[1])) {
            return unique("ecg", SensorSample.name(like: words[1]), unit, rate)
        }
        if words.count > 1, Self.types.contains(String(words[0])), !rest.isEmpty {
            return unique(words[0] == "ekg" ? "ecg" : String(words[0]), rest, unit, rate)
        }
        let name = SensorSample.name(like: low, "signal")
        return unique(Self.leads.contains(low) ? "ecg" : "signal", name, unit, rate)
    }

    private mutating func unique(_ stream: String, _ component: String, _ unit: String?, _ rate: Double?)
        -> SensorChannel
    {
        var channel = SensorChannel(stream, component, unit: unit, rate: rate)
        var number = 2
        while !taken.insert(channel.name).inserted {
            channel.component = "\(component.prefix(60))-\(number)"
            number += 1
        }
        return channel
    }
}

extension String {
    /// The text of a fixed field: UTF-8, or Latin-1 as old devices write it, without surrounding blanks and NULs.
    init(field bytes: some Collection<UInt8>) {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        self = text.trimmed { $0.isWhitespace || $0 == "\0" }
    }
}
