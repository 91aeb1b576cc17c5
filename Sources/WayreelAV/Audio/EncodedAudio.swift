internal import CFFmpeg
internal import WayreelCore

/// An audio track in a container, decoded by FFmpeg.
final class EncodedAudio: AudioSampleSource {
    let info: AudioInfo
    let track: AudioTrackReader
    /// The offset of the first packet in the file; nil if the demuxer does not report it.
    let firstPacketOffset: Int?
    private let plan: ChunkPlan
    private let workers: Int
    private let task: TaskContext
    private var formats: FormatUnifier
    private var timeline: AudioTimeline
    /// Opened for the first block.
    private var packets: (any DecodedPacketSource)?
    private var notFinite = 0
    private var isFinished = false

    /// Max packets, and max bytes of packets, that are decoded to find the first samples.
    private static let maxAttempts = (packets: 256, bytes: 4 << 20)

    init(
        _ file: InputFile, track number: Int?, limits: AudioLimits, workers: Int, chunkLength: Int?, task: TaskContext
    ) throws(MediaError) {
        track = try AudioTrackReader(file, track: number)
        self.workers = workers
        self.task = task
        let decoder = try AudioDecoder(track.parameters)
        var packets: [AudioPacket] = []
        let format = try Self.firstFormat(track, decoder, &packets)
        let layout = try decoder.channelLayout()
        formats = FormatUnifier(to: format, layout)
        timeline = AudioTimeline(track, format, limits: limits, task: task)
        track.putBack(packets)
        firstPacketOffset = packets.first?.packet.fileOffset
        let parameters = track.parameters
        let preroll = CodecPreroll(parameters, profile: decoder.profile, first: packets[0])
        plan = ChunkPlan(preroll, length: chunkLength ?? ChunkPlan.length(preroll, channelCount: format.channelCount))
        info = AudioInfo(
            container: track.container, codec: parameters.codecName,
            format: AudioFormat(sampleRate: format.sampleRate, channels: layout.channels), sampleType: format.type,
            bitDepth: parameters.bitDepth, isLossless: parameters.isLossless, tracks: [track.track],
            expectedSampleCount: track.gapless?.certainCount ?? track.declaredSampleCount
                ?? track.seconds.flatMap { Int(exactly: ($0 * Double(format.sampleRate)).rounded()) })
    }

    /// Returns the format of the first samples, which containers declare unreliably. `packets` receives the packets
    /// that were read.
    private static func firstFormat(
        _ track: AudioTrackReader, _ decoder: AudioDecoder, _ packets: inout [AudioPacket]
    ) throws(MediaError) -> SampleBuffer.Format {
        FFmpeg.forgetLog()
        var bytes = 0
        var found: SampleBuffer.Format?
        let pool = SampleBufferPool()
        while found == nil, packets.count < maxAttempts.packets, bytes < maxAttempts.bytes {
            let packet = try track.next()
            if let packet {
                packets.append(packet)
                bytes += packet.bytes.count
            }
            try decoder.send(packet, to: pool)
            while let decoded = decoder.next() { found = found ?? decoded.runs.first?.buffer.format }
            if packet == nil { break }
        }
        guard let found else {
            let codec = track.parameters.codecName
            throw MediaError(
                .decoding, step: .decode,
                reason: packets.isEmpty
                    ? "holds no audio: its \(codec) track is empty"
                    : "nothing in it can be decoded as \(codec)" + (FFmpeg.firstLogged.map { " (\($0))" } ?? ""))
        }
        return found
    }

    func next() throws(MediaError) -> AudioBlock? {
        while true {
            if let block = try timeline.next() { return block }
            guard !isFinished else { return nil }
            if let decoded = try decodedPackets().next() {
                notFinite += decoded.notFinite
                try timeline.place(decoded, runs: try formats.convert(decoded.runs))
            } else {
                try finish()
            }
        }
    }

    /// Places the rest at the end of the track.
    private func finish() throws(MediaError) {
        isFinished = true
        if let rest = try formats.finish() { try timeline.extend(rest) }
        try timeline.finish()
        guard timeline.decodedPackets > 0 else {
            throw MediaError(.decoding, step: .decode, reason: "nothing in it can be decoded as \(info.codec)")
        }
    }

    private func decodedPackets() throws(MediaError) -> any DecodedPacketSource {
        if let packets { return packets }
        let opened: any DecodedPacketSource
        if workers > 1, let parallel = ParallelDecoding(track, plan, workers: workers, task: task) {
            opened = parallel
        } else {
            opened = try SerialDecoding(track, plan, task: task)
        }
        packets = opened
        return opened
    }

    func stop() { packets?.stop() }

    var outcome: AudioReadOutcome {
        AudioReadOutcome(
            sampleCount: timeline.sampleCount, skippedBytes: track.skippedBytes, lostPackets: timeline.lostPackets,
            gaps: timeline.gaps, filledSamples: timeline.filled, trimmedSamples: timeline.trimmed,
            isChained: timeline.hasLinks, notFinite: notFinite, repeatedChunks: packets?.repeatedChunks ?? 0)
    }
}

/// Converts samples to the format of a track's first samples if the format changes.
private struct FormatUnifier {
    private let format: SampleBuffer.Format
    private let layout: ChannelLayout
    private var resampler: AudioResampler?

    init(to format: SampleBuffer.Format, _ layout: ChannelLayout) {
        self.format = format
        self.layout = layout
    }

    mutating func convert(_ runs: [SampleRun]) throws(MediaError) -> [SampleRun] {
        guard resampler != nil || !runs.allSatisfy({ $0.buffer.format.isLike(format) }) else { return runs }
        var converted: [SampleRun] = []
        for run in runs {
            if let current = resampler, current.source != run.buffer.format {
                converted.append(try resample(nil, by: current))
                resampler = nil
            }
            if run.buffer.format.isLike(format) {
                converted.append(run)
            } else {
                if resampler == nil { resampler = try makeResampler(from: run.buffer.format) }
                if let resampler { converted.append(try resample(run, by: resampler)) }
            }
        }
        return converted.filter { $0.count > 0 }
    }

    /// Returns the rest of the converted samples at the end of the track.
    mutating func finish() throws(MediaError) -> SampleRun? {
        guard let resampler else { return nil }
        return try resample(nil, by: resampler)
    }

    private func makeResampler(from source: SampleBuffer.Format) throws(MediaError) -> AudioResampler {
        try SharedLibrary.libswresample.require(step: .decode)
        let resampler = AudioResampler(
            from: source, ChannelLayout(count: source.channelCount), to: format, layout)
        guard let resampler else {
            throw MediaError(
                .unsupported, step: .decode,
                reason: "the audio changes to \(source.channelCount) channels at \(source.sampleRate) Hz on its way, "
                    + "which FFmpeg cannot convert")
        }
        return resampler
    }

    private func resample(_ run: SampleRun?, by resampler: AudioResampler) throws(MediaError) -> SampleRun {
        let buffer = SampleBuffer(format)
        let planes = run.map { $0.buffer.planes(at: $0.range.lowerBound) } ?? []
        guard let range = try resampler.convert(planes, count: run?.count, to: buffer) else {
            throw MediaError(
                .limit, step: .decode,
                reason: "the audio changes from \(format.sampleRate) to \(resampler.source.sampleRate) Hz on its way, "
                    + "too far to be converted to one rate")
        }
        return SampleRun(buffer: buffer, range: range)
    }
}
