internal import WayreelAV
package import WayreelCore

/// The subtitles and chapters of an output, on its timeline.
package struct TimedTexts: Sendable {
    package var subtitles: [SubtitleTrack] = []
    package var chapters: [MediaChapter] = []

    package init() {}

    /// Reads the subtitles and chapters of a plan, and warns of invalid cues. Throws the errors of ``SubtitleFile``.
    init(
        of plan: TranscodePlan, _ source: MediaInput, limits: VideoLimits, task: TaskContext
    ) throws(MediaError) {
        let streams = try SubtitleStreams.read(
            plan.subtitles.compactMap(\.stream), media: plan.video?.stream ?? plan.audio.first?.stream, of: source,
            limits: limits, task: task)
        for planned in plan.subtitles {
            var cues = planned.stream.flatMap { streams.cues[$0] } ?? []
            if let path = planned.file {
                let file = try SubtitleFile(path)
                for warning in file.warnings { task.warn(.subtitles, warning) }
                cues = file.cues
            }
            let track = SubtitleTrack(cues: cues, language: planned.language, title: planned.title)
                .cut(to: plan.range, seconds: streams.mediaEnd ?? plan.source.seconds)
            let name = planned.file ?? "stream \(planned.stream ?? 0)"
            guard track.repeatedBytes <= SubtitleTrack.maxRepeatedBytes else {
                task.warn(.subtitles, "\(name): too many of its cues are shown at the same time; it is left out")
                continue
            }
            guard !track.cues.isEmpty else {
                task.warn(.subtitles, "\(name): none of its cues is shown in the video; it is left out")
                continue
            }
            subtitles.append(track)
        }
        chapters = Self.chapters(of: plan)
    }

    private static func chapters(of plan: TranscodePlan) -> [MediaChapter] {
        let start = plan.range?.start ?? 0
        let length = plan.seconds
        return plan.source.chapters.compactMap { chapter in
            let from = max(0, chapter.start - start)
            let to = min(chapter.end - start, length ?? .infinity)
            return from < to ? MediaChapter(start: from, end: to, title: chapter.title) : nil
        }
    }
}

/// The samples of a timed text track in MP4 (3GPP TS 26.245, `tx3g`), without gaps from 0 on; some are empty. Cues
/// that are shown at the same time are joined into one text, the earlier one first.
package enum TimedTextSamples {
    package struct Sample: Hashable {
        /// The start in milliseconds.
        package var start: Int
        package var duration: Int
        package var bytes: [UInt8]

        /// Returns the sample's packet, with timestamps in units of ``Muxer/textTimeBase``.
        func packet() throws(MediaError) -> Packet {
            let packet = try bytes.withBytes { (bytes) throws(MediaError) in try Packet(bytes) }
            packet.presentationTime = Int64(start)
            packet.decodingTime = Int64(start)
            packet.duration = Int64(duration)
            packet.isKeyFrame = true
            return packet
        }
    }

    /// Returns the samples of `cues`, which must be ordered by start.
    package static func samples(_ cues: [SubtitleCue]) -> [Sample] {
        let times = Set([0] + cues.flatMap { [$0.start, $0.end] }).sorted()
        var samples: [Sample] = []
        var shown: [SubtitleCue] = []
        var next = 0
        for (start, end) in zip(times, times.dropFirst()) {
            shown.removeAll { $0.end <= start }
            while next < cues.count, cues[next].start <= start {
                shown.append(cues[next])
                next += 1
            }
            let bytes = sample(shown.map(\.text.plain).joined(separator: "\n"))
            if let last = samples.last, last.bytes == bytes {
                samples[samples.count - 1].duration += end - start
            } else {
                samples.append(Sample(start: start, duration: end - start, bytes: bytes))
            }
        }
        return samples
    }

    /// Returns the length of a text in two bytes, followed by its UTF-8.
    private static func sample(_ text: String) -> [UInt8] {
        var content = text
        while content.utf8.count > 0xFFFF { content.removeLast(content.count / 2) }
        let count = content.utf8.count
        return [UInt8(count >> 8), UInt8(count & 0xFF)] + Array(content.utf8)
    }

    /// The sample description: white text on a transparent background, centred at the lower edge, in the player's font.
    static let description: [UInt8] = {
        let flags: [UInt8] = [0, 0, 0, 0]
        let justification: [UInt8] = [1, 0xFF]
        let background: [UInt8] = [0, 0, 0, 0]
        let box = [UInt8](repeating: 0, count: 8)
        // The style from the first to the last character: font 1, no style flags, 18 pixels, opaque white.
        let style: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 18, 0xFF, 0xFF, 0xFF, 0xFF]
        let font = Array("Sans-Serif".utf8)
        let table = [0, 1, 0, 1, UInt8(font.count)] + font
        let fonts = [0, 0, 0, UInt8(8 + table.count)] + Array("ftab".utf8) + table
        return flags + justification + background + box + style + fonts
    }()
}
