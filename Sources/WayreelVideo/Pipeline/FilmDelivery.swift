internal import WayreelAV
internal import WayreelCore

/// Makes one MP4 file by a plan: finds the rate factor where a quality is asked for, keeps to a number of bytes, and takes the
/// source over where encoding has only made it larger.
struct FilmDelivery {
    let work: VideoWork

    /// Throws what encoding and writing throw, and an `encoding` error where the file cannot be made to fit.
    func run(_ plan: TranscodePlan, progress: (Double) -> Void) throws(MediaError) -> TranscodedVideo {
        var plan = plan
        var film = try make(try settle(plan), progress)
        if let corrected = try work.audioCheck?.correctedPlan(work.watch) {
            for warning in corrected.warnings where !plan.warnings.contains(warning) {
                work.watch.warn("plan", warning)
            }
            plan = corrected
            film = try make(try settle(plan), progress)
        }
        if film.isMixedCopy { film = try make(try settle(encoded(plan)), progress) }
        let parts = film.parts
        if let spare = try copyInstead(of: film, plan) {
            let copied = try write(spare, progress)
            if !copied.isMixedCopy {
                work.watch.warn("transcode", "encoding would make it larger than it is; it is taken over as it is")
                film = copied
            }
        }
        warnOfQuality(of: film)
        if work.options.tolerance == .warning { try decodeCopies(of: film.plan) }
        let bytes = try work.keeping(parts) { () throws(MediaError) in
            try DamageCheck(plan: plan, tolerance: work.options.tolerance).run(
                seconds: film.seconds, watch: work.watch)
            return try film.file.finish()
        }
        work.clear(parts)
        return TranscodedVideo(plan: film.plan, seconds: film.seconds, frames: film.frames, bytes: bytes)
    }

    /// A file that is complete but for its name.
    private struct Film {
        var plan: TranscodePlan
        var file: SeekableOutput
        var seconds: Double
        var frames: Int
        var pictureBytes: Int
        /// As it was measured; nil where no quality was asked for.
        var similarity: Double?
        var isMixedCopy: Bool
        /// What it was made of, to be removed when it has its name.
        var parts: PartsFolder?
    }

    private func write(
        _ plan: TranscodePlan, pass: Int? = nil, _ progress: (Double) -> Void
    ) throws(MediaError) -> Film {
        let file = try SeekableOutput(work.output)
        let parts = pass == nil ? try work.encodeParts(of: plan, progress) : nil
        return try work.keeping(parts) { () throws(MediaError) in
            let writer = try FilmWriter(
                file, pictureOffset: plan.picture?.timing.offset ?? 0, texts: work.texts,
                streams: plan.source.streams)
            var session = work.session(plan)
            session.pass = pass
            session.parts = parts
            let outcome = try session.run(into: writer, watch: work.watch, progress: progress)
            try writer.finish()
            return Film(
                plan: plan.settled(by: outcome), file: file, seconds: outcome.seconds, frames: outcome.frames,
                pictureBytes: outcome.pictureBytes, similarity: outcome.similarity, isMixedCopy: outcome.isMixedCopy,
                parts: parts)
        }
    }

    // MARK: Quality

    /// The plan with the rate factor that reaches the quality asked for.
    private func settle(_ plan: TranscodePlan) throws(MediaError) -> TranscodePlan {
        guard let picture = plan.picture, picture.action == .transcode, let target = picture.renditions[0].rate.quality
        else { return plan }
        let choice = try FactorSearch(
            picture, of: work.source, seconds: plan.seconds, look: work.look, limits: work.options.limits,
            threads: work.threads,
            watch: work.watch
        ).run(for: target)
        if !choice.isReached {
            work.watch.warn(
                "quality",
                "not even a rate factor of \(choice.factor.shortDescription) reaches a similarity of "
                    + "\((target.similarity * 100).rounded(to: 2)); it comes to \((choice.similarity * 100).rounded(to: 2))"
            )
        }
        var settled = plan
        settled.picture?.renditions[0].rate.factor = choice.factor
        settled.picture?.reasons.append(choice.description)
        return settled
    }

    /// The excerpts that the search looks at may be easier to encode than the rest.
    private func warnOfQuality(of film: Film) {
        guard let picture = film.plan.picture, let target = picture.renditions.first?.rate.quality?.similarity,
            let measured = film.similarity, measured < target - Self.leastMiss
        else { return }
        work.watch.warn(
            "quality",
            "the whole video comes to a similarity of \((measured * 100).rounded(to: 2)), less than the "
                + "\((target * 100).rounded(to: 2)) that were asked for: its samples were easier to encode")
    }

    /// What is too little to be told of.
    private static let leastMiss = 0.00005

    // MARK: Size

    /// Of the work of two passes, what the first takes.
    private static let firstPass = 0.3

    private func make(_ plan: TranscodePlan, _ progress: (Double) -> Void) throws(MediaError) -> Film {
        guard let rendition = plan.picture?.renditions.first, let maxBytes = rendition.rate.maxBytes,
            let bitRate = rendition.rate.bitRate
        else { return try write(plan, progress) }
        let total = plan.seconds ?? 0
        let statistics = try PassStatistics(for: work.output)
        let hasTwo = statistics.options(of: rendition, pass: 1) != nil
        if hasTwo {
            var first = plan
            first.audio = []
            first.picture?.renditions[0].options = statistics.options(of: rendition, pass: 1) ?? [:]
            // What it has to tell is told again by the second.
            var session = work.session(first)
            session.pass = 1
            _ = try session.run(into: DiscardingDestination(), watch: work.watch.companion()) {
                progress($0 * Self.firstPass)
            }
        }
        var film: Film?
        try SizeLimit(maxBytes: maxBytes).fit(bitRate: bitRate) { (bitRate) throws(MediaError) in
            var second = plan
            second.picture?.renditions[0].rate.bitRate = bitRate
            second.picture?.renditions[0].options = statistics.options(of: rendition, pass: 2) ?? rendition.options
            var made = try write(second, pass: hasTwo ? 2 : nil) {
                progress(hasTwo ? total * Self.firstPass + $0 * (1 - Self.firstPass) : $0)
            }
            // Where the statistics lay is no part of what was done.
            made.plan.picture?.renditions[0].options = rendition.options
            film = made
            return SizeLimit.Made(bytes: made.file.byteCount, pictureBytes: made.pictureBytes)
        }
        guard let film else { throw MediaError(.encoding, step: "encode", reason: "nothing was encoded") }
        return film
    }

    // MARK: A copy

    /// The plan that encodes pictures which only looking at all of them has shown to be mixed.
    private func encoded(_ plan: TranscodePlan) throws(MediaError) -> TranscodePlan {
        var options = work.options
        options.picture.alwaysEncodes = true
        var source = plan.source
        // Only those that are marked as interlaced are changed then.
        if let index = plan.picture?.stream { source.streams[index].picture?.scan = .interlaced }
        var encoding = try TranscodePlan(of: source, options)
        encoding.audio = plan.audio
        encoding.picture?.reasons = ["its size or scan changes on the way"]
        return encoding
    }

    /// Decodes what was taken over, only to see whether it is damaged.
    private func decodeCopies(of plan: TranscodePlan) throws(MediaError) {
        let limits = work.options.limits
        if let picture = plan.picture, picture.action == .copy {
            let file = try MediaFile(work.source, limits: limits, watch: work.watch)
            let frames = try FrameSource(file, picture, threads: work.threads, limits: limits, watch: work.watch)
            try frames.run()
            frames.damage.warn(work.watch)
        }
        for sound in plan.audio where sound.action == .copy {
            do throws(MediaError) {
                try SoundTrack.reader(of: work.source, sound, limits: limits, watch: work.watch).read {
                    (_) throws(MediaError) in try work.watch.check()
                }
            } catch {
                guard error.kind == .decoding else { throw error }
                work.watch.warn("sound", error.reason)
            }
        }
    }

    /// The plan that takes the pictures over, where they comply and the file has become larger than the source.
    private func copyInstead(of film: Film, _ plan: TranscodePlan) throws(MediaError) -> TranscodePlan? {
        guard let bytes = plan.source.bytes, film.file.byteCount > bytes, plan.picture?.action == .transcode,
            !work.options.picture.alwaysEncodes
        else { return nil }
        // That it takes more than plenty is no reason against it any more.
        var source = plan.source
        if let index = source.streams.firstIndex(where: { $0.index == plan.picture?.stream }) {
            source.streams[index].bitRate = nil
        }
        var copy = try TranscodePlan(of: source, work.options)
        copy.source = plan.source
        return copy.picture?.action == .copy ? copy : nil
    }
}

extension FactorSearch.Choice: CustomStringConvertible {
    /// `a rate factor of 23.5 comes to a similarity of 97.12 on samples; some 1.2 MB of pictures are to be expected`.
    package var description: String {
        let found =
            "a rate factor of \(factor.shortDescription) comes to a similarity of \((similarity * 100).rounded(to: 2)) on samples"
        guard let bytes else { return found }
        let amount = bytes < 1_000_000 ? "\((bytes + 500) / 1000) kB" : "\((Double(bytes) / 1e6).rounded(to: 1)) MB"
        return found + "; some \(amount) of pictures are to be expected"
    }
}
