internal import CFFmpeg
internal import WayreelCore

/// A sound in a container, decoded by FFmpeg.
final class EncodedAudio: AudioSampleSource {
    let info: AudioInfo
    let demuxer: AudioTrackReader
    /// Where the first packet stands in the file; nil where the container does not tell.
    let firstPacketOffset: Int?
    private let format: SampleBuffer.Format
    private let layout: ChannelLayout
    private let plan: ChunkPlan
    private let workers: Int
    private let limits: AudioLimits
    private let watch: TaskWatch

    /// Packets, and bytes of them, that are tried before a sound is given up.
    private static let attempts = (packets: 256, bytes: 4 << 20)

    init(
        _ file: InputFile, track: Int?, limits: AudioLimits, workers: Int, chunkLength: Int?, watch: TaskWatch
    ) throws(MediaError) {
        demuxer = try AudioTrackReader(file, track: track)
        self.workers = workers
        self.limits = limits
        self.watch = watch
        let decoder = try AudioDecoder(demuxer.parameters)
        var packets: [AudioPacket] = []
        let format = try Self.firstFormat(demuxer, decoder, &packets)
        self.format = format
        layout = try decoder.channelLayout()
        demuxer.putBack(packets)
        firstPacketOffset = packets.first.flatMap { $0.pointer.pointee.pos < 0 ? nil : Int($0.pointer.pointee.pos) }
        let parameters = demuxer.parameters
        let memory = CodecPreroll(parameters, profile: decoder.profile, first: packets[0])
        plan = ChunkPlan(
            memory, length: chunkLength ?? ChunkPlan.length(memory, channelCount: format.channelCount))
        info = AudioInfo(
            container: demuxer.container, codec: parameters.codecName,
            format: AudioFormat(sampleRate: format.sampleRate, channels: layout.channels), sampleType: format.type,
            bitDepth: parameters.bitDepth, isLossless: parameters.isLossless, track: demuxer.track,
            expectedSampleCount: demuxer.seconds.flatMap { Int(exactly: ($0 * Double(format.sampleRate)).rounded()) })
    }

    /// The format of the first samples that can be decoded, which alone tells for sure. `packets` are those that were read.
    private static func firstFormat(
        _ demuxer: AudioTrackReader, _ decoder: AudioDecoder, _ packets: inout [AudioPacket]
    ) throws(MediaError) -> SampleBuffer.Format {
        FFmpeg.forgetLog()
        var bytes = 0
        var found: SampleBuffer.Format?
        let shelf = SampleBufferPool()
        while found == nil, packets.count < attempts.packets, bytes < attempts.bytes {
            guard let packet = try demuxer.next() else {
                try decoder.finish(to: shelf) { found = found ?? $0.runs.first?.store.format }
                break
            }
            packets.append(packet)
            bytes += packet.bytes.count
            try decoder.decode(packet, to: shelf) { found = found ?? $0.runs.first?.store.format }
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
        var timeline = AudioTimeline(demuxer, format, limits: limits, watch: watch)
        defer { timeline.deallocate() }
        var converter: AudioResampler?
        var outcome = AudioReadOutcome()
        var notFinite = 0
        let place = { (decoded: DecodedPacket) throws(MediaError) in
            notFinite += decoded.notFinite
            try timeline.place(decoded, runs: try self.inOneFormat(decoded.runs, &converter), body)
        }
        var isDone = false
        if workers > 1 {
            var decoding = ParallelDecoding(demuxer, plan, watch: watch)
            isDone = try decoding.run(workers: workers, place)
            outcome.repeatedChunks = decoding.repeated
        }
        if !isDone { try decodeInOrder(place) }
        if let rest = try converter?.convert(nil) { try timeline.extend(rest, body) }
        try timeline.finish(body)
        guard timeline.decodedPackets > 0 else {
            throw MediaError(.decoding, step: "decode", reason: "nothing in it can be decoded as \(info.codec)")
        }
        outcome.skippedBytes = demuxer.skippedBytes
        outcome.sampleCount = timeline.sampleCount
        outcome.lostPackets = timeline.lostPackets
        outcome.gaps = timeline.gaps
        outcome.filledSamples = timeline.filled
        outcome.notFinite = notFinite
        return outcome
    }

    private func decodeInOrder(_ body: (DecodedPacket) throws(MediaError) -> Void) throws(MediaError) {
        var decoder = try AudioDecoder(demuxer.parameters)
        let cuts = plan.memory.proof == .fixedCuts ? plan : nil
        let shelf = SampleBufferPool()
        var spare = DecoderPool(.fixedCuts)
        var recent: [AudioPacket] = []
        var isBound = false
        while let packet = try demuxer.next() {
            try watch.check()
            shelf.removeAll()
            if let cuts {
                if packet.number > 0, packet.number % cuts.length == 0, !isBound,
                    let needed = cuts.memory.warmUpCount(recent)
                {
                    let stretch = packet.number / cuts.length
                    spare.put(decoder, ofStretch: stretch - 1)
                    if let next = spare.take(forStretch: stretch) {
                        decoder = next
                    } else {
                        decoder = try AudioDecoder(demuxer.parameters)
                    }
                    for packet in recent.suffix(needed) { try decoder.decode(packet, to: shelf) { _ in } }
                }
                isBound = isBound || packet.changesParameters
                recent.append(packet)
                if recent.count == 2 * CodecPreroll.longestWarmUp { recent.removeFirst(CodecPreroll.longestWarmUp) }
            }
            try decoder.decode(packet, to: shelf, body)
        }
        try decoder.finish(to: shelf, body)
    }

    /// Samples in the format of the first ones.
    private func inOneFormat(
        _ runs: [SampleRun], _ converter: inout AudioResampler?
    ) throws(MediaError) -> [SampleRun] {
        guard converter != nil || !runs.allSatisfy({ $0.store.format.isLike(format) }) else { return runs }
        var converted: [SampleRun] = []
        for run in runs {
            if let current = converter, current.source != run.store.format {
                converted.append(try current.convert(nil))
                converter = nil
            }
            if run.store.format.isLike(format) {
                converted.append(run)
            } else {
                if converter == nil { converter = try AudioResampler(from: run.store.format, to: format, layout) }
                if let part = try converter?.convert(run) { converted.append(part) }
            }
        }
        return converted.filter { $0.count > 0 }
    }
}
