internal import Synchronization
package import WayreelAV
public import WayreelCore

/// Writes a folder of HLS: init segments and segments of fragmented MP4 for each rendition and audio track, playlists,
/// and a preview.
///
/// One thread requests the sinks and the preview. Each of them is then fed by its own thread, and ``finish()`` is
/// called after all have ended. A package that is released before that leaves no files.
package final class HLSPackage: TrackDestination {
    private let output: any PackageOutput
    private let plan: TranscodePlan
    private let options: HLSOptions
    private let key: SegmentKey?
    private let texts: TimedTexts
    private let tracks = Mutex<Tracks>(Tracks())

    private struct Tracks {
        var renditions: [Int: FragmentedTrack] = [:]
        /// The audio tracks with their source streams.
        var audio: [(stream: Int, track: FragmentedTrack)] = []
        var sheets: ThumbnailSheets?
    }

    /// Creates a package at `path`, replacing an existing one.
    ///
    /// Throws a `parameter` error for invalid options, and an `io` error if no folder can be created there, or if the
    /// existing folder contains files that Wayreel has not written.
    package convenience init(
        _ path: String, plan: TranscodePlan, options: HLSOptions, texts: TimedTexts = TimedTexts(),
        ifExists: ExistingOutput = .replace
    ) throws(MediaError) {
        try self.init(plan: plan, options: options, texts: texts) { () throws(MediaError) in
            try AtomicFolder(path, unrecordedNames: UnrecordedPackage.names, ifExists: ifExists)
        }
    }

    /// Creates a package in the destination that `output` returns.
    init(
        plan: TranscodePlan, options: HLSOptions, texts: TimedTexts,
        to output: () throws(MediaError) -> any PackageOutput
    ) throws(MediaError) {
        try require(
            (1...60).contains(options.segmentSeconds),
            "segments of \(options.segmentSeconds.shortDescription) s are not supported", "use 1 to 60 seconds",
            step: .write)
        self.output = try output()
        self.plan = plan
        self.options = options
        self.texts = texts
        key = options.isEncrypted ? SegmentKey(uri: options.keyURI ?? "../\(HLSNames.key)") : nil
    }

    package func sink(forRendition index: Int, encoder: VideoEncoder) throws(MediaError) -> any PacketSink {
        let muxer = try FragmentedTrack.muxer()
        _ = try muxer.add(encoder)
        return rendition(index, muxer, timeBase: encoder.settings.timeBase)
    }

    package func sink(
        forRendition index: Int, copyOf stream: Int, of file: Demuxer
    ) throws(MediaError) -> any PacketSink {
        let muxer = try FragmentedTrack.muxer()
        _ = try muxer.add(copyOf: stream, of: file)
        return rendition(index, muxer, timeBase: file.timeBase(of: stream))
    }

    package func audioSink(of stream: Int, encoder: AudioEncoder) throws(MediaError) -> any PacketSink {
        let muxer = try FragmentedTrack.muxer()
        _ = try muxer.add(encoder)
        return audio(stream, muxer, timeBase: Rational(1, encoder.settings.sampleRate) ?? 1)
    }

    package func audioSink(copyOf stream: Int, of file: Demuxer) throws(MediaError) -> any PacketSink {
        let muxer = try FragmentedTrack.muxer()
        _ = try muxer.add(copyOf: stream, of: file)
        return audio(stream, muxer, timeBase: file.timeBase(of: stream))
    }

    private func rendition(_ index: Int, _ muxer: Muxer, timeBase: Rational) -> FragmentedTrack {
        let size = plan.video?.renditions[index].size ?? PixelSize(width: 0, height: 0)
        let track = track(HLSNames.rendition(index, size), isAudio: false, muxer, timeBase)
        tracks.withLock { $0.renditions[index] = track }
        return track
    }

    private func audio(_ stream: Int, _ muxer: Muxer, timeBase: Rational) -> FragmentedTrack {
        let number = tracks.withLock(\.audio.count) + 1
        let language = plan.source.stream(stream)?.language.flatMap { LanguageCode($0) }
        let name = plan.audio.count > 1 ? HLSNames.audio(number, language) : HLSNames.audio
        let track = track(name, isAudio: true, muxer, timeBase)
        tracks.withLock { $0.audio.append((stream, track)) }
        return track
    }

    private func track(_ name: String, isAudio: Bool, _ muxer: Muxer, _ timeBase: Rational) -> FragmentedTrack {
        let layout = FragmentedTrack.Layout(
            folder: name, segmentSeconds: options.segmentSeconds, isAudio: isAudio, key: key)
        return FragmentedTrack(layout, muxer, timeBase: timeBase, to: output)
    }

    /// Returns the thumbnail sheets, which receive thumbnails of the smallest rendition, or nil if the options have
    /// no preview.
    package func preview() throws(MediaError) -> ThumbnailSheets? {
        guard let interval = options.previewInterval else { return nil }
        let sheets = try ThumbnailSheets(interval: interval, to: output)
        tracks.withLock { $0.sheets = sheets }
        return sheets
    }

    package func begin() {}

    /// Does nothing: the sinks only wait for the reader of the files.
    package func stop() {}

    /// Writes the playlists and renames the folder to its path, together with `poster`, which may lie in the folder.
    ///
    /// Throws an `io` error if that fails, an `encoding` error if a sink was not finished.
    package func finish(with poster: PosterFile? = nil) throws(MediaError) -> HLSReport {
        let all = tracks.withLock { ($0.renditions.sorted { $0.key < $1.key }.map(\.value), $0.audio, $0.sheets) }
        let video = try all.0.map { (track) throws(MediaError) in
            guard let done = track.packaged else {
                throw MediaError(.encoding, step: .write, reason: "a stream of the package was not finished")
            }
            return done
        }
        let audio = all.1.compactMap { entry in entry.track.packaged.map { described($0, entry.stream) } }
        let tracks = video + audio.map(\.track)
        try all.2?.finish(end: video.map(\.end).max() ?? 0)
        let end = tracks.map(\.end).max() ?? 0
        let writer = SubtitleSegments(segmentSeconds: options.segmentSeconds, end: end, key: key, output: output)
        let subtitles = try texts.subtitles.enumerated().map { (number, track) throws(MediaError) in
            try writer.write(track, number: number + 1)
        }
        let chapters = texts.chapters.isEmpty ? nil : HLSNames.chapters
        if let chapters { try output.write(HLSChapters.json(texts.chapters), to: chapters) }
        let playlists = PlaylistWriter(
            video: video, audio: audio, subtitles: subtitles, chapters: chapters, keyURI: key?.uri,
            frameRate: plan.video?.timing.grid?.value)
        for (name, text) in playlists.files { try output.write(Array(text.utf8), to: name) }
        if let key { try output.write(key.bytes, to: HLSNames.key, mode: 0o600) }
        let posterName = try publish(with: poster)
        let files = output.files.filter { $0.name != posterName }
        return HLSReport(
            folder: output.path, files: files.map { HLSReport.File(name: $0.name, bytes: $0.bytes) },
            seconds: end,
            warnings: playlists.warnings + (key == nil ? [] : [Self.keyWarning]))
    }

    /// Publishes the folder and the poster. Returns the poster's name if it lies in the folder.
    private func publish(with poster: PosterFile?) throws(MediaError) -> String? {
        guard let poster, let name = output.name(of: poster.path) else {
            try output.finish(with: poster.map { (poster) throws(MediaError) in [try poster.written()] } ?? [])
            return nil
        }
        try output.write(poster.bytes, to: name)
        try output.finish(with: [])
        return name
    }

    /// Returns a track with the properties that players show.
    private func described(_ track: PackagedTrack, _ stream: Int) -> PackagedAudio {
        let source = plan.source.stream(stream)
        return PackagedAudio(
            track: track, language: source?.language.flatMap { LanguageCode($0) }, title: source?.title,
            channelCount: plan.audio.first { $0.stream == stream }?.channelCount)
    }

    private static let keyWarning = MediaWarning(
        step: .encrypt,
        "whoever can fetch \(HLSNames.key) can read the segments: move it to where only authorised players get it")
}

/// The file names of a package.
enum HLSNames {
    static let master = "master.m3u8"
    static let playlist = "playlist.m3u8"
    static let keyFrames = "iframes.m3u8"
    static let initSegment = "init.mp4"
    static let key = "segments.key"
    static let audio = "audio"
    static let preview = "preview"
    static let cues = "thumbnails.vtt"
    static let chapters = "chapters.json"

    static func rendition(_ index: Int, _ size: PixelSize) -> String { "\(index + 1)-\(size.width)x\(size.height)" }
    static func segment(_ number: Int) -> String { "segment-\(String(number, paddedTo: 5)).m4s" }
    static func keyFrame(_ number: Int) -> String { "iframe-\(String(number, paddedTo: 5)).m4s" }
    /// Returns the folder of one audio track among several, numbered from 1.
    static func audio(_ number: Int, _ language: LanguageCode?) -> String {
        "\(audio)-\(number)" + (language.map { "-\($0.tag)" } ?? "")
    }
    static func subtitles(_ number: Int, _ language: LanguageCode?) -> String {
        "subtitles-\(number)" + (language.map { "-\($0.tag)" } ?? "")
    }
    static func subtitleSegment(_ number: Int) -> String { "segment-\(String(number, paddedTo: 5)).vtt" }
    static func sheet(_ number: Int) -> String { "sheet-\(number).jpg" }
}

/// The files of a written package.
public struct HLSReport: Hashable, Sendable, Codable {
    public struct File: Hashable, Sendable, Codable {
        /// The path relative to the folder.
        public var name: String
        public var bytes: Int

        public init(name: String, bytes: Int) {
            self.name = name
            self.bytes = bytes
        }
    }

    public var folder: String
    public var files: [File]
    /// The length of the longest rendition.
    public var seconds: Double
    public var warnings: [MediaWarning]

    public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    public init(folder: String, files: [File], seconds: Double, warnings: [MediaWarning]) {
        self.folder = folder
        self.files = files
        self.seconds = seconds
        self.warnings = warnings
    }
}

/// The files of a package of an older version, which has no record of its files: those that its playlists refer to.
enum UnrecordedPackage {
    /// Returns the names in the folder at `path`; empty if it is not a package.
    static func names(in path: String) -> Set<String> {
        guard let folder = try? HLSFolder(path), let lines = lines(of: HLSNames.master, in: folder), lines.isMaster
        else { return [] }
        let master = MasterPlaylist.read(lines).playlist
        var names: Set<String> = [HLSNames.master]
        let add = { (uri: String, base: String) -> String? in
            guard let name = try? folder.resolve(uri, from: base) else { return nil }
            return names.insert(name).inserted ? name : nil
        }
        if let chapters = master.chapters { _ = add(chapters, HLSNames.master) }
        let playlists = (master.variants + master.iFrameVariants).map(\.uri) + master.renditions.compactMap(\.uri)
        for uri in playlists {
            guard let name = add(uri, HLSNames.master), let text = self.lines(of: name, in: folder) else { continue }
            for segment in MediaPlaylist.read(text).playlist.segments {
                for uri in [segment.uri, segment.initSegment?.uri, segment.key?.uri].compactMap(\.self) {
                    _ = add(uri, name)
                }
                // The playlists may refer to a copy of the key elsewhere.
                if segment.key != nil { names.insert(HLSNames.key) }
            }
        }
        return names.union(previewNames(in: folder))
    }

    private static func lines(of name: String, in folder: HLSFolder) -> PlaylistLines? {
        (try? folder.read(name)).flatMap { String(validating: $0, as: UTF8.self) }.map { PlaylistLines($0) }
    }

    /// Returns the cues of the preview, which no playlist refers to, and their sheets.
    private static func previewNames(in folder: HLSFolder) -> Set<String> {
        let name = "\(HLSNames.preview)/\(HLSNames.cues)"
        guard let bytes = try? folder.read(name), let cues = PreviewCue.list(String(decoding: bytes, as: UTF8.self))
        else { return [] }
        return Set([name] + Set(cues.map(\.sheet)).compactMap { try? folder.resolve($0, from: name) })
    }
}
