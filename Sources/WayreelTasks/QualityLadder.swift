public import WayreelCore
internal import WayreelImage
public import WayreelVideo

/// The possible encodings of an output: the first as its task specifies, each further one smaller.
public struct QualityLadder: Hashable, Sendable, Codable {
    public enum Setting: Hashable, Sendable, Codable {
        /// The settings of the task.
        case asPlanned
        /// The quality of JPEG, WebP or AVIF, 1 to 100.
        case quality(Int)
        case crf(Double)
        /// Bits per second for two channels.
        case audioBitRate(Int)
        /// The renditions of HLS.
        case ladder([LadderRung])
    }

    public struct Step: Hashable, Sendable, Codable {
        public var setting: Setting
        /// The size of the file, or of all files of HLS.
        public var bytes: Int
        /// The SSIM of the luma, for HLS the mean of its renditions; for audio the noise-to-mask ratio on the same
        /// scale from 0 to 1, which is no loss.
        public var similarity: Double
    }

    /// The size of the output, for HLS of its largest rendition; nil for audio.
    public var size: PixelSize?
    /// The duration of audio and video.
    public var seconds: Double?
    /// Whether ``Step/bytes`` are the exact sizes that the task will write; otherwise they are estimated from excerpts.
    public var isExact: Bool
    public var steps: [Step]

    /// The image qualities to try, below the requested one.
    static let imageQualities = [76, 70, 64, 58, 52, 46, 40, 34, 28, 24, 20]

    init(size: PixelSize? = nil, seconds: Double? = nil, isExact: Bool, steps: [Step]) {
        self.size = size
        self.seconds = seconds
        self.isExact = isExact
        self.steps = Array(steps.prefix(1))
        // A step must be smaller than the one before it.
        for step in steps.dropFirst() where step.bytes < self.steps[self.steps.count - 1].bytes {
            self.steps.append(step)
        }
    }

    init(_ image: ImageQualities) {
        let steps = image.readings.enumerated().map { index, reading in
            Step(
                setting: index == 0 ? .asPlanned : reading.quality.map { .quality($0) } ?? .asPlanned,
                bytes: reading.bytes, similarity: reading.similarity)
        }
        self.init(size: image.size, isExact: true, steps: steps)
    }

    init(_ file: TranscodeQualities) {
        let steps = file.readings.map { reading in
            let setting: Setting =
                switch reading.rate {
                case .asPlanned: .asPlanned
                case .crf(let crf): .crf(crf)
                case .audio(let bitRate): .audioBitRate(bitRate)
                case .ladder(let rungs): .ladder(rungs)
                }
            return Step(setting: setting, bytes: reading.bytes, similarity: reading.similarity)
        }
        self.init(size: file.size, seconds: file.seconds, isExact: false, steps: steps)
    }
}
