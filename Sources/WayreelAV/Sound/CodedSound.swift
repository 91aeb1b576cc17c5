internal import CFFmpeg
internal import WayreelCore

/// The format of all blocks of a sound.
struct SampleFormat {
    let audio: AudioFormat
    let type: AudioBlock.SampleType
}

/// A sound in a container, decoded by FFmpeg.
final class CodedSound: SoundSamples {
    let info: AudioInfo
    let demuxer: Demuxer
    /// Where the first packet stands in the file; nil where the container does not tell.
    let firstPacketOffset: Int?
    private let first: AudioFrame
    private let plan: StretchPlan?
    private let workers: Int
    private let limits: AudioLimits
    private let watch: TaskWatch

    /// Packets, and bytes of them, that are tried before a sound is given up.
    private static let attempts = (packets: 256, bytes: 4 << 20)

    init(
        _ file: SoundFile, track: Int?, limits: AudioLimits, workers: Int, stretchLength: Int?, watch: TaskWatch
    ) throws(MediaError) {
        demuxer = try Demuxer(file, track: track)
        self.workers = workers
        self.limits = limits
        self.watch = watch
        let decoder = try AudioDecoder(demuxer.parameters)
        var packets: [EncodedPacket] = []
        first = try Self.firstFrame(demuxer, decoder, &packets)
        demuxer.putBack(packets)
        firstPacketOffset = packets.first.flatMap { $0.pointer.pointee.pos < 0 ? nil : Int($0.pointer.pointee.pos) }
        let format = first.format
        let parameters = demuxer.parameters
        let memory = packets.first.flatMap { CodecMemory(parameters, profile: decoder.profile, first: $0) }
        plan = memory.map {
            StretchPlan($0, length: stretchLength ?? StretchPlan.length($0, channelCount: format.channels.count))
        }
        info = AudioInfo(
            container: demuxer.container, codec: parameters.codecName, format: format,
            sampleType: first.type ?? .float32,
            bitDepth: parameters.bitDepth, isLossless: parameters.isLossless, track: demuxer.track,
            trackCount: demuxer.trackCount,
            expectedSampleCount: demuxer.seconds.flatMap { Int(exactly: ($0 * Double(format.sampleRate)).rounded()) })
    }

    /// The first frame that can be decoded, which alone tells for sure what the samples are. `packets` are those that were read.
    private static func firstFrame(
        _ demuxer: Demuxer, _ decoder: AudioDecoder, _ packets: inout [EncodedPacket]
    ) throws(MediaError) -> AudioFrame {
        FFmpeg.forgetLog()
        var bytes = 0
        var found: AudioFrame?
        while found == nil, packets.count < attempts.packets, bytes < attempts.bytes {
            guard let packet = try demuxer.next() else {
                try decoder.finish { found = found ?? $0.frames.first }
                break
            }
            packets.append(packet)
            bytes += packet.bytes.count
            try decoder.decode(packet) { found = found ?? $0.frames.first }
        }
        guard let found else {
            let codec = demuxer.parameters.codecName
            throw MediaError(
                .decoding, step: "decode",
                reason: packets.isEmpty
                    ? "holds no sound: its \(codec) track is empty"
                    : "nothing in it can be decoded as \(codec)" + (FFmpeg.firstLogged.map { " (\($0))" } ?? ""))
        }
        return found
    }

    func read(_ body: (AudioBlock) throws(MediaError) -> Void) throws(MediaError) -> AudioReadOutcome {
        let format = SampleFormat(audio: info.format, type: info.sampleType)
        var timeline = SoundTimeline(demuxer, format, limits: limits, watch: watch)
        defer { timeline.deallocate() }
        var converter: FormatConverter?
        var outcome = AudioReadOutcome()
        let place = { (decoded: DecodedPacket) throws(MediaError) in
            let frames = try self.inOneFormat(decoded.frames, &converter)
            try timeline.place(decoded, frames: frames, body)
        }
        if let plan, workers > 1 {
            var decoding = SideBySideDecoding(demuxer, plan, watch: watch)
            try decoding.run(workers: workers, place)
            outcome.repeatedStretches = decoding.repeated
        } else {
            try decodeInOrder(place)
        }
        try timeline.finish(body)
        guard timeline.decodedPackets > 0 else {
            throw MediaError(.decoding, step: "decode", reason: "nothing in it can be decoded as \(info.codec)")
        }
        outcome.sampleCount = timeline.sampleCount
        outcome.lostPackets = timeline.lostPackets
        outcome.gaps = timeline.gaps
        outcome.filledSamples = timeline.filled
        outcome.notFinite = timeline.notFinite
        return outcome
    }

    private func decodeInOrder(_ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        var decoder = try AudioDecoder(demuxer.parameters)
        let cuts = plan.flatMap { $0.memory.proof == .fixedCuts ? $0 : nil }
        var recent: [EncodedPacket] = []
        var isBound = false
        while let packet = try demuxer.next() {
            try watch.check()
            if let cuts {
                if packet.number > 0, packet.number % cuts.length == 0, !isBound,
                    let needed = cuts.memory.warmUpCount(recent)
                {
                    decoder = try AudioDecoder(demuxer.parameters)
                    for packet in recent.suffix(needed) { try decoder.decode(packet) { _ in } }
                }
                isBound = isBound || packet.changesParameters
                recent = recent.suffix(CodecMemory.longestWarmUp - 1) + [packet]
            }
            try decoder.decode(packet, body)
        }
        try decoder.finish(body)
    }

    /// Frames in the format of the first one.
    private func inOneFormat(_ frames: [AudioFrame], _ converter: inout FormatConverter?) throws(MediaError)
        -> [AudioFrame]
    {
        guard converter != nil || !frames.allSatisfy({ $0.isLike(first) }) else { return frames }
        var converted: [AudioFrame] = []
        for frame in frames {
            if let current = converter, !current.accepts(frame) {
                if let rest = try current.convert(nil) { converted.append(rest) }
                converter = nil
            }
            if frame.isLike(first) {
                converted.append(frame)
            } else {
                if converter == nil { converter = try FormatConverter(from: frame, to: first) }
                if let part = try converter?.convert(frame) { converted.append(part) }
            }
        }
        return converted
    }
}
