internal import CFFmpeg
internal import WayreelCore

/// What is declared about the samples of a track beside its packets.
struct GaplessInfo {
    /// Samples at the beginning that are not presented.
    let delay: Int
    /// Samples that are presented after them; nil if unknown, or if the declaration contradicts the length of the track.
    private(set) var sampleCount: Int?
    /// Samples with the delay and the padding; nil if the length of the track was compared with them.
    private(set) var wholeCount: Int?
    /// The samples that are presented, if the length of the track was compared with them.
    var certainCount: Int? { wholeCount == nil ? sampleCount : nil }
    /// Whether FFmpeg does not ask to skip the delay. A delay that it asks to skip, such as that of a LAME tag, takes
    /// precedence.
    private(set) var isOwn = false

    /// The delays that FFmpeg applies.
    private static let delays = 0..<16_384

    private init(delay: Int) { self.delay = delay }

    /// Forgets a number of samples that is not that of the track.
    mutating func forgetLength() { (sampleCount, wholeCount) = (nil, nil) }

    /// Containers whose packets have no timestamps, and whose ID3 tag may be of iTunes.
    private static let tagged: Set = ["mp3", "aac"]

    /// Returns what is declared about the samples of a stream beside its packets: by iTunes, by the packet table of CAF,
    /// or by the header of Opus. nil if nothing is, and for a stream with an edit list, which takes precedence.
    static func declared(
        in context: FormatContext, _ info: MediaInfo, _ tracks: [ISOTracks.Track]
    ) throws(MediaError) -> (index: Int, info: GaplessInfo)? {
        // FFmpeg applies the tag of iTunes in MP4 to the last stream.
        guard let stream = context.streams.last, let last = info.streams.last, last.kind == .audio else { return nil }
        let parameters = stream.pointee.codecpar.pointee
        let rate = Int(parameters.sample_rate)
        if context.container == "caf" {
            return try GaplessInfo(packetTableOf: context.file).map { (last.index, $0) }
        }
        if tagged.contains(context.container), context.streams.filter(\.isTimed).count == 1 {
            return context.iTunesTag.flatMap { GaplessInfo($0, sampleRate: rate, seconds: nil, isOwn: true) }
                .map { (last.index, $0) }
        }
        guard let track = tracks.first(where: { $0.id == Int(stream.pointee.id) }), !track.hasEdits else { return nil }
        if let text = context.iTunesTag {
            return GaplessInfo(text, sampleRate: rate, seconds: last.seconds).map { (last.index, $0) }
        }
        // The pre-skip in `dOps`, which FFmpeg's decoder applies. Edit lists usually repeat it.
        let header = stream.pointee.codecpar!.extraData
        guard parameters.codec_id == AV_CODEC_ID_OPUS, header.count >= 19 else { return nil }
        return (last.index, GaplessInfo(delay: Int(header[10]) | Int(header[11]) << 8))
    }

    /// Reads the packet table of a CAF file (Apple Core Audio Format Specification, "Packet Table Chunk"): the number of
    /// packets, of presented frames, of priming frames and of remaining ones. Returns nil if there is none, as for PCM.
    private init?(packetTableOf file: InputFile) throws(MediaError) {
        guard let size = file.size else { return nil }
        var offset = 8
        for _ in 0..<64 where offset + 12 <= size {
            let chunk = try file.bytes(at: offset, count: 36)
            let (length, numbers) = chunk.withUnsafeBytes { bytes in
                var cursor = ByteCursor(bytes)
                cursor.skip(4)
                let length = cursor.read(8)
                cursor.skip(8)
                return (length, cursor.isPastEnd ? nil : (cursor.read(8), cursor.read(4)))
            }
            if chunk.starts(with: "pakt".utf8) {
                guard let (frames, priming) = numbers, chunk.count == 36, frames > 0, priming < 1 << 16 else {
                    return nil
                }
                (delay, sampleCount, isOwn) = (priming, frames, true)
                return
            }
            // The length of the data is unknown if they end the file.
            guard length < size else { return nil }
            offset += 12 + length
        }
        return nil
    }

    /// Reads the tag iTunSMPB of iTunes. `text`: numbers in base 16, among them the delay, the padding and the number of
    /// samples. `seconds`: the length of the track with all of these. Returns nil if the text is invalid.
    private init?(_ text: String, sampleRate: Int, seconds: Double?, isOwn: Bool = false) {
        let numbers = text.split(separator: " ").map { Int($0, radix: 16) }
        guard numbers.count >= 4, let delay = numbers[1], let padding = numbers[2], let count = numbers[3],
            Self.delays.contains(delay)
        else { return nil }
        self.delay = delay
        self.isOwn = isOwn
        let (whole, isOver) = count.addingReportingOverflow(delay)
        let declared = Double(whole) + Double(padding)
        let isPlausible = seconds.map { abs(declared - $0 * Double(sampleRate)) < 0.1 * Double(sampleRate) } ?? true
        sampleCount = !isOver && count > 0 && isPlausible ? count : nil
        wholeCount = seconds == nil && declared < 1e15 ? whole + padding : nil
    }
}

extension FormatContext {
    /// The tag iTunSMPB of iTunes.
    var iTunesTag: String? {
        av_dict_get(pointer.pointee.metadata, "iTunSMPB", nil, 0).map { String(cString: $0.pointee.value) }
    }
}
