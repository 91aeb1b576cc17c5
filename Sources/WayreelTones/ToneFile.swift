internal import WayreelAV
public import WayreelCore

/// How a mixture of test signals is written.
///
/// Equal mixtures and files give equal bytes. Memory does not depend on the length.
public struct ToneFile: Hashable, Sendable {
    public enum Container: String, Hashable, Sendable, CaseIterable {
        /// RIFF/WAVE, from 4 GiB on RF64.
        case wav
        /// 16 or 24 bits, up to 8 channels, less than 655,350 Hz.
        case flac
        /// Apple's Core Audio Format, with little-endian samples.
        case caf
        /// Interleaved little-endian samples without a header.
        case raw

        /// The container that a file name ends with; nil for others.
        public init?(fileName: String) {
            switch fileName.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased() {
            case "wav", "wave": self = .wav
            case "flac": self = .flac
            case "caf": self = .caf
            case "raw", "pcm": self = .raw
            default: return nil
            }
        }
    }

    public var container: Container
    public var samples: ToneSamples
    /// Whether integers are dithered: a triangular distribution of ±1 LSB.
    public var hasDither: Bool

    public init(_ container: Container, samples: ToneSamples = .int16, hasDither: Bool = true) {
        self.container = container
        self.samples = samples
        self.hasDither = hasDither
    }

    /// Writes a mixture to a file, which appears when it is complete, or to standard output for `-`. Returns the warnings of
    /// the mixture, and one if samples exceed full scale.
    ///
    /// Throws the errors of ``ToneMix/warnings()``, a `parameter` error for what the container cannot hold, an `io` error, and
    /// `cancelled`.
    public func write(
        _ mix: ToneMix, to path: String, ifExists: ExistingOutput = .replace, cancellation: Cancellation? = nil
    ) throws(MediaError) -> [MediaWarning] {
        var warnings = try check(mix)
        let output = try AtomicOutput(path, ifExists: ifExists, access: container == .flac ? .seekable : .sequential)
        let overCount =
            container == .flac
            ? try writeFLAC(mix, to: output, cancellation) : try writePCM(mix, to: output, cancellation)
        try output.finish()
        if let warning = warning(overCount) { warnings.append(warning) }
        return warnings
    }

    /// Returns the warnings of the mixture. Throws as ``write(_:to:ifExists:cancellation:)``, apart from errors while it writes.
    package func check(_ mix: ToneMix) throws(MediaError) -> [MediaWarning] {
        let fault = ErrorSite(.parameter, step: .tone)
        let warnings = try mix.warnings()
        if container == .flac {
            guard samples == .int16 || samples == .int24 else {
                throw fault("FLAC holds samples of 16 or 24 bits here", "use --bits 16 or 24, or WAV")
            }
            guard mix.channelCount <= 8 else {
                throw fault("FLAC has at most 8 channels, not \(mix.channelCount)", "use WAV, or fewer channels")
            }
            guard mix.sampleRate < 65_535 || mix.sampleRate % 10 == 0 && mix.sampleRate < 655_350 else {
                throw fault(
                    "FLAC has no sample rate of \(mix.sampleRate) Hz",
                    "use less than 65535 Hz, or a multiple of 10 below 655350")
            }
        }
        return warnings
    }

    private func warning(_ overCount: Int) -> MediaWarning? {
        guard overCount > 0 else { return nil }
        let effect = samples == .float ? "exceed full scale" : "exceed full scale and are clipped"
        return MediaWarning(
            step: .tone, "\(overCount == 1 ? "1 sample" : "\(overCount) samples") \(effect)",
            advice: "lower the levels, whose amplitudes add up")
    }

    /// Writes a checked mixture, not as FLAC. Returns the number of samples above full scale.
    ///
    /// - Parameter offset: That of ``ToneSet/Signal/offset``.
    package func writePCM(
        _ mix: ToneMix, offset: Int? = nil, to output: some ByteSink, _ cancellation: Cancellation? = nil
    ) throws(MediaError) -> Int {
        let renderer: any ToneBlocks =
            if let offset { DownsampledTone(mix, offset: offset) } else { ToneRenderer(mix) }
        var quantizer = SampleQuantizer(
            samples, channelCount: mix.channelCount, hasDither: hasDither, seed: mix.seed)
        let format = (mix.sampleRate, mix.channelCount, mix.frameCount)
        switch container {
        case .wav: try output.write(ToneHeaders.wave(samples, format))
        case .caf: try output.write(ToneHeaders.caf(samples, format))
        case .flac, .raw: break
        }
        var bytes: [UInt8] = []
        while true {
            try cancellation?.check(step: .tone)
            let count = renderer.next()
            guard count > 0 else { break }
            bytes.removeAll(keepingCapacity: true)
            quantizer.append(renderer.planes, count: count, isSounding: renderer.isSounding, to: &bytes)
            try output.write(bytes)
        }
        if container == .wav, mix.frameCount * mix.channelCount * samples.byteCount % 2 == 1 { try output.write([0]) }
        return quantizer.overCount
    }

    private func writeFLAC(
        _ mix: ToneMix, to output: AtomicOutput, _ cancellation: Cancellation?
    ) throws(MediaError) -> Int {
        let renderer = ToneRenderer(mix)
        var quantizer = SampleQuantizer(
            samples, channelCount: mix.channelCount, hasDither: hasDither, seed: mix.seed)
        let encoder = try LosslessEncoder(
            flac: samples.bits, sampleRate: mix.sampleRate, channelCount: mix.channelCount,
            mask: ToneHeaders.speakers(mix.channelCount))
        let muxer = try Muxer("flac", to: output)
        let stream = try muxer.add(encoder)
        try muxer.begin()
        let size = encoder.frameSize * mix.channelCount
        var waiting: [Int32] = []
        func encode(_ samples: ArraySlice<Int32>?) throws(MediaError) {
            try encoder.encode(samples) { (packet) throws(MediaError) in try muxer.write(packet, stream: stream) }
        }
        while true {
            try cancellation?.check(step: .tone)
            let count = renderer.next()
            guard count > 0 else { break }
            waiting += quantizer.interleaved(renderer.planes, count: count, isSounding: renderer.isSounding)
            var used = 0
            while waiting.count - used >= size {
                try encode(waiting[used..<used + size])
                used += size
            }
            waiting.removeFirst(used)
        }
        if !waiting.isEmpty { try encode(waiting[...]) }
        try encode(nil)
        try muxer.finish()
        return quantizer.overCount
    }
}
