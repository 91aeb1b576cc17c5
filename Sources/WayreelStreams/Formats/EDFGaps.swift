internal import WayreelCore

/// Where the signals of an EDF file that Wayreel has written have no samples: its annotations `no signal` say so, since EDF
/// itself has a number at every place.
struct EDFGaps {
    /// The texts of these annotations: `no signal: ecg.ii`, and after the last sample of all, `no signal: the recording ends`.
    static let (prefix, ending) = ("no signal: ", "the recording ends")
    /// The last words of the header's recording field.
    static let device = "X X Wayreel"
    /// How far a sample may be off its place, in intervals, and a little more.
    static let tolerance = 0.26

    /// A part of the time of a signal, in microseconds.
    private struct Gap {
        var begin: Int64
        /// nil: it lasts to the end of the file, and its beginning is the time of a sample.
        var end: Int64?
    }

    /// By the index of the channel.
    private var gaps: [[Gap]]
    /// The channels by the names of the annotations; those of signals that a label does not tell apart have none.
    private let channels: [(label: String, index: Int)]
    private let isOwn: Bool
    private var count = 0

    /// - Parameters:
    ///   - recording: The header's recording field.
    ///   - labels: Those of the channels.
    init(recording: String, labels: [String]) {
        isOwn = recording.hasSuffix(Self.device)
        gaps = Array(repeating: [], count: labels.count)
        channels = labels.enumerated().map { ($0.element, $0.offset) }
    }

    /// The label of a channel, before it is cut to 16 characters and told apart from equal ones.
    static func label(_ channel: SensorChannel) -> String {
        switch channel.stream {
        case "ecg": "ECG \(SignalNames.leadName(channel.component))"
        case "eeg", "eog", "emg": "\(channel.stream.uppercased()) \(channel.component)"
        case "signal": channel.component
        default: channel.name
        }
    }

    /// Takes over an annotation, if it tells a gap.
    mutating func add(_ mark: SensorMark) {
        guard isOwn, mark.text.hasPrefix(Self.prefix), count < NDJSONRows.markLimit else { return }
        let name = mark.text.dropFirst(Self.prefix.count)
        let begin = mark.time.microseconds
        if name == Self.ending {
            for index in gaps.indices { gaps[index].append(Gap(begin: begin, end: nil)) }
            count += gaps.count
        } else if let index = channel(name) {
            gaps[index].append(Gap(begin: begin, end: mark.time.advanced(by: mark.seconds).microseconds))
            count += 1
        }
    }

    private func channel(_ name: Substring) -> Int? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let label = Self.label(SensorChannel(String(parts[0]), String(parts[1])))
        // Equal labels have got numbers.
        let numbered = "\(label.prefix(12))-"
        guard !channels.contains(where: { $0.label.hasPrefix(numbered) }) else { return nil }
        return channels.first { $0.label == label.prefix(16) }?.index
    }

    /// Replaces the numbers of a channel where it has no samples. Value i has the time `start` + (`first` + i) / `rate`
    /// seconds. What is asked for next is later.
    mutating func apply(
        to values: inout [Double], count: Int, of channel: Int, start: Int64, first: Int, rate: Double
    ) {
        guard !gaps[channel].isEmpty else { return }
        func place(_ time: Int64) -> Double { Double(time &- start) / 1e6 * rate - Double(first) }
        for gap in gaps[channel] {
            let begin =
                gap.end == nil ? (place(gap.begin) + Self.tolerance).rounded(.down) + 1 : place(gap.begin).rounded()
            let end = gap.end.map { place($0).rounded() } ?? Double(count)
            let (from, to) = (max(begin, 0), min(end, Double(count)))
            guard from < to else { continue }
            for index in Int(from)..<Int(to) { values[index] = .nan }
        }
        gaps[channel].removeAll { gap in gap.end.map { place($0) < Double(count) } ?? false }
    }
}
