public import WayreelCore
internal import WayreelImage

/// Transcodes one video to a file or an HLS folder, with an optional poster.
public struct TranscodeTask: MediaTask {
    /// A path, or `-` for standard input.
    public var input: String
    /// A path, or `-` for standard output; for HLS the folder.
    public var output: String
    /// Path of the poster, if the options request one.
    public var poster: String?
    /// A plan of this input with these options, which is executed unchanged; if nil, the task makes one. The task fails
    /// with the code `planOutdated` if the input or the options have changed since, or if the plan copies audio that
    /// does not decode or video whose size or scan changes. Without a plan, these are encoded.
    public var plan: TranscodePlan?
    public var options: TranscodeOptions

    public init(
        input: String, output: String, poster: String? = nil, plan: TranscodePlan? = nil,
        options: TranscodeOptions = TranscodeOptions()
    ) {
        self.input = input
        self.output = output
        self.poster = poster
        self.plan = plan
        self.options = options
    }

    public var outputs: [String] { [output] + (poster.map { [$0] } ?? []) }

    public var maxSeconds: Double { options.limits.seconds }

    public var namedFiles: [String] {
        let (video, poster) = (options.video, options.poster)
        return (video.overlays + (poster?.overlays ?? [])).imagePaths
            + (video.filters + (poster?.filters ?? [])).flatMap(\.files)
    }

    public var isolationNeed: IsolationNeed {
        let poster = options.poster.map {
            max(IsolationNeed(of: $0.overlays), IsolationNeed(of: $0.encoding))
        }
        return max(IsolationNeed(of: options.video.overlays), poster ?? .none)
    }

    /// Throws a `parameter` error for the path of a poster that the options do not request, or a poster without a path.
    public func check() throws(MediaError) {
        switch (poster, options.poster) {
        case (nil, nil), (_?, _?): return
        case (nil, _?):
            throw MediaError(
                .parameter, step: .plan, subject: input, reason: "the poster has no path",
                advice: "name a path, or leave the poster out of the options")
        case (let path?, nil):
            throw MediaError(
                .parameter, step: .plan, subject: path, reason: "the options request no poster",
                advice: "set the poster of the options, or leave the path out")
        }
    }

    public func makePipeline() throws(MediaError) -> TranscodePipeline {
        try check()
        return try TranscodePipeline(options)
    }
}

extension TranscodePipeline {
    /// Plans the video at `path` on one of `pool`'s threads: the treatment of each stream, and the reason. Encodes
    /// nothing. ``TranscodeTask/plan`` executes the plan.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding task is cancelled.
    public func plan(_ path: String, on pool: WorkPool = .shared) async throws -> TranscodePlan {
        try await pool.run { (cancellation) throws(MediaError) in
            try TranscodePlan.plan(path: path, options, cancellation: cancellation)
        }
    }

    /// Transcodes the video at `input` into the file, or for HLS the folder, at `output`, and writes the poster of the
    /// options to `poster`.
    ///
    ///     let report = try await pipeline.transcode("in.mov", to: "out.mp4")
    ///
    /// A `plan` from ``plan(_:on:)`` of this input is executed unchanged. This throws an error with the code
    /// `planOutdated` if the input has changed since, or if the plan copies audio that does not decode or video whose
    /// size or scan changes.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding Swift task is cancelled, which leaves no output.
    @discardableResult
    public func transcode(
        _ input: String, to output: String, poster: String? = nil, plan: TranscodePlan? = nil,
        ifExists: ExistingOutput = .replace,
        on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await perform(
            TranscodeTask(input: input, output: output, poster: poster, plan: plan, options: options),
            ifExists: ifExists, on: pool)
    }

    /// Transcodes an encoded video in memory into the file, or for HLS the folder, at `output`, and writes the poster
    /// of the options to `poster`. The report's input has the path `-`.
    ///
    /// Throws a ``MediaError``; `cancelled` if the surrounding Swift task is cancelled, which leaves no output.
    @discardableResult
    public func transcode(
        _ bytes: [UInt8], to output: String, poster: String? = nil, ifExists: ExistingOutput = .replace,
        on pool: WorkPool = .shared
    ) async throws -> TaskReport {
        try await pool.run { (cancellation) throws(MediaError) in
            try MemoryFile.open(bytes) { (path) throws(MediaError) in
                var report = run(
                    TranscodeTask(input: path, output: output, poster: poster, options: options), ifExists: ifExists,
                    threads: pool.workers, cancellation: cancellation)
                report.input.path = "-"
                if let error = report.error { throw error }
                return report
            }
        }
    }
}

extension TaskReport.Media {
    /// Creates an input file with the properties in `info`.
    init(path: String, _ info: MediaInfo) {
        let size = info.video?.videoProperties?.displayedSize
        let name = info.container.split(separator: ",").first.map(String.init)
        self.init(path: path, format: name, width: size?.width, height: size?.height, bytes: info.bytes)
        seconds = info.seconds
        sampleRate = info.audio?.format?.sampleRate
        channels = info.audio?.format?.channels.count
        if let audio = info.audio, case let recording = info.recording(of: audio), recording.count > 1 {
            let tracks = info.streams.filter { $0.kind == .audio }
            channels = recording.count
            joinedTracks = recording.compactMap { part in tracks.firstIndex { $0.index == part.index }.map { $0 + 1 } }
        }
    }

    /// Describes the output; for HLS, its largest rendition.
    init(path: String, _ video: TranscodedVideo, format: String) {
        let size = video.plan.outputSize
        self.init(
            path: path, format: format, width: size?.width, height: size?.height,
            bytes: video.bytes)
        seconds = video.seconds
        sampleRate = video.plan.defaultAudio?.sampleRate
        channels = video.plan.defaultAudio?.channelCount
    }

    init(path: String, _ poster: Poster) {
        self.init(
            path: path, format: poster.format.rawValue, width: poster.size.width, height: poster.size.height,
            bytes: poster.bytes.count)
        quality = poster.foundQuality
    }
}

extension TranscodePlan {
    /// The display size; the coded size of copied video.
    fileprivate var outputSize: PixelSize? {
        guard let video else { return nil }
        let encoded = video.renditions.map(\.size).max { $0.pixels < $1.pixels }
        return video.action == .copy ? source.stream(video.stream)?.videoProperties?.displayedSize : encoded
    }

    /// The result for each stream, in file order.
    var streams: [TaskReport.Stream] {
        var streams = dropped.map {
            TaskReport.Stream(index: $0.stream, kind: $0.kind, action: .drop, reasons: [$0.reason])
        }
        if let video {
            streams.append(
                TaskReport.Stream(
                    index: video.stream, kind: .video, action: video.action == .copy ? .copy : .transcode,
                    reasons: video.reasons,
                    crf: video.action == .copy ? nil : video.renditions.first?.rate.crf))
        }
        streams += audio.map { track in
            TaskReport.Stream(
                index: track.stream, kind: .audio, action: track.action == .copy ? .copy : .transcode,
                reasons: track.reasons)
        }
        return streams.sorted { $0.index < $1.index }
    }
}
