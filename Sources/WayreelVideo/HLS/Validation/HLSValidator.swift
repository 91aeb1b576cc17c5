public import WayreelCore

/// Checks a folder of HLS against RFC 8216 and Apple's authoring rules, using the actual content of its segments.
///
/// It opens no files outside of the folder and does not access the network.
public struct HLSValidator: Sendable {
    /// The key of segments whose key is not in the folder, 16 bytes.
    public var key: [UInt8]?
    /// Whether all frames and audio packets are decoded as well, which finds damage inside of segments and takes as
    /// long as decoding all renditions.
    public var isDeep: Bool
    /// The number of decoding threads.
    public var threads: Int

    public init(key: [UInt8]? = nil, isDeep: Bool = false, threads: Int = 1) {
        self.key = key
        self.isDeep = isDeep
        self.threads = threads
    }

    /// The maximum number of segments of a playlist.
    private static let segmentLimit = 200_000
    /// The maximum number of playlists in a master playlist.
    private static let entryLimit = 1000
    /// The maximum total number of packets: a day in six renditions.
    private static let packetLimit = 50_000_000

    /// Checks the folder at `path`, or that of the master playlist at `path`.
    ///
    /// Throws an `io` error if nothing exists there, a `parameter` error for a key of the wrong length, and an error
    /// if it is cancelled or takes longer than `seconds`. Violations are in the result.
    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func validate(
        _ path: String, seconds: Double = 86_400, cancellation: Cancellation = Cancellation()
    ) throws(MediaError) -> HLSValidation {
        try validate(path, task: TaskContext(seconds: seconds, cancellation: cancellation))
    }

    package func validate(_ path: String, task: TaskContext) throws(MediaError) -> HLSValidation {
        if let key, key.count != 16 {
            throw MediaError(.parameter, step: .validate, reason: "the key has \(key.count) bytes", advice: "give 16")
        }
        let isPlaylist = path.hasSuffix(".m3u8")
        let folder = try HLSFolder(isPlaylist ? path.folder : path)
        var inspection = Inspection(reader: SegmentReader(folder, key: key, task: task))
        var result = HLSValidation(path: path, playlists: 0, segments: 0, seconds: 0, violations: [])
        let names = isPlaylist ? [path.fileName].compactMap(\.self) : folder.playlists
        let tops = names.compactMap { name in read(name, folder, &inspection.findings).map { (name, $0) } }
        let masters = tops.filter { $0.1.isMaster }
        // The playlist with the standard name, otherwise the first one.
        if let (name, lines) = masters.first(where: { $0.0 == HLSNames.master }) ?? masters.first {
            if masters.count > 1, name != HLSNames.master {
                inspection.findings.add(
                    .masterPlaylist, masters[1].0,
                    "there are \(masters.count) master playlists; only \(name) was checked")
            }
            result.playlists += 1
            try check(MasterPlaylist.read(lines), name, &inspection, &result)
            try checkPreview(folder, seconds: result.seconds, &inspection.findings, task: task)
        } else {
            inspection.findings.add(
                .masterPlaylist, path, names.isEmpty ? "there is no playlist" : "there is no master playlist",
                expected: "a file such as \(HLSNames.master)")
            for (name, lines) in tops {
                guard let rendition = try measure(name, lines, &inspection, &result) else { continue }
                checkContent(rendition, &inspection.findings)
                if !rendition.playlist.isIndependent {
                    inspection.findings.add(.independentSegments, name, "there is no EXT-X-INDEPENDENT-SEGMENTS")
                }
            }
        }
        result.violations = inspection.findings.violations
        return result
    }

    struct Inspection {
        var reader: SegmentReader
        var findings = HLSFindings()
        /// Playlists by path; each is read once.
        var renditions: [String: MeasuredRendition?] = [:]
        /// The packets checked so far.
        var packets = 0
    }

    func read(_ path: String, _ folder: HLSFolder, _ findings: inout HLSFindings) -> PlaylistLines? {
        do throws(HLSFolder.Refusal) {
            let bytes = try folder.read(path)
            guard bytes.count <= 64 << 20, let text = String(validating: bytes, as: UTF8.self) else {
                findings.add(.playlistSyntax, path, "is not UTF-8 text, or is too long")
                return nil
            }
            return PlaylistLines(text)
        } catch {
            findings.add(error, path)
            return nil
        }
    }

    // MARK: The master playlist

    private func check(
        _ read: (playlist: MasterPlaylist, faults: [PlaylistLines.Fault]), _ name: String,
        _ inspection: inout Inspection, _ result: inout HLSValidation
    ) throws(MediaError) {
        let master = read.playlist
        for fault in read.faults { inspection.findings.add(.playlistSyntax, "\(name):\(fault.line)", fault.reason) }
        if master.variants.isEmpty { inspection.findings.add(.masterPlaylist, name, "it names no variants") }
        checkRepetition(master, name, &inspection.findings)
        checkGroups(master, name, &inspection.findings)
        checkLanguages(master, name, &inspection.findings)
        let entries = master.variants.count + master.renditions.count + master.iFrameVariants.count
        guard entries <= Self.entryLimit else {
            inspection.findings.add(
                .masterPlaylist, name, "it names \(entries) playlists; \(Self.entryLimit) are checked")
            return
        }

        var combinations: [Combination] = []
        for variant in master.variants {
            let location = "\(name):\(variant.line)"
            guard let rendition = try rendition(variant.uri, name, location, &inspection, &result) else { continue }
            var audio: [MeasuredRendition] = []
            var isComplete = true
            if let group = variant.audio {
                let members = master.renditions.filter { $0.type == "AUDIO" && $0.group == group }
                if members.isEmpty {
                    inspection.findings.add(.audioGroup, location, "AUDIO is '\(group)'; there is no such group")
                }
                for member in members {
                    guard let uri = member.uri else { continue }
                    guard
                        let track = try self.rendition(uri, name, "\(name):\(member.line)", &inspection, &result)
                    else {
                        isComplete = false
                        continue
                    }
                    checkChannels(member, track, "\(name):\(member.line)", &inspection.findings)
                    audio.append(track)
                }
            }
            combinations.append(
                Combination(variant: variant, rendition: rendition, audio: audio, isComplete: isComplete))
        }
        for combination in combinations {
            let task = inspection.reader.task
            try task.check()
            try check(combination, location: "\(name):\(combination.variant.line)", &inspection.findings, task: task)
        }
        var seen: Set<String> = []
        let all = (combinations.map(\.rendition) + combinations.flatMap(\.audio)).filter {
            seen.insert($0.path).inserted
        }
        for rendition in all { checkContent(rendition, &inspection.findings) }
        checkAlignment(all, &inspection.findings)
        let leading = all.first { $0.isVideo } ?? all.first
        let start = leading?.discontinuities == 0 ? leading?.first?.leading?.start : nil
        try checkSubtitles(master, name, start: start, &inspection, &result)
        if !master.isIndependent, !all.allSatisfy(\.playlist.isIndependent) || all.isEmpty {
            inspection.findings.add(.independentSegments, name, "there is no EXT-X-INDEPENDENT-SEGMENTS")
        }
        checkFirst(master, name, &inspection.findings)
        try checkIFramePlaylists(master, name, combinations, &inspection, &result)
    }

    private func checkFirst(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        let distance = { (variant: MasterPlaylist.Variant) in
            abs((variant.averageBandwidth ?? variant.bandwidth ?? 0) - Self.firstRate)
        }
        guard let first = master.variants.first, let nearest = master.variants.map(distance).min(),
            distance(first) > nearest
        else { return }
        findings.add(
            .firstVariant, "\(name):\(first.line)",
            "the first variant takes \(first.averageBandwidth ?? first.bandwidth ?? 0) bits per second",
            expected: "the one nearest to \(Self.firstRate)")
    }

    private static let firstRate = 2_000_000

    private func checkIFramePlaylists(
        _ master: MasterPlaylist, _ name: String, _ combinations: [Combination], _ inspection: inout Inspection,
        _ result: inout HLSValidation
    ) throws(MediaError) {
        let video = combinations.filter(\.rendition.isVideo)
        if master.iFrameVariants.isEmpty, !video.isEmpty {
            inspection.findings.add(.iFramePlaylist, name, "there is no EXT-X-I-FRAME-STREAM-INF")
        }
        for variant in master.iFrameVariants {
            let location = "\(name):\(variant.line)"
            guard let frames = try rendition(variant.uri, name, location, &inspection, &result) else { continue }
            let same = video.first {
                $0.variant.size == variant.size && $0.variant.codecs?.hasPrefix(variant.codecs ?? "") == true
            }
            checkKeyFrames(
                frames, of: (same ?? video.first { $0.variant.size == variant.size })?.rendition,
                &inspection.findings)
            guard let track = frames.first?.video, frames.isWhole else { continue }
            checkSize(variant.size, of: track, location, &inspection.findings)
            checkRange(variant.videoRange, of: track, location, &inspection.findings)
            if let codec = track.codec, let stated = variant.codecs, stated.lowercased() != codec.lowercased() {
                inspection.findings.add(.codecs, location, "CODECS is '\(stated)'", expected: codec)
            }
            let spans = zip(frames.playlist.segments, frames.sizes).map { (seconds: $0.seconds, bytes: $1) }
            let target = frames.playlist.targetDuration ?? 1
            let rates = try SegmentRates(spans, targetDuration: target, check: inspection.reader.task.check)
            compare(variant.bandwidth, rates.peak, "BANDWIDTH", .bandwidth, location, &inspection.findings)
        }
    }

    // MARK: Media playlists

    /// Returns the rendition at a URI of the master playlist, or nil if there is none.
    private func rendition(
        _ uri: String, _ base: String, _ location: String, _ inspection: inout Inspection,
        _ result: inout HLSValidation
    ) throws(MediaError) -> MeasuredRendition? {
        let path: String
        do throws(HLSFolder.Refusal) { path = try inspection.reader.folder.resolve(uri, from: base) } catch {
            inspection.findings.add(error, location)
            return nil
        }
        if let known = inspection.renditions[path] { return known }
        inspection.renditions[path] = .some(nil)
        guard let lines = read(path, inspection.reader.folder, &inspection.findings) else { return nil }
        guard !lines.isMaster else {
            inspection.findings.add(.playlistSyntax, path, "is a master playlist, named as a variant")
            return nil
        }
        let rendition = try measure(path, lines, &inspection, &result)
        inspection.renditions[path] = rendition
        return rendition
    }

    /// Reads a media playlist and checks its text; nil if it has too many segments.
    func mediaPlaylist(
        _ path: String, _ lines: PlaylistLines, _ inspection: inout Inspection, _ result: inout HLSValidation
    ) -> MediaPlaylist? {
        let (playlist, faults) = MediaPlaylist.read(lines)
        for fault in faults { inspection.findings.add(.playlistSyntax, "\(path):\(fault.line)", fault.reason) }
        guard playlist.segments.count <= Self.segmentLimit else {
            inspection.findings.add(
                .playlistSyntax, path,
                "there are \(playlist.segments.count) segments; \(Self.segmentLimit) are checked")
            return nil
        }
        result.playlists += 1
        checkText(playlist, path, &inspection.findings)
        return playlist
    }

    /// Reads all segments of a playlist, one at a time.
    private func measure(
        _ path: String, _ lines: PlaylistLines, _ inspection: inout Inspection, _ result: inout HLSValidation
    ) throws(MediaError) -> MeasuredRendition? {
        guard let playlist = mediaPlaylist(path, lines, &inspection, &result) else { return nil }
        var rendition = MeasuredRendition(path: path, playlist: playlist)
        // The entries of I-frame playlists are parts of segments that are decoded anyway.
        let decodingThreads = isDeep && !playlist.isIFramesOnly ? threads : nil
        var refused: Set<String> = []
        for (index, segment) in playlist.segments.enumerated() {
            try inspection.reader.task.check()
            do throws(HLSFolder.Refusal) {
                let (content, size) = try inspection.reader.read(
                    segment, number: playlist.mediaSequence + index, of: path, decodingThreads: decodingThreads)
                rendition.contents.append(content)
                rendition.sizes.append(size)
                result.segments += 1
                inspection.packets += content.tracks.reduce(0) { $0 + $1.times.count }
            } catch {
                try inspection.reader.task.check()
                // A missing header or key is reported once.
                if refused.insert(error.reason).inserted {
                    inspection.findings.add(error, "\(path):\(segment.line)")
                }
                rendition.contents.append(nil)
                rendition.sizes.append(0)
            }
            guard inspection.packets <= Self.packetLimit else {
                inspection.findings.add(
                    .damagedSegment, "\(path):\(segment.line)",
                    "there are more than \(Self.packetLimit) packets up to here; what follows was not checked")
                return nil
            }
        }
        let folder = inspection.reader.folder
        if let key = playlist.segments.lazy.compactMap(\.key).first,
            let location = try? folder.resolve(key.uri, from: path), (try? folder.read(location)) != nil,
            !inspection.findings.violations.contains(where: { $0.rule == .exposedKey && $0.location == location })
        {
            inspection.findings.add(
                .exposedKey, location, "the key is in the same folder as the segments",
                expected: "a URI that only authorised players can access")
        }
        result.seconds = max(result.seconds, playlist.seconds)
        return rendition
    }
}
