internal import Synchronization
internal import TestSupport
internal import WayreelAV
internal import WayreelCore
internal import WayreelHLS
internal import WayreelVideo

/// Packages made of tiny clips that the ffmpeg program encodes.
enum PackageSample {
    /// What a clip is like.
    struct Clip: Hashable, Sendable {
        var size = "160x90"
        var rate = "25"
        var seconds = 13.0
        var keyInterval = 50
        var codec = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-sc_threshold", "0"]
        var hasSound = true
        var more: [String] = []
    }

    /// Clips that were encoded already.
    private static let store = Mutex<[Clip: String]>([:])
    private static let folder = TemporaryFolder()

    /// Puts a clip, encoded with key frames every `keyInterval` pictures, at `path`.
    static func make(_ clip: Clip = Clip(), at path: String) throws {
        if let made = store.withLock({ $0[clip] }) {
            try SampleVideo.run("cp", [made, path])
            return
        }
        try encode(clip, at: path)
        let kept = store.withLock { store in
            store[clip] == nil ? "\(folder.path)/\(store.count)-\(UInt32.random(in: 0 ... .max)).mp4" : nil
        }
        guard let kept else { return }
        try SampleVideo.run("cp", [path, kept])
        store.withLock { $0[clip] = kept }
    }

    private static func encode(_ clip: Clip, at path: String) throws {
        let sound =
            clip.hasSound ? ["-f", "lavfi", "-i", "sine=440:r=48000:d=\(clip.seconds)"] : []
        try SampleVideo.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=\(clip.size):r=\(clip.rate):d=\(clip.seconds)"] + sound + clip.codec
                + ["-g", "\(clip.keyInterval)", "-pix_fmt", "yuv420p"]
                + (clip.hasSound ? ["-c:a", "aac", "-b:a", "96k"] : []) + clip.more + [path])
    }

    /// Puts the pictures of `clips`, and the sound of the first, into a package.
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
            if index == 0, let sound = file.info.sound {
                sinks[sound.index] = try package.audioSink(copyOf: sound.index, of: file)
            }
            try StreamCopy(file, to: sinks, limits: .standard, task: task).run { _ in }
        }
        return try package.finish()
    }

    /// A plan that copies the pictures of all files and the sound of the first.
    static func plan(_ files: [Demuxer]) -> TranscodePlan {
        let renditions = files.compactMap(\.info.video?.picture).map { picture in
            RenditionPlan(
                size: picture.size, chain: "", codec: .h264, rate: RenditionRate(), encoder: "libx264", options: [:],
                threads: 1)
        }
        let sound = files[0].info.sound.map {
            AudioPlan(
                stream: $0.index, track: 1, action: .copy, reasons: [], sampleRate: 48_000, channelCount: 1,
                bitRate: 96_000)
        }
        let picture = VideoPlan(
            stream: 0, action: .copy, reasons: [], timing: FrameTiming(grid: nil, timeBase: Rational(1, 12800) ?? 1),
            renditions: renditions)
        return TranscodePlan(
            source: files[0].info, video: renditions.isEmpty ? nil : picture, audio: [sound].compactMap(\.self))
    }
}
