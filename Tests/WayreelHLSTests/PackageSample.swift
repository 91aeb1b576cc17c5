internal import TestSupport
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// Packages of tiny clips encoded by the ffmpeg program.
enum PackageSample {
    struct Clip: Sendable {
        var size = "160x90"
        var rate = "25"
        var seconds = 13.0
        var keyInterval = 50
        var codec = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-sc_threshold", "0"]
        var hasAudio = true
        var more: [String] = []
    }

    /// Writes a clip with a keyframe every `keyInterval` frames to `path`.
    static func make(_ clip: Clip = Clip(), at path: String) throws {
        let audio =
            clip.hasAudio ? ["-f", "lavfi", "-i", "sine=440:r=48000:d=\(clip.seconds)"] : []
        try SampleVideo.make(
            ["-f", "lavfi", "-i", "testsrc2=s=\(clip.size):r=\(clip.rate):d=\(clip.seconds)"] + audio + clip.codec
                + ["-g", "\(clip.keyInterval)", "-pix_fmt", "yuv420p"]
                + (clip.hasAudio ? ["-c:a", "aac", "-b:a", "96k"] : []) + clip.more + [path])
    }

    /// Packages the video of `clips` and the audio of the first.
    @discardableResult
    static func package(
        _ clips: [String], at folder: String, options: HLSOptions = HLSOptions(previewInterval: nil)
    ) throws -> HLSReport {
        let task = TaskContext()
        let files = try clips.map { try Demuxer(.path($0), task: task) }
        let package = try HLSPackage(folder, plan: plan(files), options: options)
        for (index, file) in files.enumerated() {
            var sinks: [Int: any PacketSink] = [:]
            if let video = file.info.video {
                sinks[video.index] = try package.sink(forRendition: index, copyOf: video.index, of: file)
            }
            if index == 0, let audio = file.info.audio {
                sinks[audio.index] = try package.audioSink(copyOf: audio.index, of: file)
            }
            try StreamCopy(file, to: sinks, limits: .standard, task: task).run { _ in }
        }
        return try package.finish()
    }

    /// Returns a plan that copies the video of all files and the audio of the first.
    static func plan(_ files: [Demuxer]) -> TranscodePlan {
        let renditions = files.compactMap(\.info.video?.videoProperties).map { properties in
            RenditionPlan(
                size: properties.size, codec: .h264, rate: RenditionRate(), encoder: "libx264", options: [:],
                threads: 1)
        }
        let audio = files[0].info.audio.map {
            AudioPlan(
                stream: $0.index, track: 1, action: .copy, reasons: [], sampleRate: 48_000, channelCount: 1,
                bitRate: 96_000)
        }
        let video = VideoPlan(
            stream: 0, action: .copy, reasons: [], timing: FrameTiming(grid: nil, timeBase: Rational(1, 12800) ?? 1),
            renditions: renditions)
        return TranscodePlan(
            source: files[0].info, video: renditions.isEmpty ? nil : video, audio: [audio].compactMap(\.self))
    }
}
