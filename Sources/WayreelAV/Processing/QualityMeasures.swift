internal import Glibc
package import WayreelCore
internal import WayreelKernels

/// The noise-to-mask ratio of encoded audio: how far what an encoder has changed lies above or below what the original
/// masks.
///
/// It is the model output variable "Total NMR" of ITU-R BS.1387-2 (PEAQ), basic version, in the words and with the
/// constants of P. Kabal, "An Examination and Interpretation of ITU-R BS.1387", McGill University, 2003. For each frame
/// of 2048 samples, every 1024:
///
/// 1. The power spectra of original and encoded audio through a Hann window; a sine of full scale has 92 dB SPL. Both
///    are weighted by the outer and middle ear.
/// 2. The noise is the squared difference of their magnitudes. Noise and original are summed in bands of a quarter of a
///    Bark from 80 Hz to 18 kHz; z = 7·asinh(f / 650).
/// 3. The mask is the original with the ear's own noise, spread over bands and over time, less 3 dB up to 12 Bark and
///    0.25·z dB beyond.
///
/// The ratio is the mean of noise ÷ mask over bands, frames and channels. Unlike the recommendation, which is for 48
/// kHz, sample rates are kept, and frames are as long as nearly 43 ms take. Frames of silence in both are left out.
package struct NoiseToMask {
    /// The samples of a frame, a power of two.
    package let frameSize: Int
    private let window: [Double]
    private let turns: [Double]
    /// The weight of each line of the spectrum, which also has the level.
    private let ear: [Double]
    private let bands: [Band]
    private let slopes: [Double]
    private let spreadOfOnes: [Double]

    private var sum = 0.0
    private var count = 0

    fileprivate struct Band {
        /// The frequency of its centre in Hz.
        let centre: Double
        /// Lines of the spectrum, the first and the last by a share.
        var lines: Range<Int>
        var shares: [Double]
        var internalNoise: Double
        /// Of the mask, as a factor.
        var offset: Double
        /// What is left of the excitation after a frame.
        var decay: Double
    }

    private static let bark = 0.25
    private static let lowest = 80.0
    private static let highest = 18_000.0
    /// dB SPL of a sine of full scale.
    private static let fullScale = 92.0
    /// What a Hann window and a sine between two lines leave of the level, by Kabal's equation 5.
    private static let lineShare = 0.84971762641205
    private static let leastEnergy = 1e-12

    /// For audio of a sample rate; nil where it is too low for bands.
    package init?(sampleRate: Int) {
        guard sampleRate >= 4000 else { return nil }
        let wanted = log2(2048 * Double(sampleRate) / 48_000)
        let size = 1 << Int(wanted.rounded())
        frameSize = size
        window = (0..<size).map { 0.5 * (1 - cos(2 * .pi * Double($0) / Double(size - 1))) }
        turns = (0..<size / 2).flatMap { index in
            let angle = -2 * .pi * Double(index) / Double(size)
            return [cos(angle), sin(angle)]
        }
        let level = pow(10, Self.fullScale / 20) / (Self.lineShare / 4 * Double(size - 1))
        let width = Double(sampleRate) / Double(size)
        ear = (0...size / 2).map { line in
            let kHz = Double(line) * width / 1000
            let weight = -2.184 * pow(kHz, -0.8) + 6.5 * exp(-0.6 * (kHz - 3.3) * (kHz - 3.3)) - 0.001 * pow(kHz, 3.6)
            return level * level * pow(10, weight / 10)
        }
        let highest = min(Self.highest, Double(sampleRate) / 2)
        let (first, last) = (Self.barks(Self.lowest), Self.barks(highest))
        let hop = Double(size / 2) / Double(sampleRate)
        bands = (0..<Int(((last - first) / Self.bark).rounded(.up))).map { index in
            let low = first + Double(index) * Self.bark
            let high = min(low + Self.bark, last)
            return Band(
                from: Self.hertz(low), to: Self.hertz(high), centre: Self.hertz((low + high) / 2),
                barks: Double(index) * Self.bark, width: width, lines: size / 2 + 1, hop: hop)
        }
        slopes = bands.map { 24 + 230 / $0.centre }
        var spread = [Double](repeating: 0, count: bands.count)
        wr_spread_bands([Double](repeating: 1, count: bands.count), slopes, bands.count, &spread)
        spreadOfOnes = spread
    }

    private static func barks(_ hertz: Double) -> Double { 7 * asinh(hertz / 650) }
    private static func hertz(_ barks: Double) -> Double { 650 * sinh(barks / 7) }

    // MARK: Comparing

    /// Takes one channel of both, whole and aligned; full scale is 1. What one has more than the other is left out.
    package mutating func add(_ original: [Float], _ encoded: [Float]) {
        let length = min(original.count, encoded.count)
        var (first, second) = ([Double](repeating: 0, count: ear.count), [Double](repeating: 0, count: ear.count))
        var work = [Double](repeating: 0, count: frameSize)
        var excitation = [Double](repeating: 0, count: bands.count)
        var smeared = excitation
        for start in stride(from: 0, through: length - frameSize, by: frameSize / 2) {
            let range = start..<start + frameSize
            let isSilent = original[range].allSatisfy { $0 == 0 } && encoded[range].allSatisfy { $0 == 0 }
            original.withUnsafeBufferPointer { samples in
                wr_power_spectrum(samples.baseAddress! + start, window, turns, frameSize, &work, &first)
            }
            encoded.withUnsafeBufferPointer { samples in
                wr_power_spectrum(samples.baseAddress! + start, window, turns, frameSize, &work, &second)
            }
            for line in ear.indices {
                // Both from the same bits: equal audio has no noise at all.
                let difference = first[line].squareRoot() - second[line].squareRoot()
                first[line] *= ear[line]
                second[line] = difference * difference * ear[line]
            }
            spread(first, to: &excitation)
            var total = 0.0
            for (index, band) in bands.enumerated() {
                smeared[index] = band.decay * smeared[index] + (1 - band.decay) * excitation[index]
                let mask = max(smeared[index], excitation[index]) * band.offset
                total += band.energy(second) / mask
            }
            if isSilent { continue }
            sum += total / Double(bands.count)
            count += 1
        }
    }

    private func spread(_ powers: [Double], to excitation: inout [Double]) {
        let energies = bands.map { max($0.energy(powers), Self.leastEnergy) + $0.internalNoise }
        wr_spread_bands(energies, slopes, bands.count, &excitation)
        for index in bands.indices { excitation[index] /= spreadOfOnes[index] }
    }

    // MARK: Results

    /// Noise ÷ mask of what was taken: 0 for equal audio; nil where there is not one frame of sound.
    package var ratio: Double? { count > 0 ? sum / Double(count) : nil }

    /// The ratio on the scale of ``Similarity``: 1 for equal audio, down to 0. `1 / (1 + ratio / 19)`.
    ///
    /// SSIM is of that form: of a window with variance s and independent noise of variance n it is 1 / (1 + n / 2s),
    /// the noise in proportion to what hides it. The factor puts both thresholds into one place. At a ratio of 1, which
    /// is 0 dB, half of the listeners just notice the noise. Half of the viewers just notice a compression at an SSIM
    /// of 0.95: J. Flynn, S. Ward, J. Abich, D. Poole, "Image Quality Assessment Using the SSIM and the Just Noticeable
    /// Difference Paradigm", 2013.
    package var similarity: Double? { ratio.map { 1 / (1 + $0 * (1 - Self.noticed) / Self.noticed) } }

    /// The SSIM of a compression that half of the viewers notice.
    private static let noticed = 0.95
}

extension NoiseToMask.Band {
    /// The band from one frequency to another, in Hz. `barks` is its distance from the lowest band, `width` the
    /// distance of the spectrum's `lines`.
    fileprivate init(
        from low: Double, to high: Double, centre: Double, barks: Double, width: Double, lines count: Int, hop: Double
    ) {
        self.centre = centre
        let first = Int((low / width).rounded())
        let last = min(Int((high / width).rounded()), count - 1)
        lines = first..<last + 1
        shares = lines.map { line in
            let (from, to) = ((Double(line) - 0.5) * width, (Double(line) + 0.5) * width)
            return max(0, min(high, to) - max(low, from)) / width
        }
        internalNoise = pow(10, 0.1456 * pow(centre / 1000, -0.8))
        offset = pow(10, -(barks <= 12 ? 3 : 0.25 * barks) / 10)
        let (least, at100Hz) = (0.008, 0.030)
        decay = exp(-hop / (least + 100 / centre * (at100Hz - least)))
    }

    /// The energy in the band, of the powers of all lines.
    fileprivate func energy(_ powers: [Double]) -> Double {
        var sum = 0.0
        for (share, line) in zip(shares, lines) { sum += share * powers[line] }
        return sum
    }
}

/// The structural similarity (SSIM) of the luma of two images, as measured by FFmpeg's filter `ssim`.
package struct Similarity {
    /// 8-bit luma: its first row, and the bytes from one row to the next.
    package typealias Luma = (base: UnsafePointer<UInt8>, stride: Int)

    private var rows: [[wr_similarity_sums]]
    private let size: PixelSize

    /// Measures images of `size`. Returns nil if that is smaller than a window.
    package init?(size: PixelSize) {
        guard size.width >= 8, size.height >= 8 else { return nil }
        self.size = size
        rows = Array(repeating: Array(repeating: wr_similarity_sums(), count: size.width / 4), count: 2)
    }

    /// Returns 1 for equal images, down to −1 for others.
    package mutating func compare(_ first: Luma, _ second: Luma) -> Double {
        let blocks = (across: size.width / 4, down: size.height / 4)
        var total = 0.0
        for y in 0..<blocks.down {
            wr_similarity_blocks(
                first.base + 4 * y * first.stride, first.stride, second.base + 4 * y * second.stride, second.stride,
                blocks.across, &rows[y % 2])
            if y > 0 { total += wr_similarity_windows(rows[0], rows[1], blocks.across - 1) }
        }
        return total / Double((blocks.across - 1) * (blocks.down - 1))
    }

    /// Compares frames with planar 8-bit luma.
    package mutating func compare(_ first: Frame, _ second: Frame) throws(MediaError) -> Double {
        try first.withPlanes { (one) throws(MediaError) in
            try second.withPlanes { other in
                compare(
                    (UnsafePointer(one[0].row(0)), one[0].stride), (UnsafePointer(other[0].row(0)), other[0].stride))
            }
        }
    }
}
