internal import WayreelCore

/// Checks of the master playlist, and comparisons between renditions.
extension HLSValidator {
    /// A variant with its renditions.
    struct Combination {
        var variant: MasterPlaylist.Variant
        var rendition: MeasuredRendition
        /// The renditions of the variant's audio group.
        var audio: [MeasuredRendition]

        /// Whether everything that the variant refers to could be read.
        var isComplete: Bool
        var isWhole: Bool { isComplete && rendition.isWhole && audio.allSatisfy(\.isWhole) }

        /// Returns the bits per second of the rendition plus the audio with the highest rate. Throws the errors of
        /// `task`.
        func rates(_ task: TaskContext) throws(MediaError) -> (peak: Int, average: Int) {
            let video = try rendition.rates(task)
            let audio = try audio.map { (track) throws(MediaError) in try track.rates(task) }
            return (
                video.peak + (audio.map(\.peak).max() ?? 0), video.average + (audio.map(\.average).max() ?? 0)
            )
        }
    }

    func check(
        _ combination: Combination, location: String, _ findings: inout HLSFindings, task: TaskContext
    ) throws(MediaError) {
        let variant = combination.variant
        checkCodecs(combination, location, &findings)
        try checkRates(combination, location, &findings, task)
        guard let video = combination.rendition.first?.video else { return }
        checkSize(variant.size, of: video, location, &findings)
        checkRange(variant.videoRange, of: video, location, &findings)
        guard let rate = combination.rendition.frameRate, combination.rendition.isWhole else { return }
        guard let stated = variant.frameRate else {
            return findings.add(.frameRate, location, "there is no FRAME-RATE", expected: rate.average.formatted(3))
        }
        if stated > 60.001 {
            findings.add(.frameRateLimit, location, "FRAME-RATE is \(stated.formatted(3))", expected: "60 at most")
        }
        if stated < 0.99 * rate.average || stated > 1.01 * rate.max {
            findings.add(
                .frameRate, location, "FRAME-RATE is \(stated.formatted(3))",
                expected: "\(rate.average.formatted(3)), as the frames come")
        }
    }

    private func checkCodecs(_ combination: Combination, _ location: String, _ findings: inout HLSFindings) {
        guard let stated = combination.variant.codecs else {
            return findings.add(.codecs, location, "there is no CODECS")
        }
        guard combination.isComplete else { return }
        let parts = ([combination.rendition] + combination.audio).map(\.codecs)
        let real = Set(parts.compactMap(\.self).joined().map(Self.comparable))
        guard !real.isEmpty, parts.allSatisfy({ $0 != nil }) else { return }
        let names = Set(stated.split(separator: ",").map { Self.comparable(String($0.filter { $0 != " " })) })
        if names != real {
            findings.add(
                .codecs, location, "CODECS is '\(stated)'",
                expected: parts.compactMap(\.self).joined().reduce(into: [String]()) { list, codec in
                    if !list.contains(codec) { list.append(codec) }
                }.joined(separator: ","))
        }
    }

    /// Returns a name that is equal for names of the same codec: AAC-LC may carry an extension that makes it HE-AAC,
    /// and AV1 has optional parts.
    private static func comparable(_ codec: String) -> String {
        let name = codec.lowercased()
        if ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29"].contains(name) { return "mp4a.40.2" }
        if name.hasPrefix("av01.") { return name.split(separator: ".").prefix(4).joined(separator: ".") }
        return name
    }

    func checkChannels(
        _ member: MasterPlaylist.Rendition, _ track: MeasuredRendition, _ location: String,
        _ findings: inout HLSFindings
    ) {
        // Parameters of the channels follow a slash.
        guard let stated = member.channels, let real = track.first?.audio?.channelCount,
            stated.prefix(while: { $0 != "/" }) != "\(real)"
        else { return }
        findings.add(.audioChannels, location, "CHANNELS is '\(stated)'", expected: "\(real)")
    }

    func checkSize(
        _ stated: PixelSize?, of video: SegmentContent.Track, _ location: String, _ findings: inout HLSFindings
    ) {
        guard let size = video.sizes.first, !video.sizes.contains(where: { $0 == stated }) else { return }
        findings.add(
            .resolution, location, stated.map { "RESOLUTION is \($0.width)x\($0.height)" } ?? "there is no RESOLUTION",
            expected: "\(size.width)x\(size.height)")
    }

    /// Checks the video range; a variant without `VIDEO-RANGE` is SDR.
    func checkRange(
        _ stated: String?, of video: SegmentContent.Track, _ location: String, _ findings: inout HLSFindings
    ) {
        guard let transfer = video.transfer else { return }
        let range = VideoColor(transfer: transfer).dynamicRange.rawValue.uppercased()
        guard (stated ?? "SDR") != range else { return }
        findings.add(
            .videoRange, location, stated.map { "VIDEO-RANGE is \($0)" } ?? "there is no VIDEO-RANGE",
            expected: "\(range): the transfer function of the frames is \(transfer)")
    }

    /// Checks for repeated variants; one with other audio or subtitles is not a repetition.
    func checkRepetition(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var lines: [[String]: Int] = [:]
        for variant in master.variants {
            let key = [variant.uri] + variant.groups
            if let line = lines[key] {
                findings.add(
                    .repeatedVariant, "\(name):\(variant.line)", "\(variant.uri) is named again",
                    expected: "the variant of line \(line) alone")
            } else {
                lines[key] = variant.line
            }
        }
    }

    /// Checks the groups: a player shows the names of a group, and plays its default (RFC 8216, section 4.3.4.1.1).
    func checkGroups(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var names: [[String]: Int] = [:]
        var defaults: [[String]: Int] = [:]
        for rendition in master.renditions {
            let group = [rendition.type, rendition.group]
            let location = "\(name):\(rendition.line)"
            if let line = names[group + [rendition.name]] {
                findings.add(
                    .renditionGroup, location,
                    "NAME is '\(rendition.name)' again in the group '\(rendition.group)'",
                    expected: "another name than in line \(line)")
            }
            names[group + [rendition.name]] = rendition.line
            guard rendition.isDefault else { continue }
            if let line = defaults[group] {
                findings.add(
                    .renditionGroup, location, "DEFAULT is YES again in the group '\(rendition.group)'",
                    expected: "NO: the default is in line \(line)")
            }
            defaults[group] = rendition.line
        }
    }

    private func checkRates(
        _ combination: Combination, _ location: String, _ findings: inout HLSFindings, _ task: TaskContext
    ) throws(MediaError) {
        guard combination.isWhole else { return }
        let rates = try combination.rates(task)
        compare(combination.variant.bandwidth, rates.peak, "BANDWIDTH", .bandwidth, location, &findings)
        compare(
            combination.variant.averageBandwidth, rates.average, "AVERAGE-BANDWIDTH", .averageBandwidth, location,
            &findings)
        if rates.peak > 2 * rates.average {
            findings.add(
                .peakRate, location, "the peak is \(rates.peak) bits per second",
                expected: "\(2 * rates.average) at most, twice the average")
        }
    }

    func compare(
        _ stated: Int?, _ real: Int, _ name: String, _ rule: HLSRule, _ location: String, _ findings: inout HLSFindings
    ) {
        guard let stated else { return findings.add(rule, location, "there is no \(name)", expected: "\(real)") }
        if abs(Double(stated) - Double(real)) > 0.1 * Double(real) {
            findings.add(rule, location, "\(name) is \(stated)", expected: "\(real), within 10 %")
        }
    }

    /// Checks that players can switch between all renditions.
    func checkAlignment(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        checkDiscontinuities(renditions, &findings)
        checkStarts(renditions, &findings)
        let video = renditions.filter { $0.isVideo && $0.isWhole }
        guard let first = video.first else { return }
        for other in video.dropFirst() {
            let near = max(first.step, other.step) / 2 + 0.002
            if let (found, wanted) = Self.difference(other.starts, first.starts, within: near) {
                findings.add(
                    .alignedSegments, other.path, "a segment begins at \(found)",
                    expected: "\(wanted), as in \(first.path)")
            } else if let (found, wanted) = Self.difference(other.keyTimes, first.keyTimes, within: near) {
                findings.add(
                    .alignedKeyFrames, other.path, "an IDR frame is at \(found)",
                    expected: "\(wanted), as in \(first.path)")
            }
        }
        let longest = video.map(\.seconds).max() ?? 0
        for other in renditions where other.isWhole {
            let limit = other.isVideo ? max(0.1, 2 * other.step) : 0.5
            guard longest - other.seconds > limit || other.seconds - longest > 0.5 else { continue }
            findings.add(
                .matchingDurations, other.path, "it lasts \(other.seconds.formatted(3)) s",
                expected: "\(longest.formatted(3)) s, as the others")
        }
    }

    /// Checks the start times: players align renditions by timestamps on a shared clock, at the beginning and after
    /// each discontinuity.
    private func checkStarts(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        guard let first = renditions.first(where: \.isVideo) ?? renditions.first else { return }
        for other in renditions where other.discontinuities == first.discontinuities {
            for (wanted, found) in zip(first.sections, other.sections) {
                guard let start = wanted.content?.leading?.start, let content = found.content else { continue }
                let late = content.tracks.first { track in
                    let limit = track.isVideo && first.isVideo ? max(0.1, 2 * track.step) : Self.maxAudioShift
                    return abs(Self.unwrapped(track.start - start, content.format)) > limit
                }
                guard let late else { continue }
                findings.add(
                    .alignedStarts, "\(other.path):\(found.line)",
                    "the \(late.isVideo ? "video" : "audio") begins at \(late.start.formatted(3)) s",
                    expected: "\(start.formatted(3)) s, as in \(first.path)")
                break
            }
        }
    }

    /// The maximum offset between audio and video in seconds: an encoder adds samples, and recordings rarely start
    /// both at the same time.
    private static let maxAudioShift = 0.5

    /// Checks the discontinuities, which players count to match the parts of renditions (RFC 8216, section 6.2.4).
    private func checkDiscontinuities(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        guard let first = renditions.first else { return }
        for other in renditions.dropFirst() where other.discontinuities != first.discontinuities {
            findings.add(
                .alignedDiscontinuities, other.path, "\(other.discontinuities) segments begin with EXT-X-DISCONTINUITY",
                expected: "\(first.discontinuities), as in \(first.path)")
        }
    }

    /// Returns a description of the first difference between two lists of times.
    private static func difference(
        _ a: [Double], _ b: [Double], within near: Double
    ) -> (found: String, wanted: String)? {
        if let index = zip(a, b).map({ abs($0 - $1) > near }).firstIndex(of: true) {
            return ("\(a[index].formatted(3)) s", "\(b[index].formatted(3)) s")
        }
        guard a.count != b.count else { return nil }
        let common = min(a.count, b.count)
        return (
            a.count > common ? "\(a[common].formatted(3)) s" : "no time after \((a.last ?? 0).formatted(3)) s",
            b.count > common ? "\(b[common].formatted(3)) s" : "none"
        )
    }
}
