internal import Glibc
internal import WayreelCore
internal import WayreelKernels

extension FilterCatalog {
    /// Effects of lenses, light and film.
    static let lightEffects: [FilterDescriptor] = [
        FilterDescriptor(
            "vignette", coreImage: "CIVignette", "Darkens the corners",
            parameters: [
                .number("intensity", 0.6, -1...1, "1 is black, negative brightens"),
                .number("radius", 1, 0...2, "the size of the clear area"),
            ],
            source: "c·(1 − intensity·smoothstep(0.3·radius, 1.15·radius, d)), d the distance from the centre in half "
                + "diagonals; in the style of Core Image's, whose formula is not published (its intensity defaults to 0)",
            stages: { values in
                let intensity = values.number("intensity")
                let radius = max(values.number("radius"), 0.001)
                return [
                    .sized { size in
                        let center = SIMD2(Double(size.width), Double(size.height)) / 2
                        let diagonal = (center.x * center.x + center.y * center.y).squareRoot()
                        return [
                            .shade(
                                center: center, unit: diagonal, from: 0.3 * radius, to: 1.15 * radius,
                                strength: intensity)
                        ]
                    }
                ]
            }),
        FilterDescriptor(
            "vignette-effect", aliases: ["spotlight"], coreImage: "CIVignetteEffect", "Darkens all but a round area",
            parameters: [
                .point("center", "50%,50%", "the centre of the area"),
                .length("radius", "45%", 0...20_000, "the distance of half the shade"),
                .number("intensity", 1, -1...1, "1 is black, negative brightens"),
                .number("falloff", 0.5, 0...1, "softness of the border"),
            ],
            source: "c·(1 − intensity·smoothstep(radius·(1 − falloff), radius·(1 + falloff), d)); in the style of Core "
                + "Image's, whose formula is not published",
            stages: { values in
                let (point, length) = (values.point("center"), values.length("radius"))
                let (intensity, falloff) = (values.number("intensity"), max(values.number("falloff"), 0.001))
                return [
                    .sized { size in
                        [
                            .shade(
                                center: point.inPixels(on: size), unit: max(length.inPixels(on: size), 0.001),
                                from: 1 - falloff, to: 1 + falloff, strength: intensity)
                        ]
                    }
                ]
            }),
        FilterDescriptor(
            "light-leak", "Coloured light leaking in from one side",
            parameters: [
                .color("color", "#ff7a2b", "the light's colour"),
                .number("intensity", 0.7, 0...1, "max strength"),
                .angle("angle", 20, -360...360, "the light's direction, 0° from the right"),
                .number("reach", 0.55, 0.05...1, "the fraction of the image that it covers"),
            ],
            source:
                "a formula of our own: intensity·color·smoothstep(t)² screened over the image, t from 0 to 1 over "
                + "the last `reach` of the image along the angle",
            stages: { values in
                let color = values.color("color") * values.number("intensity")
                let (angle, reach) = (values.number("angle"), values.number("reach"))
                return [
                    .sized { size in
                        let direction = SIMD2(cosine(degrees: angle), sine(degrees: angle))
                        let half = SIMD2(Double(size.width), Double(size.height)) / 2
                        let extent = abs(direction.x) * half.x + abs(direction.y) * half.y
                        let start = half + direction * (extent * (1 - 2 * reach))
                        let step = direction / (2 * reach * extent)
                        let shape = wr_leak_shape(
                            x: Float(start.x), y: Float(start.y), step_x: Float(step.x), step_y: Float(step.y),
                            red: Float(color.x), green: Float(color.y), blue: Float(color.z))
                        return [
                            .positioned { block, x, y in
                                withUnsafePointer(to: shape) {
                                    wr_leak(block.red, block.green, block.blue, block.count, x, y, $0)
                                }
                            }
                        ]
                    }
                ]
            }),
        FilterDescriptor(
            "film-grain", aliases: ["grain"], "The grain of fast film, strongest in the middle tones",
            parameters: [
                .number("intensity", 0.12, 0...1, "max change of a middle grey"),
                .length("size", "0.2%", 1...50, "grain size; at least a pixel"),
                .integer("seed", 1, 0...1_000_000, "random seed of the pattern"),
            ],
            source:
                "a formula of our own: triangular noise from a hash of the position, interpolated between grains, times "
                + "0.15 + 3.4·luma·(1 − luma)",
            stages: { values in
                let intensity = Float(values.number("intensity"))
                let (length, seed) = (values.length("size"), UInt32(values.number("seed")))
                if intensity == 0 { return [] }
                return [
                    .sized { size in
                        let scale = Float(1 / max(length.inPixels(on: size), 1))
                        return [
                            .kernel {
                                wr_grain(
                                    $0.red, $0.green, $0.blue, $0.count, UInt32($0.x), UInt32($0.y), intensity, scale,
                                    seed)
                            }
                        ]
                    }
                ]
            }),
        FilterDescriptor(
            "dither", coreImage: "CIDither", "Fine noise that hides steps between tones",
            parameters: [.number("intensity", 0.1, 0...5, "the height of the noise")],
            source:
                "c + intensity·(n − ½), n interleaved gradient noise (J. Jimenez, SIGGRAPH 2014); in the style of Core "
                + "Image's, whose noise is not published",
            stages: { values in
                let intensity = Float(values.number("intensity"))
                return [
                    .color([
                        .kernel {
                            wr_dither($0.red, $0.green, $0.blue, $0.count, UInt32($0.x), UInt32($0.y), intensity)
                        }
                    ])
                ]
            }),
    ]

    /// Halftone and engraving screens.
    static let printScreens: [FilterDescriptor] = [
        screen(
            "dot-screen", coreImage: "CIDotScreen", "Black dots that grow with darkness", wr_dot_screen,
            "½ + 0.23·(cos 2πu/w + cos 2πv/w)"),
        screen(
            "line-screen", coreImage: "CILineScreen", "Black lines that widen with darkness", wr_line_screen,
            "½ + 0.46·cos 2πv/w"),
        screen(
            "hatched-screen", coreImage: "CIHatchedScreen", "Strokes, crossed in shadows", angle: 45,
            wr_hatched_screen,
            "½ + 0.46·cos of either direction, the luma over 0.85 and over 0.5"),
        screen(
            "circular-screen", coreImage: "CICircularScreen", "Black rings that widen with darkness",
            wr_circular_screen, "½ + 0.46·cos 2πd/w"),
        FilterDescriptor(
            "cmyk-halftone", aliases: ["halftone"], coreImage: "CICMYKHalftone", "Four inks in dots, as in a magazine",
            parameters: screenParameters() + [.number("gcr", 0.8, 0...1, "the amount of grey printed in black")],
            source: "dot screens at 15°, 75°, 0° and 45°; in the style of Core Image's, whose formula is not published",
            stages: { values in
                let share = Float(values.number("gcr"))
                return [screenStage(values) { wr_cmyk_halftone($0, $1, $2, $3, $4, $5, $6, share) }]
            }),
    ]

    private typealias ScreenLoop =
        @Sendable (
            UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?, UnsafeMutablePointer<Float>?, Int, Float, Float,
            UnsafePointer<wr_screen_shape>?
        ) -> Void

    private static func screenParameters(angle: Double = 0) -> [FilterParameter] {
        [
            .point("center", "50%,50%", "origin of the pattern"),
            .length("width", "1%", 2...500, "distance between dots or lines"),
            .angle("angle", angle, -360...360, "angle of the pattern"),
            .number("sharpness", 0.7, 0...1, "sharpness of the ink's edges"),
        ]
    }

    private static func screen(
        _ name: String, coreImage: String, _ summary: String, angle: Double = 0, _ loop: @escaping ScreenLoop,
        _ threshold: String
    ) -> FilterDescriptor {
        FilterDescriptor(
            name, coreImage: coreImage, summary, parameters: screenParameters(angle: angle),
            source:
                "clamp((luma − t)·k + ½), t = \(threshold), k = 1/(1 − sharpness) at least 2 pixels wide; in the style "
                + "of Core Image's, whose formula is not published",
            stages: { [screenStage($0, loop)] })
    }

    private static func screenStage(_ values: FilterValues, _ loop: @escaping ScreenLoop) -> FilterStage {
        let (point, length) = (values.point("center"), values.length("width"))
        let (angle, sharpness) = (values.number("angle"), values.number("sharpness"))
        return .sized { size in
            let center = point.inPixels(on: size)
            let width = max(length.inPixels(on: size), 2)
            // Edges narrower than a pixel would alias: t rises by at most 3 per width.
            let contrast = min(1 / max(1 - sharpness, 0.001), max(width / 3, 1))
            let shape = wr_screen_shape(
                x: Float(center.x), y: Float(center.y), cos: Float(cosine(degrees: angle) / width),
                sin: Float(sine(degrees: angle) / width), contrast: Float(contrast))
            return [
                .positioned { block, x, y in
                    withUnsafePointer(to: shape) { loop(block.red, block.green, block.blue, block.count, x, y, $0) }
                }
            ]
        }
    }
}

extension ColorOp {
    /// Returns a kernel that receives the centre of a block's first pixel.
    static func positioned(_ body: @escaping @Sendable (ColorBlock, Float, Float) -> Void) -> ColorOp {
        .kernel { body($0, Float($0.x) + 0.5, Float($0.y) + 0.5) }
    }

    /// Shading from `from` to `to`, in units from a centre in pixels.
    static func shade(center: SIMD2<Double>, unit: Double, from: Double, to: Double, strength: Double) -> ColorOp {
        let shape = wr_shade_shape(
            x: Float(center.x), y: Float(center.y), scale_x: Float(1 / unit), scale_y: Float(1 / unit),
            start: Float(from), slope: Float(1 / (to - from)), strength: Float(strength))
        return .positioned { block, x, y in
            withUnsafePointer(to: shape) { wr_shade(block.red, block.green, block.blue, block.count, x, y, $0) }
        }
    }
}
