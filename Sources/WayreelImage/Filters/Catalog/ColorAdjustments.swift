internal import Glibc
internal import WayreelCore
internal import WayreelKernels

extension FilterCatalog {
    /// Corrections of colour and tone.
    static let colorAdjustments: [FilterDescriptor] = [
        FilterDescriptor(
            "color-controls", coreImage: "CIColorControls", "Saturation, then brightness, then contrast",
            parameters: [
                .number("saturation", 1, 0...2, "0 is grey, 1 leaves colours as they are"),
                .number("brightness", 0, -1...1, "added to every channel"),
                .number("contrast", 1, 0.25...4, "slope about middle grey"),
            ],
            source: "(luma + (c − luma)·saturation + brightness − ½)·contrast + ½, BT.709 luma",
            stages: { values in
                [
                    .color([
                        .matrix(.saturation(values.number("saturation"))),
                        .matrix(.scale(SIMD3(1, 1, 1), offset: SIMD3(repeating: values.number("brightness")))),
                        .matrix(.contrast(values.number("contrast"))),
                    ])
                ]
            }),
        FilterDescriptor(
            "saturation", aliases: ["saturate"], "How strong colours are",
            parameters: [.number("amount", 1, 0...4, "0 is grey, 1 leaves colours as they are")],
            source: "luma + (c − luma)·amount, BT.709 luma; CSS Filter Effects saturate() up to rounding",
            stages: { [.color([.matrix(.saturation($0.number("amount")))])] }),
        FilterDescriptor(
            "grayscale", aliases: ["greyscale"], "Takes the colour out",
            parameters: [.number("amount", 1, 0...1, "the share of colour taken out")],
            source: "c + (luma − c)·amount, BT.709 luma; CSS Filter Effects grayscale()",
            stages: { [.color([.matrix(.saturation(1 - $0.number("amount")))])] }),
        FilterDescriptor(
            "brightness", "Multiplies every channel",
            parameters: [.number("amount", 1, 0...4, "1 leaves the image as it is")],
            source: "c·amount; CSS Filter Effects brightness()",
            stages: { [.color([.matrix(.scale(SIMD3(repeating: $0.number("amount"))))])] }),
        FilterDescriptor(
            "contrast", "Spreads or narrows tones about middle grey",
            parameters: [.number("amount", 1, 0...4, "1 leaves the image as it is")],
            source: "(c − ½)·amount + ½; CSS Filter Effects contrast()",
            stages: { [.color([.matrix(.contrast($0.number("amount")))])] }),
        FilterDescriptor(
            "exposure-adjust", aliases: ["exposure"], coreImage: "CIExposureAdjust", "Changes the exposure",
            parameters: [.number("ev", 0, -10...10, unit: "EV", "each stop doubles the light")],
            space: .linear, source: "c·2^EV in linear light",
            stages: { values in
                let gain = exp2(values.number("ev"))
                return [.color([.decodeSRGB, .matrix(.scale(SIMD3(repeating: gain))), .encodeSRGB])]
            }),
        FilterDescriptor(
            "gamma-adjust", aliases: ["gamma"], coreImage: "CIGammaAdjust", "Brightens or darkens the middle tones",
            parameters: [.number("power", 1, 0.25...4, "above 1 darkens")],
            source: "sign(c)·|c|^power on encoded values; Core Image takes the power in linear light",
            stages: { values in
                let power = Float(values.number("power"))
                return power == 1 ? [] : [.color([.eachPlane { wr_power($0, $1, power) }])]
            }),
        FilterDescriptor(
            "hue-adjust", aliases: ["hue-rotate"], coreImage: "CIHueAdjust", "Turns colours round the wheel",
            parameters: [.angle("angle", 0, -360...360, "180° gives complementary colours")],
            source: "the matrix of CSS Filter Effects hue-rotate()",
            stages: { [.color([.matrix(.hueRotation($0.number("angle")))])] }),
        FilterDescriptor(
            "vibrance", coreImage: "CIVibrance", "Saturation, strongest for muted colours",
            parameters: [.number("amount", 0, -1...1, "negative takes colour out")],
            source: "in the style of Core Image's, whose formula is not published: luma + (c − luma)·"
                + "(1 + amount·(1 − (max − min)))",
            stages: { values in
                let amount = Float(values.number("amount"))
                if amount == 0 { return [] }
                return [.color([.kernel { wr_vibrance($0.red, $0.green, $0.blue, $0.count, amount) }])]
            }),
        FilterDescriptor(
            "temperature-and-tint", aliases: ["temperature", "white-balance"], coreImage: "CITemperatureAndTint",
            "Changes the white balance",
            parameters: [
                .vector("neutral", [6500, 0], -25_000...25_000, unit: "(K, tint)", "white point of the source"),
                .vector(
                    "target-neutral", [6500, 0], -25_000...25_000, unit: "(K, tint)",
                    "white point of the result; lower temperatures are warmer, higher tints pinker"),
            ],
            space: .linear,
            source:
                "Bradford adaptation between whites on Krystek's Planckian locus (1985), 1000 to 15000 K; tint is the "
                + "distance from it in CIE 1960 uv times 3000, −150 to 150",
            stages: { values throws(MediaError) in
                let whites = try ["neutral", "target-neutral"].map { key throws(MediaError) in
                    let white = values.vector(key)
                    guard (1000...15_000).contains(white[0]), (-150...150).contains(white[1]) else {
                        throw FilterValues.fault(
                            "temperature-and-tint: \(key) is out of range",
                            "it takes 1000 to 15000 K and a tint of -150 to 150")
                    }
                    return WhitePoint(temperature: white[0], tint: white[1])
                }
                if whites[0] == whites[1] { return [] }
                return [.color([.decodeSRGB, .matrix(whites[0].adaptation(to: whites[1])), .encodeSRGB])]
            }),
        FilterDescriptor(
            "highlight-shadow-adjust", aliases: ["shadows"], coreImage: "CIHighlightShadowAdjust",
            "Brightens shadows and darkens highlights",
            parameters: [
                .number("highlight-amount", 1, 0.3...1, "1 keeps highlights, lower values darken them"),
                .number("shadow-amount", 0, -1...1, "positive lightens shadows"),
                .length("radius", 0, 0...500, "radius of the brightness average; keeps local contrast"),
            ],
            source: "in the style of Core Image's, whose formula is not published: c·(1 + 1.5·s·(1 − m)²)·"
                + "(1 − 0.45·(1 − h)·m²), m the luma or its Gaussian blur (0.75·s where s is negative)",
            stages: { values in
                let amount = values.number("shadow-amount")
                let shadows = amount * (amount < 0 ? 0.75 : 1.5)
                let highlights = 0.45 * (1 - values.number("highlight-amount"))
                let radius = values.length("radius")
                if shadows == 0, highlights == 0 { return [] }
                if radius != .pixels(0), radius != .percent(0) {
                    return [
                        .spatial(LocalHighlightShadow(radius: radius, highlights: highlights, shadows: shadows))
                    ]
                }
                return [
                    .color([
                        .kernel { block in
                            withUnsafeTemporaryAllocation(of: Float.self, capacity: block.count) { luma in
                                let mask = luma.baseAddress!
                                wr_luma_plane(block.red, block.green, block.blue, mask, block.count)
                                wr_highlight_shadow(
                                    block.red, block.green, block.blue, mask, block.count, Float(highlights),
                                    Float(shadows))
                            }
                        }
                    ])
                ]
            }),
        FilterDescriptor(
            "white-point-adjust", aliases: ["white-point"], coreImage: "CIWhitePointAdjust",
            "Multiplies by a colour, as if white had it",
            parameters: [.color("color", "white", "the colour of white")],
            space: .linear, source: "c·color in linear light",
            stages: { values in
                let white = values.color("color")
                if white == SIMD3(1, 1, 1) { return [] }
                let linear = SIMD3(white.x.linearFromSRGB, white.y.linearFromSRGB, white.z.linearFromSRGB)
                return [.color([.decodeSRGB, .matrix(.scale(linear)), .encodeSRGB])]
            }),
        FilterDescriptor(
            "tone-curve", aliases: ["curve"], coreImage: "CIToneCurve", "A smooth curve through five points",
            parameters: [0, 0.25, 0.5, 0.75, 1].enumerated().map { i, value in
                .vector("point\(i)", [value, value], 0...1, "input and output")
            },
            source:
                "monotone cubic interpolation (Fritsch and Carlson, 1980) of 1024 samples; Core Image's spline is not "
                + "published",
            stages: { values throws(MediaError) in
                let points = (0..<5).map { SIMD2(values.vector("point\($0)")[0], values.vector("point\($0)")[1]) }
                guard zip(points, points.dropFirst()).allSatisfy({ $1.x - $0.x >= 0.001 }) else {
                    throw FilterValues.fault("tone-curve: the points must rise in input, by 0.001 at least")
                }
                return [.color([.curves(ColorCurves(points))])]
            }),
        FilterDescriptor(
            "color-matrix", coreImage: "CIColorMatrix", "Mixes the channels; keeps alpha",
            parameters: [
                .vector("r-vector", [1, 0, 0], -100...100, "weights for red"),
                .vector("g-vector", [0, 1, 0], -100...100, "weights for green"),
                .vector("b-vector", [0, 0, 1], -100...100, "weights for blue"),
                .vector("bias-vector", [0, 0, 0], -100...100, "added to the three"),
            ],
            source: "vector · (r, g, b) + bias on encoded values; Core Image works in linear light",
            stages: { values in
                let rows = ["r-vector", "g-vector", "b-vector", "bias-vector"].map(values.color)
                return [.color([.matrix(ColorMatrix(Array(rows[..<3]), offset: rows[3]))])]
            }),
        FilterDescriptor(
            "color-polynomial", coreImage: "CIColorPolynomial", "A cubic of each channel; keeps alpha",
            parameters: ["red", "green", "blue"].map {
                .vector("\($0)-coefficients", [0, 1, 0, 0], -100...100, "of 1, c, c² and c³")
            },
            source: "a₀ + a₁·c + a₂·c² + a₃·c³ on encoded values; Core Image works in linear light",
            stages: { values in
                let all = ["red", "green", "blue"].map { values.vector("\($0)-coefficients").map { Float($0) } }
                return [
                    .color([
                        .kernel { block in
                            for (plane, c) in zip([block.red, block.green, block.blue], all) {
                                wr_polynomial(plane, block.count, c[0], c[1], c[2], c[3])
                            }
                        }
                    ])
                ]
            }),
        FilterDescriptor(
            "color-clamp", coreImage: "CIColorClamp", "Clamps each channel; keeps alpha",
            parameters: [
                .vector("min-components", [0, 0, 0], -10...10, "of red, green and blue"),
                .vector("max-components", [1, 1, 1], -10...10, "of red, green and blue"),
            ],
            source: "min(max(c, low), high)",
            stages: { values throws(MediaError) in
                let low = values.vector("min-components").map { Float($0) }
                let high = values.vector("max-components").map { Float($0) }
                guard zip(low, high).allSatisfy({ $0 <= $1 }) else {
                    throw FilterValues.fault("color-clamp: min-components must not be above max-components")
                }
                return [
                    .color([
                        .kernel { block in
                            for (i, plane) in [block.red, block.green, block.blue].enumerated() {
                                wr_clamp(plane, block.count, low[i], high[i])
                            }
                        }
                    ])
                ]
            }),
    ]
}
