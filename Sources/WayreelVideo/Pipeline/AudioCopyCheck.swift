internal import WayreelAV
internal import WayreelCore

/// Decodes the audio that a plan copies, on its own thread, so that no output contains audio that does not decode.
final class AudioCopyCheck: Sendable {
    private let cancellation = Cancellation()
    private let faults = BoundedQueue<[Int: String]>(limit: 1)
    private let thread: WorkThread

    /// Starts decoding. `source` is the file of `plan`.
    ///
    /// Throws a `limit` error if the system refuses a thread.
    init(of plan: TranscodePlan, _ source: MediaInput, limits: VideoLimits, task: TaskContext) throws(MediaError) {
        let own = task.child()
        let (faults, cancellation) = (faults, cancellation)
        let decoding = CopiedAudioDecoding(plan: plan, source: source, limits: limits, task: own)
        thread = try WorkThread("check audio") {
            defer { own.countThread() }
            do throws(MediaError) {
                _ = faults.put(try own.span("check audio") { () throws(MediaError) in try decoding.run(cancellation) })
                faults.finish()
            } catch {
                faults.finish(error)
            }
        }
    }

    deinit {
        cancellation.cancel()
        thread.join()
    }

    /// Waits for the end. Returns the damage by stream; empty if all audio decodes.
    ///
    /// Must be called once.
    func damage() throws(MediaError) -> [Int: String] { try faults.take() ?? [:] }
}

/// Decodes all packets of the copied audio streams.
private struct CopiedAudioDecoding: Sendable {
    let plan: TranscodePlan
    let source: MediaInput
    let limits: VideoLimits
    let task: TaskContext

    /// Returns the damage by stream; no entry for audio that decodes as its header describes.
    func run(_ cancellation: Cancellation) throws(MediaError) -> [Int: String] {
        let copied = plan.audio.filter { $0.action == .copy }.map(\.stream)
        let isProbed = !ContainerTraits(demuxer: plan.source.container).describesEveryStream
        let file = try Demuxer(source, isProbed: isProbed, limits: limits, task: task)
        file.select(Set(copied))
        var faults: [Int: String] = [:]
        var decoders: [Int: StrictDecoder] = [:]
        for stream in copied {
            do throws(MediaError) {
                decoders[stream] = try StrictDecoder(
                    file, stream: stream, threads: 1, concealsErrors: true, limits: limits)
            } catch {
                guard error.kind == .decoding || error.kind == .unsupported else { throw error }
                faults[stream] = error.reason
            }
        }
        while !decoders.isEmpty, !cancellation.isCancelled, let packet = try file.next() {
            try task.check()
            try decoders[packet.stream]?.decode(packet)
        }
        for (stream, decoder) in decoders {
            try decoder.decode(nil)
            faults[stream] = fault(
                of: stream, decoder, configuredChannels: Self.channelCount(file.extraData(of: stream)))
        }
        return faults
    }

    private func fault(of stream: Int, _ decoder: StrictDecoder, configuredChannels: Int?) -> String? {
        let header = plan.source.streams[stream]
        guard let format = decoder.audioFormat else { return "nothing can be decoded as \(header.codec)" }
        if let stated = header.format,
            stated.sampleRate != format.sampleRate || stated.channels.count != format.channelCount
        {
            return "its header does not describe its packets"
        }
        if let configuredChannels, configuredChannels != format.channelCount {
            return "its header says \(configuredChannels) channels, its packets \(format.channelCount)"
        }
        return decoder.errorCount > 0 ? "packets that cannot be decoded: \(decoder.errorCount)" : nil
    }

    /// Returns the channel count of an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), or nil if it has none or has
    /// an unusual form.
    private static func channelCount(_ configuration: [UInt8]) -> Int? {
        guard configuration.count >= 2 else { return nil }
        // Five bits of the object type, four of the sample rate, four of the channels.
        let word = Int(configuration[0]) << 8 | Int(configuration[1])
        guard word >> 11 != 31, word >> 7 & 15 != 15 else { return nil }
        let channels = word >> 3 & 15
        return (1...7).contains(channels) ? (channels == 7 ? 8 : channels) : nil
    }
}
