internal import WayreelCore

/// Checks of the attributes of a variant against its segments.
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
                expected: "\(rate.average.formatted(3)), the measured frame rate")
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
}
