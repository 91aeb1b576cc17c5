internal import WayreelCore

/// Checks of one media playlist and its segments.
extension HLSValidator {
    func checkText(_ playlist: MediaPlaylist, _ path: String, _ findings: inout HLSFindings) {
        if (playlist.version ?? 1) < playlist.neededVersion {
            findings.add(
                .version, path, "EXT-X-VERSION is \(playlist.version ?? 1)",
                expected: "\(playlist.neededVersion) or more for what the playlist uses")
        }
        if playlist.type != "VOD" {
            findings.add(
                .vod, path, playlist.type.map { "EXT-X-PLAYLIST-TYPE is \($0)" } ?? "there is no EXT-X-PLAYLIST-TYPE",
                expected: "VOD")
        }
        if !playlist.isEnded { findings.add(.endOfList, path, "there is no EXT-X-ENDLIST") }
        if playlist.segments.isEmpty { findings.add(.playlistSyntax, path, "there are no segments") }
        guard let target = playlist.targetDuration else {
            return findings.add(.playlistSyntax, path, "there is no EXT-X-TARGETDURATION")
        }
        for segment in playlist.segments where segment.seconds >= Double(target) + 0.5 {
            findings.add(
                .targetDuration, "\(path):\(segment.line)", "the segment lasts \(segment.seconds.formatted(3)) s",
                expected: "less than EXT-X-TARGETDURATION \(target) and a half")
        }
        if target > Self.segmentSeconds {
            findings.add(
                .segmentLength, path, "EXT-X-TARGETDURATION is \(target)", expected: "\(Self.segmentSeconds) at most")
        }
    }

    private static let segmentSeconds = 6

    func checkContent(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        checkTimes(rendition, &findings)
        checkDecoding(rendition, &findings)
        checkStreams(rendition, &findings)
        for (segment, content) in zip(rendition.playlist.segments, rendition.contents) {
            guard let video = content?.video, !video.isIndependent else { continue }
            findings.add(
                .segmentStart, "\(rendition.path):\(segment.line)",
                "the first frame of \(segment.uri) is not an IDR frame",
                expected: "an IDR frame")
        }
        checkKeyFrameInterval(rendition, &findings)
        if let rate = rendition.frameRate, rate.average > 60.5 {
            findings.add(
                .frameRateLimit, rendition.path, "\(rate.average.formatted(2)) frames a second", expected: "60 at most"
            )
        }
        checkAudioRate(rendition, &findings)
    }

    private func checkTimes(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        var isOff = false
        let (lengths, tolerance) = (rendition.lengths, rendition.tolerance)
        for (index, segment) in rendition.playlist.segments.enumerated() {
            guard let content = rendition.contents[index] else { continue }
            let location = "\(rendition.path):\(segment.line)"
            if abs(segment.seconds - lengths[index]) > tolerance {
                isOff = true
                findings.add(
                    .segmentDuration, location, "EXTINF is \(segment.seconds.formatted(3)) s",
                    expected: "\(lengths[index].formatted(3)) s, which \(segment.uri) lasts")
            }
            guard index > 0, !segment.isDiscontinuous, let before = rendition.contents[index - 1] else { continue }
            for (track, last) in zip(content.tracks, before.tracks) where track.isVideo == last.isVideo {
                let gap = Self.unwrapped(track.start - last.end, content.format)
                guard abs(gap) > 1.5 * max(last.step, track.step) + 0.005 else { continue }
                findings.add(
                    .timestampGap, location,
                    "the \(track.isVideo ? "frames" : "audio packets") of \(segment.uri) "
                        + (gap > 0 ? "begin \(gap.formatted(3)) s after" : "begin \((-gap).formatted(3)) s before")
                        + " those before end", expected: "no gap, or EXT-X-DISCONTINUITY")
            }
        }
        guard rendition.isWhole, !isOff else { return }
        let difference = rendition.playlist.seconds - rendition.seconds
        if abs(difference) > rendition.step + 0.002 {
            findings.add(
                .totalDuration, rendition.path, "the sum of all EXTINF is \(rendition.playlist.seconds.formatted(3)) s",
                expected: "\(rendition.seconds.formatted(3)) s, within one frame")
        }
    }

    private func checkDecoding(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        for (segment, content) in zip(rendition.playlist.segments, rendition.contents) {
            for track in content?.tracks ?? [] where track.faultCount > 0 {
                findings.add(
                    .decoding, "\(rendition.path):\(segment.line)",
                    "\(track.faultCount) of \(track.times.count) \(track.isVideo ? "frames" : "audio packets") of "
                        + "\(segment.uri) cannot be decoded without errors",
                    expected: "none")
            }
        }
    }

    /// Corrects for the wrap-around of a transport stream's clock, which has 33 bits at 90 kHz.
    static func unwrapped(_ difference: Double, _ format: SegmentFormat) -> Double {
        guard format == .transportStream else { return difference }
        let turn = Double(1 << 33) / 90_000
        return difference - (difference / turn).rounded() * turn
    }

    private func checkStreams(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        guard let first = rendition.first else { return }
        for (segment, content) in zip(rendition.playlist.segments, rendition.contents) {
            guard let content, !segment.isDiscontinuous else { continue }
            let names = { (content: SegmentContent) in content.tracks.map { $0.codec ?? $0.codecName } }
            guard names(content) != names(first) || content.video?.sizes != first.video?.sizes else { continue }
            findings.add(
                .streamChange, "\(rendition.path):\(segment.line)",
                "\(segment.uri) holds \(Self.described(content))", expected: Self.described(first))
        }
        for track in first.tracks where track.isVideo && ["hevc", "av1"].contains(track.codecName) {
            if first.format != .mp4 {
                findings.add(
                    .container, rendition.path, "\(track.codecName) is in \(first.format.rawValue)",
                    expected: "fragmented MP4")
            } else if track.codecName == "hevc", track.format != "hvc1" {
                findings.add(
                    .container, rendition.path, "HEVC is called \(track.format ?? "?")", expected: "hvc1")
            }
        }
    }

    private static func described(_ content: SegmentContent) -> String {
        content.tracks.map { track in
            (track.codec ?? track.codecName) + (track.sizes.first.map { " of \($0)" } ?? "")
        }.joined(separator: " and ")
    }

    private func checkKeyFrameInterval(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        let times = rendition.keyTimes
        guard rendition.isWhole, let longest = zip(times.dropFirst(), times).map({ $0 - $1 }).max() else { return }
        if longest > 2 + rendition.tolerance {
            findings.add(
                .keyFrameInterval, rendition.path, "IDR frames are up to \(longest.formatted(2)) s apart",
                expected: "2 s")
        }
    }

    private func checkAudioRate(_ rendition: MeasuredRendition, _ findings: inout HLSFindings) {
        guard let track = rendition.first?.audio, track.codecName == "aac", (track.channelCount ?? 2) <= 2,
            rendition.isWhole, let rate = rendition.audioRate
        else { return }
        // Silence takes much less than the nominal bit rate.
        let minimum = max(rate, Double(track.nominalRate ?? 0))
        // An encoder does not hit its rate exactly.
        guard minimum < 0.9 * 32_000 || rate > 1.1 * 160_000 else { return }
        findings.add(
            .audioRate, rendition.path, "the audio takes \((rate / 1000).formatted(1)) kb/s", expected: "32 to 160")
    }

    // MARK: I-frame playlists

    /// Checks the entries of an I-frame playlist. `variant` is the rendition that contains the keyframes.
    func checkKeyFrames(_ frames: MeasuredRendition, of variant: MeasuredRendition?, _ findings: inout HLSFindings) {
        guard frames.playlist.isIFramesOnly else {
            return findings.add(.iFrameEntries, frames.path, "there is no EXT-X-I-FRAMES-ONLY")
        }
        var isValid = true
        for (segment, content) in zip(frames.playlist.segments, frames.contents) {
            guard let content, content.video?.isIndependent != true else { continue }
            isValid = false
            findings.add(
                .iFrameEntries, "\(frames.path):\(segment.line)", "the entry does not begin with an IDR frame",
                expected: "the bytes of one, with the header in front of it")
        }
        guard isValid, let variant, variant.isWhole, frames.isWhole, let origin = variant.first?.video?.start else {
            return
        }
        let expected = variant.keyTimes
        let times = frames.contents.compactMap { $0?.video?.keyTimes.first }.map { $0 - origin }
        let near = variant.tolerance
        let (known, listed) = (SortedTimes(expected), SortedTimes(times))
        if let stray = times.first(where: { !known.hasOne(within: near, of: $0) }) {
            findings.add(
                .iFrameEntries, frames.path,
                "an entry is of \(stray.formatted(3)) s, where \(variant.path) has no IDR frame")
        }
        // An I-frame playlist may omit keyframes by design: then it contains at most every second one.
        if let missing = expected.first(where: { !listed.hasOne(within: near, of: $0) }),
            frames.playlist.segments.count * 2 > expected.count
        {
            findings.add(
                .iFrameEntries, frames.path, "the IDR frame of \(missing.formatted(3)) s has no entry")
        }
        let ends = times.dropFirst() + [variant.seconds]
        for ((segment, start), end) in zip(zip(frames.playlist.segments, times), ends)
        where abs(segment.seconds - (end - start)) > near {
            findings.add(
                .segmentDuration, "\(frames.path):\(segment.line)", "EXTINF is \(segment.seconds.formatted(3)) s",
                expected: "\((end - start).formatted(3)) s, to the next entry")
        }
    }
}

/// Sorted times for binary search: a malicious playlist may list very many.
private struct SortedTimes {
    private let times: [Double]

    init(_ times: [Double]) { self.times = times.sorted() }

    func hasOne(within distance: Double, of time: Double) -> Bool {
        let index = times.count(before: (time - distance).nextUp)
        return index < times.count && times[index] < time + distance
    }
}
