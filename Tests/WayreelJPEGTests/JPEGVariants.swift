import Glibc
import JPEGReference
import TestSupport
import Testing

/// An image and the way in which libjpeg encodes it.
struct JPEGVariant: CustomTestStringConvertible {
    let bytes: [UInt8]
    let testDescription: String

    /// Factors of luma and chroma that cameras, phones and editors write, and some that only tests do.
    private static let factors: [[(Int, Int)]] = [
        [(1, 1), (1, 1), (1, 1)], [(2, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)], [(1, 2), (1, 1), (1, 1)],
        [(4, 1), (1, 1), (1, 1)], [(2, 2), (1, 2), (1, 2)], [(2, 2), (2, 1), (2, 1)], [(4, 2), (1, 1), (1, 1)],
    ]

    /// Returns 200 variants of gradients, noise, edges and areas of one colour.
    static let all: [JPEGVariant] = {
        var random = SeededRandom(seed: 41)
        return (0..<200).map { number in variant(number, &random) }
    }()

    private static func variant(_ number: Int, _ random: inout SeededRandom) -> JPEGVariant {
        let width = [1, 2, 7, 8, 9, 16, 17, 33, 100, 160, 255, 333].randomElement(using: &random)!
        let height = [1, 3, 8, 15, 17, 40, 64, 99, 200].randomElement(using: &random)!
        let components = number % 7 == 0 ? 1 : 3
        var encoding = jpeg_encoding()
        encoding.width = UInt32(width)
        encoding.height = UInt32(height)
        encoding.components = Int32(components)
        encoding.quality = Int32([5, 30, 75, 90, 95, 100].randomElement(using: &random)!)
        let factors = factors.randomElement(using: &random)!
        encoding.h = (Int32(factors[0].0), Int32(factors[1].0), Int32(factors[2].0))
        encoding.v = (Int32(factors[0].1), Int32(factors[1].1), Int32(factors[2].1))
        encoding.restart_interval = [0, 0, 1, 2, 7, 64].randomElement(using: &random)!
        encoding.is_optimized = Bool.random(using: &random) ? 1 : 0
        encoding.is_rgb = number % 13 == 1 && components == 3 ? 1 : 0
        let samples = samples(width, height, components, kind: number % 4, &random)
        let description =
            "\(number): \(width)×\(height), \(components) components, quality \(encoding.quality), \(factors), "
            + "restart \(encoding.restart_interval), \(encoding.is_optimized) optimized, \(encoding.is_rgb) RGB"
        return JPEGVariant(bytes: encode(samples, encoding), testDescription: description)
    }

    static func samples(
        _ width: Int, _ height: Int, _ components: Int, kind: Int, _ random: inout SeededRandom
    ) -> [UInt8] {
        (0..<width * height * components).map { index in
            let (x, y, c) = (index / components % width, index / components / width, index % components)
            switch kind {
            case 0: return UInt8(truncatingIfNeeded: (x * (c + 1) + y * 2) / 2)
            case 1: return UInt8.random(in: 0...255, using: &random)
            case 2: return (x / 9 + y / 5 + c) % 3 == 0 ? 230 : 20
            // One colour, with a line.
            default: return y == height / 2 ? 255 : UInt8(60 * (c + 1))
            }
        }
    }

    static func encode(_ samples: [UInt8], _ encoding: jpeg_encoding) -> [UInt8] {
        var count = 0
        guard let file = jpeg_encode(samples, encoding, &count) else { return [] }
        defer { free(file) }
        return Array(UnsafeBufferPointer(start: file, count: count))
    }
}
