internal import WayreelAV
internal import WayreelCore

/// Reads the packets of one track of a segment, and decodes them if that is requested.
struct SegmentTrackReader {
    private var track: SegmentContent.Track
    private let file: Demuxer
    private let stream: Int
    /// The number of bytes of a NAL unit's length; nil for start codes and other codecs.
    private let lengthSize: Int?
    private let decodingThreads: Int?
    private var decoder: StrictDecoder?

    /// `entry`: the track's sample entry in MP4. `sampleLength`: the default duration of its samples.
    init(
        _ stream: MediaStream, of file: Demuxer, _ entry: SampleEntry?, sampleLength: Int?, decodingThreads: Int?
    ) {
        (self.file, self.stream, self.decodingThreads) = (file, stream.index, decodingThreads)
        lengthSize = entry?.nalLengthSize
        track = SegmentContent.Track(
            isVideo: stream.kind == .video, codec: entry.map(\.codec) ?? Self.codec(stream, file),
            codecName: stream.codec, format: entry?.format)
        track.sizes = stream.videoProperties.map { [$0.size, $0.displayedSize] } ?? []
        track.channelCount = stream.format?.channels.count
        track.nominalRate = entry?.bitRate
        track.transfer = stream.videoProperties.flatMap { $0.color.transfer == "unknown" ? nil : $0.color.transfer }
        track.step = sampleLength.map { Double($0) * file.timeBase(of: stream.index).value } ?? 0
    }

    /// Adds the next packet of the track.
    mutating func add(_ packet: Packet) throws(MediaError) {
        guard let time = packet.presentationTime else { return }
        let unit = file.timeBase(of: stream).value
        let seconds = Double(time) * unit
        let isIndependent =
            !track.isVideo
            || AccessUnit.isIndependent(
                packet.bytes, codec: track.codecName, lengthSize: lengthSize, isKeyFrame: packet.isKeyFrame)
        if track.times.isEmpty { try begin(with: packet, isIndependent) }
        try decode(packet)
        track.times.append(seconds)
        if track.isVideo, isIndependent { track.keyTimes.append(seconds) }
        let end = seconds + Double(max(0, packet.duration)) * unit
        track.end = track.times.count == 1 ? end : max(track.end, end)
        track.bytes += packet.bytes.count
    }

    private mutating func begin(with packet: Packet, _ isIndependent: Bool) throws(MediaError) {
        track.isIndependent = isIndependent
        // Frames that depend on the previous segment cannot be decoded here.
        guard isIndependent else { return }
        if let decodingThreads {
            decoder = try StrictDecoder(file, stream: stream, threads: decodingThreads, limits: .standard)
        } else if track.isVideo, track.transfer == nil {
            track.transfer = Self.transfer(ofFirst: packet, file)
        }
    }

    private mutating func decode(_ packet: Packet) throws(MediaError) {
        guard let decoder else { return }
        try decoder.decode(packet)
        if ["h264", "hevc"].contains(track.codecName), !NALSyntax.isValid(packet.bytes, lengthSize: lengthSize) {
            track.faultCount += 1
        }
    }

    /// Returns the track; nil if it has no packets.
    mutating func finish() throws(MediaError) -> SegmentContent.Track? {
        if let decoder {
            try decoder.decode(nil)
            track.transfer = decoder.transfer ?? track.transfer
            // The first packets of a segment of MP3 may depend on those before, because of its bit reservoir.
            let needed = track.codecName == "mp3" ? 2 : 0
            // A packet may be detected in both ways, and a decoder may report several errors for one.
            let faultCount = max(track.faultCount, decoder.faultCount - needed)
            track.faultCount = min(faultCount, track.times.count)
        }
        track.times.sort()
        guard let last = track.times.last else { return nil }
        let steps = zip(track.times.dropFirst(), track.times).map { $0 - $1 }.sorted()
        if !steps.isEmpty {
            track.step = steps[steps.count / 2]
        } else if track.step == 0 {
            track.step = track.seconds
        }
        // Some containers do not store the duration of a packet.
        if track.end <= last { track.end = last + track.step }
        return track
    }

    /// Returns the transfer function of the frame in a packet that starts decoding, or nil if it cannot be decoded.
    private static func transfer(ofFirst packet: Packet, _ file: Demuxer) -> String? {
        let decoder = try? StrictDecoder(file, stream: packet.stream, threads: 1, limits: .standard)
        try? decoder?.decode(packet)
        try? decoder?.decode(nil)
        return decoder?.transfer
    }

    /// Returns the profile of a stream without a sample entry: from the codec's header or FFmpeg's name of the
    /// profile.
    private static func codec(_ stream: MediaStream, _ file: Demuxer) -> String? {
        switch stream.codec {
        case "h264":
            // Find a sequence parameter set after a start code.
            let data = file.extraData(of: stream.index)
            for offset in data.indices.dropLast(6)
            where data[offset] == 0 && data[offset + 1] == 0 && data[offset + 2] == 1
                && data[offset + 3] & 0x1F == 7
            {
                return CodecString.avc(
                    "avc1", profile: data[offset + 4], constraints: data[offset + 5], level: data[offset + 6])
            }
            return nil
        case "aac": return ["LC": "mp4a.40.2", "HE-AAC": "mp4a.40.5", "HE-AACv2": "mp4a.40.29"][stream.profile ?? "LC"]
        case "mp3": return "mp4a.40.34"
        case "ac3": return "ac-3"
        case "eac3": return "ec-3"
        default: return nil
        }
    }
}
