internal import CFFmpeg
package import WayreelCore

/// Excerpts of audio in memory, as an encoder gets them, to be encoded in several ways and compared.
///
/// Belongs to one thread at a time.
package final class AudioSamples {
    package let sampleRate: Int
    /// Of each channel; full scale is 1.
    package private(set) var channels: [[Float]]
    private let converter: AudioConverter

    /// For blocks of `source`, which are converted as ``AudioEncoder`` does.
    package init(of source: AudioFormat, sampleRate: Int, channelCount: Int) throws(MediaError) {
        self.sampleRate = sampleRate
        channels = Array(repeating: [], count: channelCount)
        converter = try AudioConverter(from: source, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// Samples of each channel.
    package var count: Int { channels[0].count }

    /// Appends a block, or for nil the rest at the end.
    package func append(_ block: AudioBlock?) throws(MediaError) {
        guard let block = try converter.convert(block) else { return }
        for channel in channels.indices {
            channels[channel] += UnsafeBufferPointer(
                start: block.samples(of: channel, as: Float.self), count: block.count)
        }
    }

    /// What an encoding weighs, and how similar its decoded samples are, by ``NoiseToMask``; nil where there are too
    /// few samples.
    package func measure(_ settings: AudioEncoder.Settings) throws(MediaError) -> (bytes: Int, similarity: Double?) {
        let format = AudioFormat(sampleRate: sampleRate, channels: ChannelLayout(count: channels.count).channels)
        let encoder = try AudioEncoder(settings, source: format)
        let decoder = try EncodedSamples(of: encoder)
        var bytes = 0
        // A second at a time.
        var blocks = stride(from: 0, to: count, by: sampleRate).makeIterator()
        let run = SampleBuffer(converter.target)
        while let packet = try encoder.next(from: { () throws(MediaError) in
            try blocks.next().map { (start) throws(MediaError) in try block(from: start, in: run) }
        }) {
            bytes += packet.bytes.count
            try decoder.decode(packet)
        }
        try decoder.decode(nil)
        guard var measure = NoiseToMask(sampleRate: sampleRate), decoder.channels.count == channels.count else {
            return (bytes, nil)
        }
        for (original, decoded) in zip(channels, decoder.channels) {
            // The encoder begins with silence of its own.
            measure.add(original, Array(decoded.dropFirst(encoder.delay)))
        }
        return (bytes, measure.similarity)
    }

    /// Returns the samples of at most a second in `buffer`.
    private func block(from start: Int, in buffer: SampleBuffer) throws(MediaError) -> AudioBlock {
        let range = start..<min(start + sampleRate, count)
        buffer.removeAll()
        let run = try buffer.append(upTo: range.count) { planes in
            for (plane, samples) in zip(planes, channels) {
                samples[range].withUnsafeBytes { plane.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            }
            return range.count
        }
        return SampleRun(buffer: buffer, range: run).block(start: start)
    }
}

/// Decodes what an encoder of audio emits, all of it: also the silence that the encoder begins with.
///
/// Belongs to one thread at a time.
private final class EncodedSamples {
    private let decoder: Decoder
    private let frame: Frame
    private(set) var channels: [[Float]] = []

    init(of encoder: AudioEncoder) throws(MediaError) {
        frame = try Frame()
        var parameters = avcodec_parameters_alloc()
        defer { avcodec_parameters_free(&parameters) }
        guard let parameters, avcodec_parameters_from_context(parameters, encoder.context) >= 0 else {
            throw MediaError(.limit, step: .decode, reason: "no memory for a decoder")
        }
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        decoder = try Decoder(
            Decoder.codec(parameters.pointee.codec_id, name: name, advice: "choose another encoder"), name: name,
            parameters: parameters
        ) { context in
            context.pointee.flags2 |= ffmpeg_skip_manually
        }
    }

    /// nil: the rest at the end.
    func decode(_ packet: Packet?) throws(MediaError) {
        let status = try decoder.send(packet)
        try FFmpeg.check(status, .decoding, step: .quality, subject: decoder.name)
        while case .frame = try decoder.receive(frame) { try append(frame.pointer) }
    }

    private func append(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        guard frame.pointee.format == AV_SAMPLE_FMT_FLTP.rawValue, let planes = frame.pointee.extended_data else {
            throw MediaError(.unsupported, step: .quality, reason: "\(decoder.name) does not decode to planar floats")
        }
        let count = Int(frame.pointee.ch_layout.nb_channels)
        if channels.isEmpty { channels = Array(repeating: [], count: count) }
        for channel in 0..<min(count, channels.count) {
            guard let plane = planes[channel] else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: Int(frame.pointee.nb_samples)) { samples in
                channels[channel] += UnsafeBufferPointer(start: samples, count: Int(frame.pointee.nb_samples))
            }
        }
    }
}
