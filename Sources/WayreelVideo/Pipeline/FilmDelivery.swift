internal import FoundationEssentials
internal import WayreelAV
internal import WayreelCore

/// Makes one MP4 file by a plan: finds the rate factor where a quality is asked for, keeps to a number of bytes, and takes the
/// source over where encoding has only made it larger.
struct FilmDelivery {
    let source: AudioSource
    let options: TranscodeOptions
    let look: Look
    let threads: Int
    let output: String
    let watch: TaskWatch

    struct Outcome {
        /// As it was carried out.
        var plan: TranscodePlan
        var seconds: Double
        var frames: Int
        var bytes: Int
    }

    /// Throws what encoding and writing throw, and an `encoding` error where the file cannot be made to fit.
    func run(_ plan: TranscodePlan, progress: (Double) -> Void) throws(MediaError) -> Outcome {
        let settled = try settle(plan)
        var film = try make(settled, progress)
        let parts = film.parts
        if let spare = try copyInstead(of: film, plan) {
            watch.warn("transcode", "encoding would make it larger than it is; it is taken over as it is")
            film = try write(spare, progress)
        }
        try DamageCheck(plan: plan, tolerance: options.tolerance).run(seconds: film.seconds, watch: watch)
        let bytes = try film.file.finish()
        parts?.remove()
        return Outcome(plan: film.plan, seconds: film.seconds, frames: film.frames, bytes: bytes)
    }

    /// A file that is complete but for its name.
    private struct Film {
        var plan: TranscodePlan
        var file: SeekableOutput
        var seconds: Double
        var frames: Int
        var pictureBytes: Int
        /// What it was made of, to be removed when it has its name.
        var parts: PartsFolder?
    }

    private func write(
        _ plan: TranscodePlan, pass: Int? = nil, _ progress: (Double) -> Void
    ) throws(MediaError) -> Film {
        let file = try SeekableOutput(output)
        let parts = pass == nil ? try encodeParts(plan, progress) : nil
        let writer = try FilmWriter(file)
        var session = session(plan, pass: pass)
        session.parts = parts
        let outcome = try session.run(into: writer, watch: watch, progress: progress)
        try writer.finish()
        return Film(
            plan: plan, file: file, seconds: outcome.seconds, frames: outcome.frames,
            pictureBytes: outcome.pictureBytes, parts: parts)
    }

    private func session(_ plan: TranscodePlan, pass: Int?) -> TranscodeSession {
        var session = TranscodeSession(plan, of: source, look: look, limits: options.limits, threads: threads)
        session.pass = pass
        return session
    }

    // MARK: Parts

    /// Videos of so many seconds are encoded in parts unless the options say otherwise.
    private static let longSeconds = 600.0

    /// The folder with all parts of the pictures; nil where they are not to be encoded so.
    private func encodeParts(
        _ plan: TranscodePlan, _ progress: (Double) -> Void
    ) throws(MediaError) -> PartsFolder? {
        guard let picture = plan.picture, picture.action == .transcode, picture.renditions[0].rate.maxBytes == nil,
            options.isResumable ?? (plan.source.seconds ?? 0 >= Self.longSeconds)
        else { return nil }
        // Of a pipe, and for one, there is nothing to go on with in another run.
        guard output != "-", let identity = identity(of: plan) else {
            guard options.isResumable == true else { return nil }
            throw MediaError(
                .parameter, step: "plan", reason: "what comes or goes through a pipe cannot be resumed",
                advice: "name files")
        }
        let file = try MediaFile(source, limits: options.limits, watch: watch)
        let folder = try PartsFolder(
            beside: output, identity: identity,
            start: PartsFolder.Start(sourceTime: .min, clock: FrameSource.clock(of: picture, file)))
        let parts = PartedEncoding(
            picture: picture, source: source, look: look, limits: options.limits, threads: threads, folder: folder)
        do throws(MediaError) {
            try parts.run(watch: watch, progress: progress)
        } catch {
            let count = folder.parts.count
            if count > 0 {
                watch.warn(
                    "transcode", "\(count) finished parts are kept in \(folder.path): run the same again to go on")
            } else {
                folder.remove()
            }
            throw error
        }
        return folder
    }

    /// What parts belong to: the plan and the look, and the file by its place, size and time; nil for a pipe.
    private func identity(of plan: TranscodePlan) -> String? {
        guard let path = source.path, !path.hasPrefix("/proc/self/fd/"), let file = FileIdentity.stamp(of: path) else {
            return nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let parts = [try? encoder.encode(plan), try? encoder.encode(options.picture)]
        guard let first = parts[0], let second = parts[1] else { return nil }
        return [first, second].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") + "\n\(file)"
    }

    // MARK: Quality

    /// The plan with the rate factor that reaches the quality asked for.
    private func settle(_ plan: TranscodePlan) throws(MediaError) -> TranscodePlan {
        guard let picture = plan.picture, picture.action == .transcode, let target = picture.renditions[0].rate.quality
        else { return plan }
        let choice = try FactorSearch(
            picture, of: source, seconds: plan.source.seconds, look: look, limits: options.limits, threads: threads,
            watch: watch
        ).run(for: target)
        if !choice.isReached {
            watch.warn(
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

    // MARK: Size

    /// Of the work of two passes, what the first takes.
    private static let firstPass = 0.3

    private func make(_ plan: TranscodePlan, _ progress: (Double) -> Void) throws(MediaError) -> Film {
        guard let rendition = plan.picture?.renditions.first, let maxBytes = rendition.rate.maxBytes,
            let bitRate = rendition.rate.bitRate
        else { return try write(plan, progress) }
        let total = plan.source.seconds ?? 0
        let statistics = try PassStatistics()
        let hasTwo = statistics.options(of: rendition, pass: 1) != nil
        if hasTwo {
            var first = plan
            first.sound = nil
            first.picture?.renditions[0].options = statistics.options(of: rendition, pass: 1) ?? [:]
            // What it has to tell is told again by the second.
            _ = try session(first, pass: 1).run(into: DiscardingDestination(), watch: watch.companion()) {
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

    /// The plan that takes the pictures over, where they comply and the file has become larger than the source.
    private func copyInstead(of film: Film, _ plan: TranscodePlan) throws(MediaError) -> TranscodePlan? {
        guard let bytes = plan.source.bytes, film.file.byteCount > bytes, plan.picture?.action == .transcode else {
            return nil
        }
        var plain = options
        plain.picture.alwaysEncodes = false
        let copy = try TranscodePlan(of: plan.source, plain)
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
