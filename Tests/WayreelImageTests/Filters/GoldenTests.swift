import Glibc
import Testing
import WayreelCore
import WayreelImage

/// The recorded output of each filter for a small photograph, as last reviewed.
///
/// Every fourth pixel of every fourth row, in 8 bits. A value may differ by one; for a filter that decides between
/// black and white, one value in a hundred may be arbitrary. To record anew: set WAYREEL_RECORD_GOLDENS to the path of
/// Goldens/FilterGoldens.swift, run this test, and review the changes.
@Suite struct GoldenTests {
    /// Arguments for filters that have no effect, or no visible effect on so small an image, by default.
    static let arguments: [String: [String: FilterArgument]] = [
        "color-controls": ["saturation": 1.4, "contrast": 1.2, "brightness": -0.05], "saturation": ["amount": 1.6],
        "brightness": ["amount": 1.2], "contrast": ["amount": 1.4], "exposure-adjust": ["ev": 1],
        "gamma-adjust": ["power": 1.5], "hue-adjust": ["angle": 90], "vibrance": ["amount": 0.8],
        "temperature-and-tint": ["target-neutral": [4500, 0]],
        "highlight-shadow-adjust": ["shadow-amount": 0.7, "highlight-amount": 0.5, "radius": 2],
        "white-point-adjust": ["color": [1, 0.9, 0.7]], "tone-curve": ["point1": [0.25, 0.15]],
        "color-matrix": ["r-vector": [0.5, 0.5, 0]], "color-polynomial": ["red-coefficients": [0, 0.5, 0.5, 0]],
        "color-clamp": ["max-components": [0.8, 0.7, 0.6]], "straighten": ["angle": 5],
        "noise-reduction": ["noise-level": 0.1, "radius": 2], "dot-screen": ["width": 5], "line-screen": ["width": 5],
        "hatched-screen": ["width": 5], "circular-screen": ["width": 5], "cmyk-halftone": ["width": 5],
        "pixellate": ["scale": 5], "hexagonal-pixellate": ["scale": 6], "crystallize": ["radius": 6],
        "pointillize": ["radius": 6], "gaussian-blur": ["radius": 3], "box-blur": ["radius": 3],
        "disc-blur": ["radius": 3], "motion-blur": ["radius": 5, "angle": 30], "bloom": ["radius": 3],
        "gloom": ["radius": 3], "unsharp-mask": ["radius": 1, "intensity": 1], "sharpen-luminance": ["radius": 1],
    ]

    private static func bytes(_ digits: some Collection<Character>) -> [Int] {
        let nibbles = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { nibbles[$0] * 16 + nibbles[$0 + 1] }
    }

    private static let input: Samples = {
        let values = bytes(goldenInput).map { Double(Float($0) / 255) }
        let planes = (0..<3).map { plane in (0..<64 * 48).map { values[$0 * 3 + plane] } }
        return Samples(width: 64, height: 48, planes: planes)
    }()

    /// Returns every fourth pixel, red, green and blue in turn.
    private static func sampled(_ image: Samples) -> [Int] {
        (0..<16 * 12 * 3).map { i in
            let (pixel, plane) = (i / 3, i % 3)
            let value = image.at(pixel % 16 * 4 + 2, pixel / 16 * 4 + 2, plane)
            return Int((min(max(value, 0), 1) * 255).rounded())
        }
    }

    private static func result(of name: String) throws -> [Int] {
        guard name != "color-cube" else {
            let cube = "LUT_3D_SIZE 2\n0 0 .2\n1 .1 .1\n0 .8 .1\n.9 .9 0\n.1 0 .9\n.9 0 1\n0 1 .8\n1 .9 .8\n"
            return try withTemporaryFile(cube) { sampled(try input.filtered(.lookUpTable(path: $0))) }
        }
        return sampled(try input.filtered(Filter(name, arguments[name] ?? [:])))
    }

    @Test(.disabled(if: getenv("WAYREEL_RECORD_GOLDENS") != nil), arguments: FilterCatalog.all.map(\.name))
    func matchesItsGolden(name: String) throws {
        let golden = Self.bytes(try #require(filterGoldens[name], "no golden of \(name); record one"))
        let result = try Self.result(of: name)
        let off = zip(result, golden).filter { abs($0 - $1) > 1 }.count
        #expect(result.count == golden.count && off <= golden.count / 100)
    }

    @Test(.enabled(if: getenv("WAYREEL_RECORD_GOLDENS") != nil)) func record() throws {
        var text = "/// By filter: see `GoldenTests`.\nlet filterGoldens: [String: String] = [\n"
        for name in FilterCatalog.all.map(\.name) {
            let digits = Array(
                try Self.result(of: name).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            text += "    \"\(name)\": \"\"\"\n"
            for start in stride(from: 0, to: digits.count, by: 96) {
                text += "    \(String(digits[start..<min(start + 96, digits.count)]))\n"
            }
            text += "    \"\"\",\n"
        }
        guard let file = fopen(try #require(getenv("WAYREEL_RECORD_GOLDENS")), "w") else {
            throw MediaError(.io, step: .write, reason: systemReason(errno))
        }
        fputs(text + "]\n", file)
        fclose(file)
    }
}
