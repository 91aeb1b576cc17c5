internal import WayreelAV
package import WayreelCore
internal import WayreelKernels

/// The sizes of encodings of one image and their similarity to it, measured by encoding and decoding it.
package struct ImageQualities: Sendable {
    package struct Reading: Hashable, Sendable {
        /// The quality; nil if the format has none.
        package var quality: Int?
        /// The size of the file.
        package var bytes: Int
        /// SSIM of the luma, decoded, compared with the image before encoding; 1 means identical.
        package var similarity: Double
    }

    package let size: PixelSize
    package private(set) var readings: [Reading] = []

    /// Tries `qualities` besides that of `encoding`, which is measured first. A format without a quality has one
    /// reading.
    package init(
        of image: Image, as encoding: Encoding, qualities: [Int], metadata: OutputMetadata, task: TaskContext
    ) throws(MediaError) {
        size = image.size
        let original = try Luma(image)
        var encodings = [encoding]
        if encoding.hasQuality {
            encodings += qualities.map { quality in
                var other = encoding
                other.quality = quality
                if other.maxBytes != nil { other.maxQuality = quality }
                return other
            }
        }
        for candidate in encodings {
            try task.check()
            let made = try ImageEncoders.encode(image, as: candidate, metadata: metadata, task: task)
            let quality = candidate.hasQuality ? made.foundQuality ?? candidate.quality : nil
            readings.append(
                Reading(
                    quality: quality, bytes: made.bytes.count,
                    similarity: try original.similarity(of: made.bytes, task)))
        }
    }
}

/// The luma of an image in bytes.
private struct Luma {
    private let size: PixelSize
    private var bytes: [UInt8]

    init(_ image: Image) throws(MediaError) {
        size = image.size
        bytes = [UInt8](repeating: 0, count: size.pixels)
        let width = size.width
        image.withPlanes { planes in
            bytes.withUnsafeMutableBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                for y in 0..<planes.height {
                    wr_luma8(
                        planes.row(y, plane: 0), planes.row(y, plane: 1), planes.row(y, plane: 2), base + y * width,
                        width)
                }
            }
        }
    }

    /// Returns the similarity of an encoded file, decoded at its own size. For an image that is smaller than a window,
    /// returns 1.
    func similarity(of file: [UInt8], _ task: TaskContext) throws(MediaError) -> Double {
        // The user's limits have allowed the output, whatever its size.
        let limits = Limits(pixels: size.pixels, inputBytes: file.count)
        var decoded = try SourceImage(MediaBytes(file), limits: limits, task: task).decode(
            framing: Framing(), limits: limits, tolerance: .standard, task: task)
        try ColorPipeline(decoded.toSRGB).apply(to: &decoded.image, task: task)
        guard decoded.image.size == size, var comparison = Similarity(size: size) else { return 1 }
        let other = try Luma(decoded.image)
        return bytes.withUnsafeBufferPointer { first in
            other.bytes.withUnsafeBufferPointer { second in
                guard let first = first.baseAddress, let second = second.baseAddress else { return 1 }
                return comparison.compare((first, size.width), (second, size.width))
            }
        }
    }
}

/// Finds the best quality within a byte limit.
package enum QualitySearch {
    /// Returns the encoding with the highest quality, 1 to `maxQuality`, of at most `maxBytes`. If `maxQuality` is nil,
    /// the maximum is 100 and is not tried first.
    ///
    /// Runs a binary search of at most eight encodings, which assumes that size grows with quality; the result fits
    /// even if a codec slightly violates that. Throws an `encoding` error if no quality fits.
    package static func encode(
        maxBytes: Int, maxQuality: Int? = nil, task: TaskContext,
        _ encode: (_ quality: Int) throws(MediaError) -> [UInt8]
    ) throws(MediaError) -> (bytes: [UInt8], quality: Int) {
        var best: (bytes: [UInt8], quality: Int)?
        var smallest = Int.max
        var (low, high) = (1, maxQuality ?? 100)
        var first = maxQuality
        while low <= high {
            try task.check()
            let quality = first ?? (low + high) / 2
            first = nil
            let bytes = try encode(quality)
            smallest = min(smallest, bytes.count)
            if bytes.count <= maxBytes {
                best = (bytes, quality)
                low = quality + 1
            } else {
                high = quality - 1
            }
        }
        guard let best else { throw tooLarge(smallest, maxBytes: maxBytes, advice: "choose a smaller screen") }
        return best
    }

    /// Throws if an encoding without a quality setting exceeds `maxBytes`.
    package static func check(_ bytes: [UInt8], maxBytes: Int) throws(MediaError) {
        guard bytes.count > maxBytes else { return }
        throw tooLarge(
            bytes.count, maxBytes: maxBytes, advice: "choose a smaller screen or a format with a quality setting")
    }

    private static func tooLarge(_ count: Int, maxBytes: Int, advice: MediaError.Advice) -> MediaError {
        MediaError(
            .encoding, code: .sizeUnreachable, step: .encode,
            reason: "the smallest file is \(count) bytes; the maximum is \(maxBytes)",
            advice: advice)
    }
}
