internal import WayreelAV
internal import WayreelCore

/// Decodes the audio that is to be taken over, so that nothing is handed on that does not decode. AAC decodes at more than a thousand
/// times its speed.
struct AudioCopyCheck {
    let source: AudioSource
    /// The same, open already; nothing is read of it.
    let file: MediaFile?
    let options: TranscodeOptions

    /// Threads that decode.
    private static let workers = 2

    /// The plan, or where its audio is damaged, one that encodes what can be decoded of it, with a warning.
    func run(_ plan: TranscodePlan, watch: TaskWatch) throws(MediaError) -> TranscodePlan {
        var damaged = plan.source
        for sound in plan.audio where sound.action == .copy {
            guard let fault = try fault(of: sound, plan.source, watch) else { continue }
            watch.warn("sound", "\(fault); it is encoded anew from what can be decoded")
            damaged.streams[sound.stream].irregularities.append(fault)
        }
        guard damaged != plan.source else { return plan }
        return try TranscodePlan(of: damaged, options)
    }

    /// What is wrong with the audio; nil where all of it decodes as its header says.
    private func fault(
        of sound: SoundPlan, _ info: MediaInfo, _ watch: TaskWatch
    ) throws(MediaError) -> String? {
        let own = watch.companion()
        let limits = AudioLimits(audioSeconds: options.limits.videoSeconds, seconds: options.limits.seconds)
        do throws(MediaError) {
            let reader = try AudioReader(
                source, track: sound.track, limits: limits, workers: Self.workers, watch: own)
            let told = info.streams[sound.stream].format
            if let told,
                told.sampleRate != reader.info.format.sampleRate
                    || told.channels.count != reader.info.format.channels.count
            {
                return "its header does not tell the format of its packets"
            }
            if let count = try configuredChannels(of: sound, own), count != reader.info.format.channels.count {
                return "its header tells of \(count) channels, its packets of \(reader.info.format.channels.count)"
            }
            let outcome = try watch.span("check audio") { () throws(MediaError) in
                try reader.read { (_) throws(MediaError) in try own.check() }
            }
            return outcome.lostPackets > 0 ? "packets of it that cannot be decoded: \(outcome.lostPackets)" : nil
        } catch {
            guard error.kind == .decoding || error.kind == .unsupported else { throw error }
            return error.reason
        }
    }

    /// The channels that the AudioSpecificConfig tells of (ISO/IEC 14496-3, 1.6.2.1); nil where it does not say, or has an unusual
    /// form.
    private func configuredChannels(of sound: SoundPlan, _ watch: TaskWatch) throws(MediaError) -> Int? {
        var opened = file
        if opened == nil { opened = try MediaFile(source, limits: options.limits, watch: watch) }
        let bytes = opened?.extraData(of: sound.stream) ?? []
        var cursor = ByteCursor(bytes, 0..<bytes.count)
        // Five bits of the object type, four of the sample rate, four of the channels.
        guard let word = cursor.number(2), word >> 11 != 31, word >> 7 & 15 != 15 else { return nil }
        let channels = word >> 3 & 15
        return (1...7).contains(channels) ? (channels == 7 ? 8 : channels) : nil
    }
}
