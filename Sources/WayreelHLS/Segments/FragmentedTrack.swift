internal import Synchronization
internal import WayreelAV
internal import WayreelCore
internal import WayreelVideo

/// Writes one stream as an init segment and segments of fragmented MP4. Called by one thread at a time.
///
/// A keyframe is a fragment of its own, so that I-frame playlists can name its bytes; the frames up to the next keyframe are another.
/// Segments of video are whole GOPs. Audio is cut at the packet that begins nearest to a multiple of the segment length.
final class FragmentedTrack: PacketSink, @unchecked Sendable {
    /// How a track is segmented and where it is written.
    struct Layout {
        /// The folder of its files in the package.
        var folder: String
        var segmentSeconds: Double
        var isAudio: Bool
        var key: SegmentKey?
    }

    private let layout: Layout
    private let output: any PackageOutput
    private let muxer: Muxer
    private let timeBase: Rational
    private let codec: String
    private let nalLengthSize: Int?
    /// The last packet, whose duration is known when the next arrives.
    private var pending: Packet?
    private var entry: SampleEntry?
    private var group = Group()
    private var segment: [Group] = []
    private var segments: [PackagedSegment] = []
    private var keyFrameCount = 0
    /// The difference between PTS and DTS of the first packet.
    private var shift: Int64 = 0
    /// The last difference of two DTS.
    private var step: Int64 = 1
    /// The packet with the highest PTS.
    private var latest: (time: Int64, duration: Int64) = (.min, 0)
    private let result = Mutex<PackagedTrack?>(nil)

    /// Seconds by which a segment may differ from its nominal length.
    private static let tolerance = 0.5

    /// A GOP, or the audio of a segment.
    private struct Group {
        var bytes: [UInt8] = []
        /// In units of the time base.
        var start: Int64?
        var count = 0
        /// The size of the keyframe at its beginning.
        var keyFrameBytes: Int?
    }

    /// A track for the only stream of `muxer`, which has not begun.
    init(_ layout: Layout, _ muxer: Muxer, timeBase: Rational, to output: any PackageOutput) {
        self.layout = layout
        self.muxer = muxer
        self.timeBase = timeBase
        self.output = output
        codec = muxer.codec(of: 0)
        nalLengthSize = NALFormat.all[codec]?.lengthSize(muxer.extraData(of: 0))
        if let entry = OutputContainer.fragmentedMP4.sampleEntries[codec] { muxer.setTag(entry, of: 0) }
    }

    /// A muxer without streams.
    static func muxer() throws(MediaError) -> Muxer { try Muxer(intoMemory: OutputContainer.fragmentedMP4.muxer) }

    private func begin(at time: Int64) throws(MediaError) {
        // A late start is expressed by timestamps, as not every player supports edit lists. An early start, as by the delay of an audio
        // encoder, needs an edit list.
        muxer.set("movflags", to: OutputContainer.fragmentedMP4.movflags + (time > 0 ? "+frag_discont" : ""))
        try muxer.begin()
    }

    /// The track, once it is finished.
    var packaged: PackagedTrack? { result.withLock(\.self) }

    func take(_ packet: Packet) throws(MediaError) {
        guard let time = packet.decodingTime, let shown = packet.presentationTime else {
            throw MediaError(.encoding, step: "write", reason: "a packet of \(codec) has no time")
        }
        if let last = pending {
            // The muxer gets durations that add up to the DTS, not those of the encoder.
            step = max(1, time - (last.decodingTime ?? time))
            last.duration = step
            try write(last)
        } else {
            shift = shown - time
            try begin(at: shown)
        }
        if shown >= latest.time { latest = (shown, packet.duration) }
        pending = packet
    }

    func finish() throws(MediaError) {
        guard let last = pending, let time = last.decodingTime else {
            // Audio of which nothing could be decoded is left out.
            if layout.isAudio { return }
            throw MediaError(.decoding, step: "write", reason: "there are no packets of \(codec)")
        }
        pending = nil
        let end = latest.time + (latest.duration > 0 ? latest.duration : step)
        last.duration = max(1, end - (time + shift))
        try write(last)
        try endGroup(at: end)
        try endSegment(at: end)
        guard let entry else { throw MediaError(.encoding, step: "write", reason: "FFmpeg's muxer wrote no header") }
        let track = PackagedTrack(folder: layout.folder, entry: entry, segments: segments, end: seconds(end))
        result.withLock { $0 = track }
    }

    private func seconds(_ time: Int64) -> Double { Double(time) * timeBase.value }

    private func write(_ packet: Packet) throws(MediaError) {
        let time = packet.presentationTime ?? 0
        let isKey = beginsGroup(packet)
        if isKey { try endGroup(at: time) }
        if group.start == nil { group.start = time }
        group.count += 1
        try muxer.write(packet, stream: 0)
        if isKey, !layout.isAudio {
            try flush()
            group.keyFrameBytes = group.bytes.count
        }
    }

    private func beginsGroup(_ packet: Packet) -> Bool {
        guard layout.isAudio else {
            return AccessUnit.isIndependent(
                packet.bytes, codec: codec, lengthSize: nalLengthSize, isKeyFrame: packet.isKeyFrame)
        }
        let next = Double(segments.count + 1) * layout.segmentSeconds
        return seconds(packet.presentationTime ?? 0) >= next - seconds(packet.duration) / 2
    }

    private func endGroup(at end: Int64) throws(MediaError) {
        guard let start = group.start else { return }
        try flush()
        if let begin = segment.first?.start, seconds(end - begin) > layout.segmentSeconds + Self.tolerance {
            try endSegment(at: start)
        }
        segment.append(group)
        group = Group()
        let length = seconds(end - (segment[0].start ?? end))
        if layout.isAudio || length >= layout.segmentSeconds - Self.tolerance { try endSegment(at: end) }
    }

    private func flush() throws(MediaError) {
        if entry == nil {
            // The first flush returns only the header.
            try muxer.flushFragment()
            try writeHeader(try muxer.takeBytes())
        }
        try muxer.flushFragment()
        group.bytes += try muxer.takeBytes()
    }

    private func writeHeader(_ bytes: [UInt8]) throws(MediaError) {
        guard let first = SampleEntry.list(bytes).first else {
            throw MediaError(.encoding, step: "write", reason: "FFmpeg's muxer wrote no header that could be read")
        }
        entry = first
        try output.write(bytes, to: "\(layout.folder)/\(HLSNames.header)")
    }

    private func endSegment(at end: Int64) throws(MediaError) {
        guard let start = segment.first?.start else { return }
        let number = segments.count + 1
        // The priming samples of an encoder are not played.
        let begin = layout.isAudio ? max(0, start) : start
        var done = PackagedSegment(
            name: HLSNames.segment(number), start: seconds(begin), seconds: seconds(end - begin), bytes: 0,
            frameCount: segment.reduce(0) { $0 + $1.count }, keyFrames: [])
        let bytes = segment.flatMap(\.bytes)
        try write(bytes, to: done.name, start: done.start, seconds: done.seconds) {
            done.bytes = $0; done.iv = $1
        }
        var offset = 0
        for group in segment {
            if let count = group.keyFrameBytes, let time = group.start {
                try done.keyFrames.append(
                    keyFrame(
                        bytes, offset..<offset + count, at: time, of: done.name,
                        number: keyFrameCount + done.keyFrames.count + 1))
            }
            offset += group.bytes.count
        }
        keyFrameCount += done.keyFrames.count
        segments.append(done)
        segment = []
    }

    /// A byte range of its segment or, where that is encrypted, a file of its own.
    private func keyFrame(
        _ bytes: [UInt8], _ range: Range<Int>, at time: Int64, of segment: String, number: Int
    ) throws(MediaError) -> PackagedKeyFrame {
        guard layout.key != nil else {
            return PackagedKeyFrame(name: segment, range: range, start: seconds(time), bytes: range.count)
        }
        var frame = PackagedKeyFrame(name: HLSNames.keyFrame(number), start: seconds(time), bytes: 0)
        try write(Array(bytes[range]), to: frame.name) {
            frame.bytes = $0; frame.iv = $1
        }
        return frame
    }

    /// Writes a file, encrypted where there is a key. `report` gets its size and IV.
    private func write(
        _ bytes: [UInt8], to name: String, start: Double? = nil, seconds: Double? = nil,
        _ report: (Int, [UInt8]?) -> Void
    ) throws(MediaError) {
        var content = bytes
        var iv: [UInt8]?
        if let key = layout.key {
            let random = SegmentKey.randomBlock()
            content = try AES128(key: key.bytes).encrypt(bytes, iv: random)
            iv = random
        }
        try output.write(
            HLSFile("\(layout.folder)/\(name)", content, start: start, seconds: seconds), mode: 0o666)
        report(content.count, iv)
    }
}
