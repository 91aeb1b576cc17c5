internal import WayreelCore

/// Comparisons between renditions.
extension HLSValidator {
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
