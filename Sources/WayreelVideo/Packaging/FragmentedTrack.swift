internal import Synchronization
internal import WayreelAV
internal import WayreelCore

/// Writes one stream as an init segment and segments of fragmented MP4. Called by one thread at a time.
///
/// A key frame is a fragment of its own, which a player that wants only those can take out of its segment; what follows up
/// to the next is another. Segments are whole groups of pictures. Sound is cut at the packet that begins nearest to a multiple of the segments' length.
final class FragmentedTrack: PacketSink, @unchecked Sendable {
    /// How a track is cut and where it goes.
    struct Layout {
        /// The folder of its files in the package.
        var folder: String
        var segmentSeconds: Double
        var isSound: Bool
        var key: SegmentKey?
    }

    private let layout: Layout
    private let output: OutputFolder
    private let muxer: Muxer
    private let timeBase: Rational
    private let codec: String
    private let nalLengthSize: Int?
    /// The last packet, whose length is known when the next comes.
    private var waiting: MediaPacket?
    private var entry: SampleEntry?
    private var group = Group()
    private var segment: [Group] = []
    private var segments: [PackagedSegment] = []
    private var keyFrameCount = 0
    /// What was added to decoding times so that the first picture is shown when it is decoded.
    private var shift: Int64 = 0
    /// Of packets that follow each other, the last difference of their decoding times.
    private var step: Int64 = 1
    /// The packet that is shown last so far.
    private var latest: (time: Int64, duration: Int64) = (.min, 0)
    private let result = Mutex<PackagedTrack?>(nil)

    /// How far a segment may be off its length.
    private static let tolerance = 0.5

    /// A key frame and what follows up to the next, or the sound of a segment.
    private struct Group {
        var bytes: [UInt8] = []
        /// In units of the time base.
        var start: Int64?
        var count = 0
        /// The bytes at its beginning that hold the key frame.
        var keyFrameBytes: Int?
    }

    /// A track for the one stream of `muxer`, which has not begun.
    init(_ layout: Layout, _ muxer: Muxer, timeBase: Rational, to output: OutputFolder) {
        self.layout = layout
        self.muxer = muxer
        self.timeBase = timeBase
        self.output = output
        codec = muxer.codec(of: 0)
        nalLengthSize = Self.nalLengthSize(codec, muxer.extraData(of: 0))
        if codec == "hevc" { muxer.setTag("hvc1", of: 0) }
    }

    /// A muxer as tracks need it; the stream is to be added.
    static func muxer() throws(MediaError) -> Muxer { try Muxer(intoMemory: "mp4") }

    private func begin(at time: Int64) throws(MediaError) {
        // A stream that begins late says so by its times, not by an edit that not every player heeds; what begins early, as
        // sound does by the delay of its encoder, needs one.
        muxer.set(
            "movflags",
            to: "+frag_custom+delay_moov+default_base_moof+skip_trailer" + (time > 0 ? "+frag_discont" : ""))
        try muxer.begin()
    }

    /// Extra data that begins with a start code belongs to packets with start codes.
    private static func nalLengthSize(_ codec: String, _ extraData: [UInt8]) -> Int? {
        guard let place = ["h264": 4, "hevc": 21][codec], extraData.count > place, extraData[0] == 1 else { return nil }
        return Int(extraData[place] & 3) + 1
    }

    /// The track, once it is finished.
    var packaged: PackagedTrack? { result.withLock(\.self) }

    func take(_ packet: MediaPacket) throws(MediaError) {
        guard let time = packet.decodingTime, let shown = packet.presentationTime else {
            throw MediaError(.encoding, step: "write", reason: "a packet of \(codec) has no time")
        }
        if let last = waiting {
            // So long does it last for the muxer, whatever its encoder says: times that follow add up.
            step = max(1, time - (last.decodingTime ?? time))
            last.duration = step
            try write(last)
        } else {
            shift = shown - time
            try begin(at: shown)
        }
        if shown >= latest.time { latest = (shown, packet.duration) }
        waiting = packet
    }

    func finish() throws(MediaError) {
        guard let last = waiting, let time = last.decodingTime else {
            // A sound of which nothing could be decoded is left out.
            if layout.isSound { return }
            throw MediaError(.decoding, step: "write", reason: "no \(codec) came to be written")
        }
        waiting = nil
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

    private func write(_ packet: MediaPacket) throws(MediaError) {
        let time = packet.presentationTime ?? 0
        let isKey = beginsGroup(packet)
        if isKey { try endGroup(at: time) }
        if group.start == nil { group.start = time }
        group.count += 1
        try muxer.write(packet, stream: 0)
        if isKey, !layout.isSound {
            try flush()
            group.keyFrameBytes = group.bytes.count
        }
    }

    private func beginsGroup(_ packet: MediaPacket) -> Bool {
        guard layout.isSound else {
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
        if layout.isSound || length >= layout.segmentSeconds - Self.tolerance { try endSegment(at: end) }
    }

    private func flush() throws(MediaError) {
        if entry == nil {
            // The first time only the header comes.
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
        // What an encoder puts in front of the sound is not heard.
        let begin = layout.isSound ? max(0, start) : start
        var done = PackagedSegment(
            name: HLSNames.segment(number), start: seconds(begin), seconds: seconds(end - begin), bytes: 0,
            pictureCount: segment.reduce(0) { $0 + $1.count }, keyFrames: [])
        let bytes = segment.flatMap(\.bytes)
        try write(bytes, to: done.name) {
            done.bytes = $0; done.vector = $1
        }
        var place = 0
        for group in segment {
            if let count = group.keyFrameBytes, let time = group.start {
                try done.keyFrames.append(
                    keyFrame(
                        bytes, place..<place + count, at: time, of: done.name,
                        number: keyFrameCount + done.keyFrames.count + 1))
            }
            place += group.bytes.count
        }
        keyFrameCount += done.keyFrames.count
        segments.append(done)
        segment = []
    }

    /// A part of its segment or, where that is encrypted as a whole, a file of its own.
    private func keyFrame(
        _ bytes: [UInt8], _ range: Range<Int>, at time: Int64, of segment: String, number: Int
    ) throws(MediaError) -> PackagedKeyFrame {
        guard layout.key != nil else {
            return PackagedKeyFrame(name: segment, range: range, start: seconds(time), bytes: range.count)
        }
        var frame = PackagedKeyFrame(name: HLSNames.keyFrame(number), start: seconds(time), bytes: 0)
        try write(Array(bytes[range]), to: frame.name) {
            frame.bytes = $0; frame.vector = $1
        }
        return frame
    }

    /// Encrypts where a key is given, and tells the size of the file and what the encryption started with.
    private func write(_ bytes: [UInt8], to name: String, _ tell: (Int, [UInt8]?) -> Void) throws(MediaError) {
        var content = bytes
        var vector: [UInt8]?
        if let key = layout.key {
            let start = SegmentKey.randomBlock()
            content = try AES128(key: key.bytes).encrypt(bytes, vector: start)
            vector = start
        }
        try output.write(content, to: "\(layout.folder)/\(name)")
        tell(content.count, vector)
    }
}
