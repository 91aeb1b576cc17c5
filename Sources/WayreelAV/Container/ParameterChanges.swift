internal import CFFmpeg

/// Detects changes of frame size and scan within video streams, from the packets read so far.
struct ParameterChanges {
    /// Every format seen, by stream.
    private var formats: [Int: Set<FrameFormat>] = [:]
    /// Parsers of streams that FFmpeg's demuxer does not parse.
    private var parsers: [Int: KeyFrameParser] = [:]
    /// Streams with a parser here that have several codec headers.
    private var streamsWithNewHeaders: Set<Int> = []

    /// Also parses a stream whose container describes its frames only in the header.
    mutating func track(_ index: Int, _ stream: UnsafeMutablePointer<AVStream>) {
        if av_stream_get_parser(stream) == nil { parsers[index] = KeyFrameParser(stream.pointee.codecpar) }
    }

    mutating func observe(_ packet: Packet, of stream: UnsafeMutablePointer<AVStream>) {
        let index = packet.stream
        if parsers[index] != nil, packet.hasSideData(AV_PKT_DATA_NEW_EXTRADATA) { streamsWithNewHeaders.insert(index) }
        guard let format = FrameFormat(of: stream) ?? parsers[index]?.format(of: packet) else { return }
        formats[index, default: []].insert(format)
    }

    func changesSize(of index: Int) -> Bool {
        streamsWithNewHeaders.contains(index) || Set(formats[index]?.map(\.size) ?? []).count > 1
    }

    func changesScan(of index: Int) -> Bool { Set(formats[index]?.map(\.isInterlaced) ?? []).count > 1 }
}
