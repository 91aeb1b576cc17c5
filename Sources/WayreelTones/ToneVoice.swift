internal import Glibc
internal import WayreelCore

/// Renders the samples of one tone of a mixture, in order. Belongs to one thread.
final class ToneVoice {
    private enum Source {
        case table(HarmonicTable)
        /// Samples of the ideal wave.
        case ideal(Tone.Wave)
        /// A sine, f₁T/ln(f₂/f₁) in cycles, and ln(f₂/f₁)/T per sample.
        case sweep(HarmonicTable, cycles: Double, rate: Double)
        case noise(NoiseSource)
        /// Unit samples, with a distance in samples; nil for one only.
        case clicks(distance: Double?)
    }

    /// Counted from 0.
    let channels: [Int]
    /// Samples of the mixture.
    let range: Range<Int>
    private var source: Source
    private let gain: Double
    /// In units of 2⁻⁶⁴ cycles: at the start, and from sample to sample.
    private let phase: UInt64
    private let step: UInt64
    /// In samples.
    private let fadeIn: Double
    private let fadeOut: Double

    /// `index` is the tone's place in the mixture, which is checked. Returns nil for silence. With `oversampling`, there are
    /// so many samples for each one of the mixture; the band remains that of the mixture.
    init?(_ tone: Tone, index: Int, of mix: ToneMix, oversampling: Int) {
        let rate = Double(mix.sampleRate) * Double(oversampling)
        let frame = { (seconds: Double) in min(Int((seconds * Double(mix.sampleRate)).rounded()), mix.frameCount) }
        let end = tone.duration.map { frame(tone.start + $0) } ?? mix.frameCount
        let frames = min(frame(tone.start), end)..<end
        range = frames.lowerBound * oversampling..<frames.upperBound * oversampling
        channels = tone.channels.isEmpty ? Array(0..<mix.channelCount) : tone.channels.map { $0 - 1 }
        fadeIn = tone.fadeIn * rate
        fadeOut = tone.fadeOut * rate
        phase = UInt64(cycles: tone.phase / 360)
        step = UInt64(cycles: (tone.wave.hertz ?? 0) / rate)
        /// The RMS of the wave with the amplitude 1.
        let rms: Double
        switch tone.wave {
        case .silence: return nil
        case .sine:
            rms = 0.5.squareRoot()
            source = .table(HarmonicTable([1]))
        case .square, .sawtooth, .triangle:
            if mix.isNaive {
                if case .square = tone.wave { rms = 1 } else { rms = (1 / 3.0).squareRoot() }
                source = .ideal(tone.wave)
            } else {
                let amplitudes = (1...mix.harmonicCount(of: tone.wave)).map { tone.wave.amplitude(ofHarmonic: $0) }
                rms = (amplitudes.reduce(0) { $0 + $1 * $1 } / 2).squareRoot()
                source = .table(HarmonicTable(amplitudes))
            }
        case .sweep(let from, let to):
            rms = 0.5.squareRoot()
            let ratio = log(to / from)
            let count = Double(max(range.count, 1))
            source = .sweep(HarmonicTable([1]), cycles: from * count / rate / ratio, rate: ratio / count)
        case .whiteNoise, .pinkNoise:
            let isPink = tone.wave == .pinkNoise
            rms = isPink ? 1 : (1 / 3.0).squareRoot()
            source = .noise(NoiseSource(seed: tone.seed ?? mix.seed &+ UInt64(index), pinkAt: isPink ? rate : nil))
        case .impulse:
            // Its level is that of its peak.
            rms = 0.5.squareRoot()
            source = .clicks(distance: nil)
        case .clicks(let perSecond):
            rms = 0.5.squareRoot()
            source = .clicks(distance: rate / perSecond)
        }
        let factor = tone.level.factor * pow(10, mix.gain / 20)
        if case .rms = tone.level { gain = factor * 0.5.squareRoot() / rms } else { gain = factor }
    }

    /// Overwrites `samples` with those of the mixture from `position` on, which are in ``range`` and follow the last ones.
    func render(to samples: UnsafeMutableBufferPointer<Double>, from position: Int) {
        let first = position - range.lowerBound
        let start = phase &+ UInt64(first) &* step
        switch source {
        case .table(let table):
            table.fill(samples, gain: gain) { index in start &+ UInt64(index) &* step }
        case .ideal(let wave):
            var phase = start
            for index in samples.indices {
                samples[index] = gain * wave.idealValue(at: phase)
                phase &+= step
            }
        case .sweep(let table, let cycles, let rate):
            let ratio = exp(rate)
            var power = 0.0
            table.fill(samples, gain: gain) { index in
                // Products are exact enough for a few samples.
                power = index % 32 == 0 ? exp(Double(first + index) * rate) : power * ratio
                return phase &+ UInt64(cycles: cycles * (power - 1))
            }
        case .noise(var noise):
            for index in samples.indices { samples[index] = gain * noise.next() }
            source = .noise(noise)
        case .clicks(let distance):
            samples.update(repeating: 0)
            let inside = first..<first + samples.count
            guard let distance else {
                if inside.contains(0) { samples[0] = gain }
                break
            }
            var number = (Double(first) / distance - 1).rounded(.down)
            while true {
                let place = Int((max(number, 0) * distance).rounded())
                guard place < inside.upperBound else { break }
                if inside.contains(place) { samples[place - first] = gain }
                number = max(number, 0) + 1
            }
        }
        fade(samples, from: first)
    }

    /// Applies the half cosines of the fades to samples from the one with the number `first` of this tone on.
    private func fade(_ samples: UnsafeMutableBufferPointer<Double>, from first: Int) {
        let inside = min(max(Int(fadeIn.rounded(.up)) - first, 0), samples.count)
        for index in 0..<inside {
            samples[index] *= 0.5 - 0.5 * cos(.pi * min(Double(first + index) / fadeIn, 1))
        }
        let outside = min(max(Int((Double(range.count) - fadeOut).rounded(.down)) - first, 0), samples.count)
        for index in outside..<samples.count where fadeOut > 0 {
            samples[index] *= 0.5 - 0.5 * cos(.pi * min(Double(range.count - first - index) / fadeOut, 1))
        }
    }
}

/// Renders a mixture block by block. Belongs to one thread.
final class ToneRenderer {
    /// Samples of each channel in all.
    let count: Int
    /// The samples of the last block, by channel; more than its count may be there.
    private(set) var planes: [[Double]]
    /// Whether any tone that is not silence sounds on a channel during the last block.
    private(set) var isSounding: [Bool]
    private var voices: [ToneVoice]
    private var position: Int
    private var scratch: [Double]

    static let blockSize = 4096

    /// The mixture is checked. See ``ToneVoice`` for `oversampling`. It starts at `first`, at or before the first tone.
    init(_ mix: ToneMix, oversampling: Int = 1, from first: Int = 0) {
        position = first
        count = mix.frameCount * oversampling
        voices = mix.tones.enumerated().compactMap { ToneVoice($1, index: $0, of: mix, oversampling: oversampling) }
        scratch = [Double](repeating: 0, count: Self.blockSize)
        planes = Array(repeating: scratch, count: mix.channelCount)
        isSounding = Array(repeating: false, count: mix.channelCount)
    }

    /// Renders the next block, in which no tone starts or ends. Returns its samples per channel, 0 at the end.
    func next() -> Int {
        var end = min(position + Self.blockSize, count)
        for voice in voices {
            for edge in [voice.range.lowerBound, voice.range.upperBound] where edge > position { end = min(end, edge) }
        }
        let size = end - position
        guard size > 0 else { return 0 }
        voices.removeAll { $0.range.upperBound <= position }
        for channel in planes.indices {
            isSounding[channel] = false
            planes[channel].withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        }
        for voice in voices where voice.range.contains(position) {
            scratch.withUnsafeMutableBufferPointer { scratch in
                voice.render(to: UnsafeMutableBufferPointer(rebasing: scratch[..<size]), from: position)
                for channel in voice.channels {
                    isSounding[channel] = true
                    planes[channel].withUnsafeMutableBufferPointer { plane in
                        for index in 0..<size { plane[index] += scratch[index] }
                    }
                }
            }
        }
        position = end
        return size
    }
}
