internal import WayreelAV
internal import WayreelCore

/// Decodes audio that is to be copied, so that nothing is delivered that does not decode. AAC decodes at more than a thousand times
/// real time.
struct AudioCopyCheck {
    let source: MediaInput
    /// The source, open and unread.
    let file: Demuxer?
    let options: TranscodeOptions

    /// Decoding threads.
    private static let workers = 2

    /// The plan or, where its audio is damaged, one that encodes what can be decoded, with a warning.
    func run(_ plan: TranscodePlan, watch: TaskWatch) throws(MediaError) -> TranscodePlan {
        var damaged = plan.source
        for track in plan.audio where track.action == .copy {
            guard let fault = try fault(of: track, plan.source, watch) else { continue }
            watch.warn("audio", "\(fault); it is re-encoded from what can be decoded")
            guard let index = damaged.streams.firstIndex(where: { $0.index == track.stream }) else { continue }
            damaged.streams[index].irregularities.append(fault)
        }
        guard damaged != plan.source else { return plan }
        return try TranscodePlan(of: damaged, options)
    }

    /// The fault of a track; nil where all of it decodes as its header says.
    private func fault(
        of track: AudioPlan, _ info: MediaInfo, _ watch: TaskWatch
    ) throws(MediaError) -> String? {
        let own = watch.companion()
        let limits = AudioLimits(soundSeconds: options.limits.videoSeconds, seconds: options.limits.seconds)
        do throws(MediaError) {
            let reader = try AudioReader(
                source, track: track.track, limits: limits, workers: Self.workers, watch: own)
            let described = info.stream(track.stream)?.format
            if let described,
                described.sampleRate != reader.info.format.sampleRate
                    || described.channels.count != reader.info.format.channels.count
            {
                return "its header does not describe its packets"
            }
            if let count = try configuredChannels(of: track, own), count != reader.info.format.channels.count {
                return "its header says \(count) channels, its packets \(reader.info.format.channels.count)"
            }
            let outcome = try watch.span("check audio") { () throws(MediaError) in
                try reader.read { (_) throws(MediaError) in try own.check() }
            }
            return outcome.lostPackets > 0 ? "packets that cannot be decoded: \(outcome.lostPackets)" : nil
        } catch {
            guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            return error.reason
        }
    }

    /// The number of channels in the AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1); nil where it is absent or has another form.
    private func configuredChannels(of track: AudioPlan, _ watch: TaskWatch) throws(MediaError) -> Int? {
        var opened = file
        if opened == nil { opened = try Demuxer(source, limits: options.limits, watch: watch) }
        let bytes = opened?.extraData(of: track.stream) ?? []
        guard bytes.count >= 2 else { return nil }
        // Five bits of the object type, four of the sample rate, four of the channels.
        let word = Int(bytes[0]) << 8 | Int(bytes[1])
        guard word >> 11 != 31, word >> 7 & 15 != 15 else { return nil }
        let channels = word >> 3 & 15
        return (1...7).contains(channels) ? (channels == 7 ? 8 : channels) : nil
    }
}
