internal import WayreelCore
internal import WayreelKernels

extension FilterCatalog {
    /// Colour effects.
    static let colorEffects: [FilterDescriptor] = [
        FilterDescriptor(
            "sepia-tone", aliases: ["sepia"], coreImage: "CISepiaTone", "The brown tone of an old print",
            parameters: [.number("intensity", 1, 0...1, "the amount of sepia")],
            source: "the matrix of CSS Filter Effects sepia(), mixed with the image; Core Image's is not published",
            stages: { [.color([.matrix(ColorMatrix.sepia.mixed($0.number("intensity")))])] }),
        FilterDescriptor(
            "color-monochrome", aliases: ["monochrome"], coreImage: "CIColorMonochrome", "Shades of one colour",
            parameters: [
                .color("color", [0.6, 0.45, 0.3], "the colour of white"),
                .number("intensity", 1, 0...1, "the amount of the effect"),
            ],
            source: "luma·color, mixed with the image; in the style of Core Image's, whose formula is not published",
            stages: { values in
                [
                    .color([
                        .matrix(
                            ColorMatrix.duotone(.zero, values.color("color")).mixed(values.number("intensity")))
                    ])
                ]
            }),
        FilterDescriptor(
            "false-color", aliases: ["duotone"], coreImage: "CIFalseColor", "Maps dark and light to two colours",
            parameters: [
                .color("color0", [0.3, 0, 0], "the colour of black"),
                .color("color1", [1, 0.9, 0.8], "the colour of white"),
            ],
            source: "color0 + luma·(color1 − color0), BT.709 luma of encoded values",
            stages: { [.color([.matrix(.duotone($0.color("color0"), $0.color("color1")))])] }),
        FilterDescriptor(
            "color-posterize", aliases: ["posterize"], coreImage: "CIColorPosterize",
            "Reduces each channel to a few levels",
            parameters: [.integer("levels", 6, 2...30, "of each channel")],
            source: "round(c·(levels − 1)) / (levels − 1), clamped to 0…1",
            stages: { values in
                let steps = Float(values.number("levels") - 1)
                return [.color([.eachPlane { wr_posterize($0, $1, steps) }])]
            }),
        FilterDescriptor(
            "color-invert", aliases: ["invert"], coreImage: "CIColorInvert", "The negative",
            source: "1 − c; CSS Filter Effects invert()",
            stages: { _ in [.color([.matrix(.negative)])] }),
        FilterDescriptor(
            "color-threshold", aliases: ["threshold"], coreImage: "CIColorThreshold", "Black and white at a threshold",
            parameters: [.number("threshold", 0.5, 0...1, "the min luma of white")],
            source: "luma ≥ threshold, BT.709 luma of encoded values; Core Image tests each channel",
            stages: { values in
                let threshold = Float(values.number("threshold"))
                return [.color([.kernel { wr_threshold($0.red, $0.green, $0.blue, $0.count, threshold) }])]
            }),
        FilterDescriptor(
            "x-ray", coreImage: "CIXRay", "A blue-white negative, as in X-ray film",
            source: "a palette of our own over the luma; in the style of Core Image's, which is not published",
            stages: { _ in [.color(palette(["#f4fbff", "#b9d4e6", "#6b8fae", "#2c4a68", "#0a1626", "#01040a"]))] }),
        FilterDescriptor(
            "thermal", coreImage: "CIThermal", "The colours of a thermal camera",
            source: "a palette of our own over the luma; in the style of Core Image's, which is not published",
            stages: { _ in
                [.color(palette(["#08052e", "#4b0d8a", "#a5168c", "#e23c4b", "#fb8a1c", "#fdd835", "#fffbe0"]))]
            }),
        FilterDescriptor(
            "color-cube", aliases: ["lut"], coreImage: "CIColorCube", "A look-up table from a .cube file, 1D or 3D",
            parameters: [
                .file("file", "a .cube file; a relative path starts at the recipe that names it"),
                .number("intensity", 1, 0...1, "the amount of the table's colours"),
            ],
            source: "Adobe Cube LUT Specification 1.0; linear interpolation in 1D, tetrahedral in 3D",
            stages: { values throws(MediaError) in
                let path = values.file("file")
                let base = path.hasPrefix("/") ? nil : values.baseDirectory
                let cube = try CubeFile(path: base.map { "\($0)/\(path)" } ?? path, task: values.task)
                let intensity = values.number("intensity")
                return intensity == 0 ? [] : [.color(cube.ops(intensity: intensity))]
            }),
    ]

    /// Maps luma to evenly spaced colours with a smooth curve.
    private static func palette(_ names: [String]) -> [ColorOp] {
        let colors = names.compactMap { RGBColor($0) }
        func points(_ component: KeyPath<RGBColor, Double>) -> [SIMD2<Double>] {
            colors.enumerated().map {
                SIMD2(Double($0.offset) / Double(colors.count - 1), $0.element[keyPath: component])
            }
        }
        return [
            .matrix(.saturation(0)),
            .curves(ColorCurves(red: points(\.red), green: points(\.green), blue: points(\.blue))),
        ]
    }
}

extension ColorMatrix {
    /// 1 − c.
    static let negative = ColorMatrix.scale(SIMD3(-1, -1, -1), offset: SIMD3(1, 1, 1))
}
