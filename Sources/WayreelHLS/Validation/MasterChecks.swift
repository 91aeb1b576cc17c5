internal import WayreelCore

/// What is asked of the master playlist, and of the renditions compared with each other.
extension HLSValidator {
    /// A variant with what it plays.
    struct Combination {
        var variant: MasterPlaylist.Variant
        var rendition: MeasuredRendition
        /// The renditions of its group of sound.
        var sounds: [MeasuredRendition]

        /// Whether all that the variant names could be read.
        var isComplete: Bool
        var isWhole: Bool { isComplete && rendition.isWhole && sounds.allSatisfy(\.isWhole) }
        /// Bits per second: of the rendition and the most demanding sound.
        var peak: Int { rendition.rates.peak + (sounds.map(\.rates.peak).max() ?? 0) }
        var average: Int { rendition.rates.average + (sounds.map(\.rates.average).max() ?? 0) }
    }

    func check(_ combination: Combination, place: String, _ findings: inout HLSFindings) {
        let variant = combination.variant
        checkCodecs(combination, place, &findings)
        checkRates(combination, place, &findings)
        guard let picture = combination.rendition.first?.picture else { return }
        checkSize(variant.size, of: picture, place, &findings)
        checkRange(variant.videoRange, of: picture, place, &findings)
        guard let rate = combination.rendition.frameRate, combination.rendition.isWhole else { return }
        guard let told = variant.frameRate else {
            return findings.add(.frameRate, place, "there is no FRAME-RATE", expected: rate.average.decimals(3))
        }
        if told > 60.001 {
            findings.add(.frameRateLimit, place, "FRAME-RATE is \(told.decimals(3))", expected: "60 at most")
        }
        if told < 0.99 * rate.average || told > 1.01 * rate.most {
            findings.add(
                .frameRate, place, "FRAME-RATE is \(told.decimals(3))",
                expected: "\(rate.average.decimals(3)), as the frames come")
        }
    }

    private func checkCodecs(_ combination: Combination, _ place: String, _ findings: inout HLSFindings) {
        guard let told = combination.variant.codecs else {
            return findings.add(.codecs, place, "there is no CODECS")
        }
        guard combination.isComplete else { return }
        let parts = ([combination.rendition] + combination.sounds).map(\.codecs)
        let real = Set(parts.compactMap(\.self).joined().map(Self.comparable))
        guard !real.isEmpty, parts.allSatisfy({ $0 != nil }) else { return }
        let names = Set(told.split(separator: ",").map { Self.comparable(String($0.filter { $0 != " " })) })
        if names != real {
            findings.add(
                .codecs, place, "CODECS is '\(told)'",
                expected: parts.compactMap(\.self).joined().reduce(into: [String]()) { list, codec in
                    if !list.contains(codec) { list.append(codec) }
                }.joined(separator: ","))
        }
    }

    /// Names of the same codec that may stand for each other: AAC-LC may carry a part that makes it HE-AAC, and AV1 has parts
    /// that may be left out.
    private static func comparable(_ codec: String) -> String {
        let name = codec.lowercased()
        if ["mp4a.40.2", "mp4a.40.5", "mp4a.40.29"].contains(name) { return "mp4a.40.2" }
        if name.hasPrefix("av01.") { return name.split(separator: ".").prefix(4).joined(separator: ".") }
        return name
    }

    func checkChannels(
        _ member: MasterPlaylist.Rendition, _ sound: MeasuredRendition, _ place: String, _ findings: inout HLSFindings
    ) {
        // Behind a slash there is more of the kind of sound.
        guard let told = member.channels, let real = sound.first?.sound?.channelCount,
            told.prefix(while: { $0 != "/" }) != "\(real)"
        else { return }
        findings.add(.soundChannels, place, "CHANNELS is '\(told)'", expected: "\(real)")
    }

    func checkSize(
        _ told: PixelSize?, of picture: SegmentContent.Track, _ place: String, _ findings: inout HLSFindings
    ) {
        guard let size = picture.sizes.first, !picture.sizes.contains(where: { $0 == told }) else { return }
        findings.add(
            .resolution, place, told.map { "RESOLUTION is \($0.width)x\($0.height)" } ?? "there is no RESOLUTION",
            expected: "\(size.width)x\(size.height)")
    }

    /// A variant without `VIDEO-RANGE` is SDR.
    func checkRange(
        _ told: String?, of picture: SegmentContent.Track, _ place: String, _ findings: inout HLSFindings
    ) {
        guard let transfer = picture.transfer else { return }
        let range = VideoColor(transfer: transfer).dynamicRange.rawValue.uppercased()
        guard (told ?? "SDR") != range else { return }
        findings.add(
            .videoRange, place, told.map { "VIDEO-RANGE is \($0)" } ?? "there is no VIDEO-RANGE",
            expected: "\(range): the transfer function of the frames is \(transfer)")
    }

    /// The same variant with other audio or subtitles is another one.
    func checkRepetition(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var lines: [[String]: Int] = [:]
        for variant in master.variants {
            let key = [variant.uri] + variant.groups
            if let line = lines[key] {
                findings.add(
                    .repeatedVariant, "\(name):\(variant.line)", "\(variant.uri) is named once more",
                    expected: "the variant of line \(line) alone")
            } else {
                lines[key] = variant.line
            }
        }
    }

    /// A player shows the names of a group, and plays its default (RFC 8216, section 4.3.4.1.1).
    func checkGroups(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var names: [[String]: Int] = [:]
        var defaults: [[String]: Int] = [:]
        for rendition in master.renditions {
            let group = [rendition.type, rendition.group]
            let place = "\(name):\(rendition.line)"
            if let line = names[group + [rendition.name]] {
                findings.add(
                    .renditionGroup, place, "NAME is '\(rendition.name)' once more in the group '\(rendition.group)'",
                    expected: "another name than in line \(line)")
            }
            names[group + [rendition.name]] = rendition.line
            guard rendition.isDefault else { continue }
            if let line = defaults[group] {
                findings.add(
                    .renditionGroup, place, "DEFAULT is YES once more in the group '\(rendition.group)'",
                    expected: "NO: the default is in line \(line)")
            }
            defaults[group] = rendition.line
        }
    }

    private func checkRates(_ combination: Combination, _ place: String, _ findings: inout HLSFindings) {
        guard combination.isWhole else { return }
        compare(combination.variant.bandwidth, combination.peak, "BANDWIDTH", .bandwidth, place, &findings)
        compare(
            combination.variant.averageBandwidth, combination.average, "AVERAGE-BANDWIDTH", .averageBandwidth, place,
            &findings)
        if combination.peak > 2 * combination.average {
            findings.add(
                .peakRate, place, "the peak is \(combination.peak) bits per second",
                expected: "\(2 * combination.average) at most, twice the average")
        }
    }

    func compare(
        _ told: Int?, _ real: Int, _ name: String, _ rule: HLSRule, _ place: String, _ findings: inout HLSFindings
    ) {
        guard let told else { return findings.add(rule, place, "there is no \(name)", expected: "\(real)") }
        if abs(Double(told) - Double(real)) > 0.1 * Double(real) {
            findings.add(rule, place, "\(name) is \(told)", expected: "\(real), within 10 %")
        }
    }

    /// That players can change from each to each other.
    func checkAlignment(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        checkDiscontinuities(renditions, &findings)
        checkStarts(renditions, &findings)
        let pictures = renditions.filter { $0.isVideo && $0.isWhole }
        guard let first = pictures.first else { return }
        for other in pictures.dropFirst() {
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
        let longest = pictures.map(\.seconds).max() ?? 0
        for other in renditions where other.isWhole {
            let limit = other.isVideo ? max(0.1, 2 * other.step) : 0.5
            guard longest - other.seconds > limit || other.seconds - longest > 0.5 else { continue }
            findings.add(
                .matchingDurations, other.path, "it lasts \(other.seconds.decimals(3)) s",
                expected: "\(longest.decimals(3)) s, as the others")
        }
    }

    /// Players put what is at the same time of the clock that all renditions share together, at the beginning and after each
    /// discontinuity.
    private func checkStarts(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        guard let first = renditions.first(where: \.isVideo) ?? renditions.first else { return }
        for other in renditions where other.discontinuities == first.discontinuities {
            for (wanted, found) in zip(first.sections, other.sections) {
                guard let start = wanted.content?.leading?.start, let content = found.content else { continue }
                let late = content.tracks.first { track in
                    let limit = track.isVideo && first.isVideo ? max(0.1, 2 * track.step) : Self.mostAudioShift
                    return abs(Self.unwrapped(track.start - start, content.container)) > limit
                }
                guard let late else { continue }
                findings.add(
                    .alignedStarts, "\(other.path):\(found.line)",
                    "the \(late.isVideo ? "video" : "audio") begins at \(late.start.decimals(3)) s",
                    expected: "\(start.decimals(3)) s, as in \(first.path)")
                break
            }
        }
    }

    /// Seconds. Audio begins a little earlier or later than video: an encoder adds some samples, and a recording starts when it
    /// starts.
    private static let mostAudioShift = 0.5

    /// Players count them, to know which parts of the renditions belong together (RFC 8216, section 6.2.4).
    private func checkDiscontinuities(_ renditions: [MeasuredRendition], _ findings: inout HLSFindings) {
        guard let first = renditions.first else { return }
        for other in renditions.dropFirst() where other.discontinuities != first.discontinuities {
            findings.add(
                .alignedDiscontinuities, other.path, "\(other.discontinuities) segments begin with EXT-X-DISCONTINUITY",
                expected: "\(first.discontinuities), as in \(first.path)")
        }
    }

    /// The first place where two lists of times are not alike, in words.
    private static func difference(
        _ a: [Double], _ b: [Double], within near: Double
    ) -> (found: String, wanted: String)? {
        if let index = zip(a, b).map({ abs($0 - $1) > near }).firstIndex(of: true) {
            return ("\(a[index].decimals(3)) s", "\(b[index].decimals(3)) s")
        }
        guard a.count != b.count else { return nil }
        let common = min(a.count, b.count)
        return (
            a.count > common ? "\(a[common].decimals(3)) s" : "no time after \((a.last ?? 0).decimals(3)) s",
            b.count > common ? "\(b[common].decimals(3)) s" : "none"
        )
    }
}
