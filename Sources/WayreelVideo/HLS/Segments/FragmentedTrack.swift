internal import Synchronization
internal import WayreelAV
internal import WayreelCore

/// Writes one stream as an init segment and segments of fragmented MP4.
///
/// Its sendability is unchecked: one thread makes it, then another one calls it, and its result is behind a lock.
///
/// Each keyframe is a separate fragment, so that I-frame playlists can refer to its bytes; the frames up to the next
/// keyframe are another fragment. Video segments contain whole GOPs. Audio is cut at the packet that begins nearest
/// to a multiple of the segment length.
final class FragmentedTrack: PacketSink, @unchecked Sendable {
    /// The segmentation and the destination of a track.
    struct Layout {
        /// The folder of the track's files in the package.
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
    /// The last difference between two DTS.
    private var step: Int64 = 1
    /// The packet with the highest PTS.
    private var latest: (time: Int64, duration: Int64) = (.min, 0)
    private let result = Mutex<PackagedTrack?>(nil)

    /// The maximum difference in seconds between a segment's length and its nominal length.
    private static let tolerance = 0.5

    /// A GOP, or the audio of a segment.
    private struct Group {
        var bytes: [UInt8] = []
        /// The start in units of the time base.
        var start: Int64?
        var count = 0
        /// The size of the keyframe at the beginning.
        var keyFrameBytes: Int?
    }

    /// Creates a track for the only stream of `muxer`, which must not have begun.
    init(_ layout: Layout, _ muxer: Muxer, timeBase: Rational, to output: any PackageOutput) {
        self.layout = layout
        self.muxer = muxer
        self.timeBase = timeBase
        self.output = output
        codec = muxer.codec(of: 0)
        nalLengthSize = NALFormat.all[codec]?.lengthSize(muxer.extraData(of: 0))
        if let entry = OutputContainer.sampleEntries[codec] { muxer.setTag(entry, of: 0) }
    }

    /// The highest timestamp and duration in time base units; sums and differences of a few stay within 64 bits.
    private static let maxTime: UInt64 = 1 << 60

    /// Returns a muxer without streams.
    static func muxer() throws(MediaError) -> Muxer { try Muxer(intoMemory: OutputContainer.muxer) }

    private func begin(at time: Int64) throws(MediaError) {
        // A late start is expressed by timestamps, because not every player supports edit lists. An early start, such
        // as the delay of an audio encoder, needs an edit list.
        muxer.set("movflags", to: OutputContainer.segmentFlags + (time > 0 ? "+frag_discont" : ""))
        try muxer.begin()
    }

    /// The track, once it is finished.
    var packaged: PackagedTrack? { result.withLock(\.self) }

    func take(_ packet: Packet) throws(MediaError) {
        guard let time = packet.decodingTime, let shown = packet.presentationTime else {
            throw MediaError(.encoding, step: .write, reason: "a packet of \(codec) has no time")
        }
        guard [time, shown, packet.duration].allSatisfy({ $0.magnitude <= Self.maxTime }) else {
            throw MediaError(.encoding, step: .write, reason: "a packet of \(codec) has a time beyond all limits")
        }
        if let last = pending {
            // The durations for the muxer must add up to the DTS, so the encoder's durations are not used.
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
            // Audio without any decoded packets is omitted.
            if layout.isAudio { return }
            throw MediaError(.decoding, step: .write, reason: "there are no packets of \(codec)")
        }
        pending = nil
        let end = latest.time + (latest.duration > 0 ? latest.duration : step)
        last.duration = max(1, end - (time + shift))
        try write(last)
        try endGroup(at: end)
        try endSegment(at: end)
        guard let entry else { throw MediaError(.encoding, step: .write, reason: "FFmpeg's muxer wrote no header") }
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
            let bytes = try muxer.takeBytes()
            guard let first = SampleEntry.list(bytes).first else {
                throw MediaError(.encoding, step: .write, reason: "FFmpeg's muxer wrote no header that could be read")
            }
            entry = first
            try output.write(bytes, to: "\(layout.folder)/\(HLSNames.initSegment)")
        }
        try muxer.flushFragment()
        group.bytes += try muxer.takeBytes()
    }

    private func endSegment(at end: Int64) throws(MediaError) {
        guard let start = segment.first?.start else { return }
        let number = segments.count + 1
        // Exclude the encoder's priming samples, which are not played.
        let begin = layout.isAudio ? max(0, start) : start
        var done = PackagedSegment(
            name: HLSNames.segment(number), start: seconds(begin), seconds: seconds(end - begin), bytes: 0,
            frameCount: segment.reduce(0) { $0 + $1.count }, keyFrames: [])
        let bytes = segment.flatMap(\.bytes)
        (done.bytes, done.iv) = try write(bytes, to: done.name, start: done.start, seconds: done.seconds)
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

    /// Writes a keyframe as a byte range of its segment or, if that is encrypted, as a separate file.
    private func keyFrame(
        _ bytes: [UInt8], _ range: Range<Int>, at time: Int64, of segment: String, number: Int
    ) throws(MediaError) -> PackagedKeyFrame {
        guard layout.key != nil else {
            return PackagedKeyFrame(name: segment, range: range, start: seconds(time), bytes: range.count)
        }
        var frame = PackagedKeyFrame(name: HLSNames.keyFrame(number), start: seconds(time), bytes: 0)
        (frame.bytes, frame.iv) = try write(Array(bytes[range]), to: frame.name)
        return frame
    }

    /// Writes a file, encrypted if there is a key. Returns its size and IV.
    private func write(
        _ bytes: [UInt8], to name: String, start: Double? = nil, seconds: Double? = nil
    ) throws(MediaError) -> (bytes: Int, iv: [UInt8]?) {
        let (content, iv) = try layout.key.encrypt(bytes)
        try output.write(
            HLSFile("\(layout.folder)/\(name)", content, start: start, seconds: seconds), mode: 0o666)
        return (content.count, iv)
    }
}

/// A written segment of a track.
struct PackagedSegment: Sendable {
    /// The name of the file in the folder of the playlist.
    var name: String
    /// The start in seconds on the file's timeline.
    var start: Double
    var seconds: Double
    var bytes: Int
    /// The number of frames that begin in it.
    var frameCount: Int
    /// The IV of the encryption; nil: not encrypted.
    var iv: [UInt8]?
    var keyFrames: [PackagedKeyFrame]
}

/// A keyframe of a segment.
struct PackagedKeyFrame: Sendable {
    var name: String
    /// The bytes of the file that contain it and its `moof`; nil: the whole file.
    var range: Range<Int>?
    var start: Double
    var bytes: Int
    var iv: [UInt8]?
}

struct PackagedTrack: Sendable {
    /// The folder of the track's files.
    var folder: String
    var entry: SampleEntry
    var segments: [PackagedSegment]
    /// The end in seconds on the file's timeline.
    var end: Double
}

/// The key of the encrypted segments of a package.
struct SegmentKey: Sendable {
    let bytes: [UInt8]
    /// The URI of the key in playlists.
    let uri: String

    /// Creates a random key.
    init(uri: String) {
        bytes = Self.randomBlock()
        self.uri = uri
    }

    /// Returns 16 random bytes: a key or an IV.
    static func randomBlock() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<AES128.blockSize).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
}

extension SegmentKey? {
    /// Returns the bytes of a file, encrypted with a random IV if there is a key, and the IV.
    func encrypt(_ bytes: [UInt8]) throws(MediaError) -> (bytes: [UInt8], iv: [UInt8]?) {
        guard let self else { return (bytes, nil) }
        let iv = SegmentKey.randomBlock()
        return (try AES128(key: self.bytes).encrypt(bytes, iv: iv), iv)
    }
}
