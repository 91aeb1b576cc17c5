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
                for warning in file.warnings { task.warn("subtitles", warning) }
                cues = file.cues
            }
            let track = SubtitleTrack(cues: cues, language: planned.language, title: planned.title)
                .cut(to: plan.range, seconds: streams.mediaEnd ?? plan.source.seconds)
            let name = planned.file ?? "stream \(planned.stream ?? 0)"
            guard track.repeatedBytes <= SubtitleTrack.maxRepeatedBytes else {
                task.warn("subtitles", "\(name): too many of its cues are shown at the same time; it is left out")
                continue
            }
            guard !track.cues.isEmpty else {
                task.warn("subtitles", "\(name): none of its cues is shown in the video; it is left out")
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
