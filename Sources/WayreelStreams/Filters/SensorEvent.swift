internal import WayreelCore

/// What a filter has found in a channel: a beat, or the beginning or the end of a time beyond a threshold. It is a sample
/// of a stream of its own.
struct SensorEvent: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case beats, above, below

        /// The stream of these events of a stream: `ecg-beats`. The stream's name is cut if both would be too long.
        func stream(of stream: String) -> String { "\(stream.prefix(63 - rawValue.utf8.count))-\(rawValue)" }
    }

    enum Phase: Sendable {
        case moment, begin
        /// How many seconds after the beginning.
        case end(seconds: Double)
    }

    let kind: Kind
    /// Where it was found.
    let channel: SensorChannel
    let time: SensorTime
    let value: Double
    let phase: Phase
    /// Beats a minute; nil for the first beat.
    let rate: Double?

    /// nil if the sample is no event of one of the channels.
    init?(_ sample: SensorSample, of channels: [SensorChannel]) {
        guard let kind = Kind.allCases.first(where: { sample.stream.hasSuffix("-\($0.rawValue)") }),
            let channel = channels.first(where: { channel in
                kind.stream(of: channel.stream) == sample.stream && sample.values[channel.component] != nil
            }), let value = sample.values[channel.component], value.isFinite
        else { return nil }
        switch (kind, sample.values[kind.rawValue], sample.values["seconds"]) {
        case (.beats, _, _): phase = .moment
        case (_, 1?, _): phase = .begin
        case (_, 0?, let seconds?) where seconds >= 0 && seconds <= 1e12: phase = .end(seconds: seconds)
        default: return nil
        }
        (self.kind, self.channel, time, self.value) = (kind, channel, sample.time, value)
        rate = sample.values["bpm"]
    }

    /// The unit of a component of its stream.
    func unit(of component: String) -> String? {
        switch component {
        case "bpm": "bpm"
        case "seconds": "s"
        case channel.component: channel.unit
        default: nil
        }
    }
}
