package import WayreelAV
package import WayreelCore

/// Carries out a plan: decodes the video once, encodes each rendition and audio track on its own thread, and writes
/// them and the copied streams to a destination.
package struct TranscodeSession {
    let plan: TranscodePlan
    let source: MediaInput
    /// The source, if it is already open.
    let file: Demuxer?
    let effects: Effects
    let limits: VideoLimits
    /// The threads of the video decoder.
    let threads: Int
    /// The number of the pass, if there are two; the options of the rendition contain the path of its statistics.
    var pass: Int?
    /// The video, if it was encoded before.
    package var encoded: (any EncodedVideo)?
    /// Aligns the ends of audio and video.
    package var ending: EndAlignment?
    /// The receiver of thumbnails of the smallest rendition.
    package var thumbnails: ThumbnailRequest?

    package init(
        _ plan: TranscodePlan, of source: MediaInput, _ file: Demuxer?, effects: Effects, limits: VideoLimits,
        threads: Int
    ) {
        self.plan = plan
        self.source = source
        self.file = file
        self.effects = effects
        self.limits = limits
        self.threads = threads
    }

    package struct Outcome: Sendable {
        /// The number of frames of the first rendition.
        package var frames = 0
        /// The length of the output.
        package var seconds = 0.0
        /// Seconds by which the last frame is extended beyond its end in the source.
        package var heldSeconds = 0.0
        /// The size of the packets of the first rendition.
        package var videoBytes = 0
        /// The measured similarity of the first rendition; nil if no quality was asked for.
        package var similarity: Double?
        /// Audio streams that could not be decoded, with the reasons.
        package var lostAudio: [Int: String] = [:]
        /// Whether the frames of a copied video differ in size or scan, which its header does not reveal.
        package var isMixedCopy = false
    }

    /// Runs to the end. The caller finishes the destination.
    ///
    /// `progress` gets the position in seconds of output. Throws the first error of its threads.
    package func run(
        into destination: any TrackDestination, task: TaskContext, progress: (Double) -> Void
    ) throws(MediaError) -> Outcome {
        // Only copied streams are read from this file; decoders open their own.
        let file = plan.copiesAny ? try unreadFile(task) : nil
        var threads = Threads()
        var outcome = Outcome()
        if let video = plan.video {
            if let file, video.action == .copy {
                prepareCopy(of: video, file)
                threads.copies[video.stream] = try destination.sink(
                    forRendition: 0, copyOf: video.stream, of: file)
            } else if let encoded {
                try addRemux(of: encoded, video, to: &threads, destination, task)
            } else {
                try addEncoders(of: video, to: &threads, destination, task)
            }
        }
        for track in plan.audio {
            if let file, track.action == .copy {
                threads.copies[track.stream] = try destination.audioSink(copyOf: track.stream, of: file)
                continue
            }
            // Audio that cannot be decoded does not fail the video.
            do throws(MediaError) { try addEncoder(of: track, to: &threads, destination, task) } catch {
                guard plan.video != nil, error.kind == .decoding || error.kind == .unsupported else { throw error }
                task.warn("audio", "\(error.reason); it is left out")
                outcome.lostAudio[track.stream] = error.reason
            }
        }
        if let file { addCopy(of: file, to: &threads, task) }
        try destination.begin()
        try threads.run(stop: { destination.stop() }, task: task) { seconds in
            outcome.seconds = max(outcome.seconds, seconds)
            // The positions of two streams may alternate.
            progress(outcome.seconds)
        }
        report(threads, file, to: &outcome, task)
        return outcome
    }

    private func report(_ threads: Threads, _ file: Demuxer?, to outcome: inout Outcome, _ task: TaskContext) {
        threads.decoding?.tally.check(written: threads.encoders.map(\.result.frames), task)
        let made = encoded?.first ?? threads.encoders.first?.result ?? EncodedRendition()
        outcome.heldSeconds = encoded?.heldSeconds ?? threads.decoding?.heldSeconds ?? 0
        (outcome.frames, outcome.videoBytes) = (made.frames, made.bytes)
        outcome.similarity = made.quality?.similarity
        if let file, let video = plan.video, video.action == .copy {
            outcome.isMixedCopy = file.changesSize(of: video.stream) || file.changesScan(of: video.stream)
        }
    }

    /// Returns the open file if nothing was read from it, which saves opening it again.
    private func unreadFile(_ task: TaskContext) throws(MediaError) -> Demuxer {
        if let file, file.isUnread { return file }
        return try Demuxer(source, limits: limits, task: task)
    }

    private func prepareCopy(of video: VideoPlan, _ file: Demuxer) {
        // Containers without an index round timestamps.
        if let rate = video.timing.grid, !file.hasIndex(of: video.stream) {
            file.alignTimestamps(of: video.stream, rate: rate, offset: video.timing.offset)
        }
        file.trackFormatChanges(of: video.stream)
    }
}

extension TranscodePlan {
    /// Returns the plan as it was carried out.
    package func completed(by outcome: TranscodeSession.Outcome) -> TranscodePlan {
        var plan = self
        for (stream, reason) in outcome.lostAudio.sorted(by: { $0.key < $1.key }) {
            plan.audio.removeAll { $0.stream == stream }
            plan.dropped.append(DroppedStream(stream: stream, kind: .audio, reason: reason))
        }
        return plan
    }
}
