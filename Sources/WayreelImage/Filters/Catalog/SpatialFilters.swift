internal import WayreelCore
internal import WayreelKernels

// Default lengths are percentages of the shorter side that equal Core Image's pixels on a screen of 960 × 640.
extension FilterCatalog {
    static let blurs: [FilterDescriptor] = [
        FilterDescriptor(
            "gaussian-blur", aliases: ["blur"], coreImage: "CIGaussianBlur", "Blurs evenly",
            parameters: [.length("radius", "1.5%", 0...2000, "standard deviation")],
            source: "a Gaussian, in the encoded space as CSS blur(); convolution up to 2 px, above it Deriche's "
                + "recursive filter (1993), in time that does not depend on the radius; edges are extended",
            stages: { [.spatial(SeparableBlur(shape: .gaussian, radius: $0.length("radius")))] }),
        FilterDescriptor(
            "box-blur", coreImage: "CIBoxBlur", "The mean over a square window",
            parameters: [.length("radius", "1.5%", 0...2000, "half its side, less half a pixel")],
            source: "running sums over 2·radius + 1 pixels a side; edges are extended",
            stages: { [.spatial(SeparableBlur(shape: .box, radius: $0.length("radius")))] }),
        FilterDescriptor(
            "disc-blur", aliases: ["lens-blur"], coreImage: "CIDiscBlur", "A lens out of focus: lights become discs",
            parameters: [.length("radius", "1.25%", 0...250, "radius of the disc")],
            space: .linear, source: "the mean over a disc in linear light; edges are extended",
            stages: { inLinearLight(DiscBlur(radius: $0.length("radius"))) }),
        FilterDescriptor(
            "motion-blur", coreImage: "CIMotionBlur", "Motion of the camera",
            parameters: [
                .length("radius", "3%", 0...500, "half the distance"),
                .angle("angle", 0, -360...360, "direction of motion"),
            ],
            space: .linear, source: "the mean along a line in linear light, bilinear; edges are extended",
            stages: { inLinearLight(MotionBlur(radius: $0.length("radius"), angle: $0.number("angle"))) }),
        FilterDescriptor(
            "zoom-blur", coreImage: "CIZoomBlur", "Zoom during the exposure",
            parameters: [
                .point("center", "50%,50%", "the sharp point"),
                .number("amount", 20, 0...200, unit: "%", "magnification during the exposure"),
            ],
            space: .linear,
            source:
                "the mean of 8 to 64 enlargements in linear light, bilinear; in the style of Core Image's, whose formula "
                + "is not published",
            stages: { inLinearLight(ZoomBlur(center: $0.point("center"), amount: $0.number("amount"))) }),
    ]

    static let details: [FilterDescriptor] = [
        FilterDescriptor(
            "sharpen-luminance", aliases: ["sharpen"], coreImage: "CISharpenLuminance",
            "Sharpens without colour fringes",
            parameters: [
                .number("sharpness", 0.4, 0...5, "factor for the difference"),
                .length("radius", "0.26%", 0...100, "standard deviation of the blur"),
            ],
            source: "c + sharpness·(luma − Gaussian(luma)), BT.709 luma of encoded values",
            stages: {
                [.spatial(LumaSharpening(radius: $0.length("radius"), sharpness: $0.number("sharpness")))]
            }),
        FilterDescriptor(
            "unsharp-mask", coreImage: "CIUnsharpMask", "Sharpens each channel",
            parameters: [
                .length("radius", "0.4%", 0...500, "standard deviation of the blur"),
                .number("intensity", 0.5, 0...5, "factor for the difference"),
            ],
            source: "c + intensity·(c − Gaussian(c)) on encoded values",
            stages: { [.spatial(UnsharpMask(radius: $0.length("radius"), intensity: $0.number("intensity")))] }),
        FilterDescriptor(
            "noise-reduction", aliases: ["denoise"], coreImage: "CINoiseReduction", "Smooths noise, keeps edges",
            parameters: [
                .number("noise-level", 0.02, 0...0.2, "max difference treated as noise"),
                .number("sharpness", 0.4, 0...2, "sharpening of edges"),
                .length("radius", "0.5%", 0...50, "radius of the window"),
            ],
            source:
                "the guided filter (He, Sun, Tang 2010) with ε = noise-level², then sharpen-luminance; in the style of "
                + "Core Image's, whose formula is not published",
            stages: { values in
                let radius = values.length("radius")
                return [
                    .spatial(GuidedSmoothing(radius: radius, noise: values.number("noise-level"))),
                    .spatial(LumaSharpening(radius: .percent(0.26), sharpness: values.number("sharpness"))),
                ]
            }),
        FilterDescriptor(
            "median-filter", aliases: ["median"], coreImage: "CIMedianFilter", "Removes specks",
            source: "the median of each channel over 3 × 3 pixels",
            stages: { _ in [.spatial(Neighbourhood(operation: .median))] }),
    ]

    static let styles: [FilterDescriptor] = [
        FilterDescriptor(
            "bloom", coreImage: "CIBloom", "Bright parts glow",
            parameters: glowParameters,
            source: "1 − (1 − c)·(1 − intensity·Gaussian(c·luma)); in the style of Core Image's, whose formula is not "
                + "published",
            stages: { [.spatial(Glow(radius: $0.length("radius"), intensity: $0.number("intensity")))] }),
        FilterDescriptor(
            "gloom", coreImage: "CIGloom", "Dark parts spread",
            parameters: glowParameters,
            source: "bloom of the negative; in the style of Core Image's, whose formula is not published",
            stages: {
                [
                    .color([.matrix(.negative)]),
                    .spatial(Glow(radius: $0.length("radius"), intensity: $0.number("intensity"))),
                    .color([.matrix(.negative)]),
                ]
            }),
        mosaic(
            "pixellate", coreImage: "CIPixellate", "Squares of one colour", .square, "1.25%",
            "the mean of each square; Core Image takes one sample"),
        mosaic(
            "hexagonal-pixellate", coreImage: "CIHexagonalPixellate", "Hexagons of one colour", .hexagon, "1.25%",
            "the mean of each hexagon; Core Image takes one sample"),
        mosaic(
            "crystallize", coreImage: "CICrystallize", "Crystals of one colour", .crystal, "3%",
            "the mean of Voronoi cells around jittered seeds; in the style of Core Image's"),
        mosaic(
            "pointillize", coreImage: "CIPointillize", "Dabs of paint on white", .dab, "2%",
            "the mean of Voronoi cells around jittered seeds, as discs of 0.6 times their distance; in the style of Core "
                + "Image's"),
        FilterDescriptor(
            "edges", coreImage: "CIEdges", "Outlines in the image's colours on black",
            parameters: [.number("intensity", 1, 0...10, "factor for the gradient")],
            source: "the length of Sobel's gradient of each channel, times intensity",
            stages: { [.spatial(Neighbourhood(operation: .sobel($0.number("intensity"))))] }),
        FilterDescriptor(
            "edge-work", aliases: ["woodcut"], coreImage: "CIEdgeWork", "A woodcut in black on white",
            parameters: [.length("radius", "0.3%", 0...20, "width of the finest lines")],
            source:
                "the extended difference of Gaussians (Winnemöller 2011), 1.6 times apart, gain 9; in the style of "
                + "Core Image's, whose formula is not published",
            stages: { values in
                [
                    .spatial(
                        InkLines(
                            radius: values.length("radius"), gain: 9, threshold: 0.42, contrast: 5, keepsImage: false)
                    )
                ]
            }),
        FilterDescriptor(
            "comic-effect", aliases: ["comic"], coreImage: "CIComicEffect", "Flat colours and ink lines",
            source:
                "video abstraction (Winnemöller, Olsen, Gooch 2006) with a guided filter; in the style of Core Image's, "
                + "whose formula is not published",
            stages: { _ in
                [
                    .spatial(GuidedSmoothing(radius: .percent(0.7), noise: 0.07)),
                    .spatial(
                        InkLines(radius: .percent(0.22), gain: 9, threshold: 0.12, contrast: 4, keepsImage: true)),
                    .color([
                        .kernel { wr_soft_steps($0.red, $0.green, $0.blue, $0.count, 8) },
                        .matrix(.saturation(1.35)),
                    ]),
                ]
            }),
    ]

    static let geometry: [FilterDescriptor] = [
        FilterDescriptor(
            "straighten", coreImage: "CIStraightenFilter", "Rotates the image and crops empty corners",
            parameters: [.angle("angle", 0, -45...45, "positive is clockwise; Core Image uses the opposite sign")],
            source: "cubic convolution (Keys 1981, a = −½), enlarged by cos + sin·(longer side / shorter side)",
            stages: { [.spatial(Straightening(angle: $0.number("angle")))] })
    ]

    private static var glowParameters: [FilterParameter] {
        [
            .length("radius", "1.5%", 0...1000, "standard deviation of the spread light"),
            .number("intensity", 0.5, 0...1, "strength of the added light"),
        ]
    }

    private static func mosaic(
        _ name: String, coreImage: String, _ summary: String, _ shape: CellMosaic.Shape, _ scale: FilterArgument,
        _ source: String
    ) -> FilterDescriptor {
        FilterDescriptor(
            name, coreImage: coreImage, summary,
            parameters: [
                .length(
                    shape == .crystal || shape == .dab ? "radius" : "scale", scale, 2...1000, "distance between cells"),
                .point("center", "50%,50%", "the centre of one cell"),
            ],
            source: source,
            stages: { values in
                let length = values.length(shape == .crystal || shape == .dab ? "radius" : "scale")
                return [.spatial(CellMosaic(shape: shape, scale: length, center: values.point("center")))]
            })
    }

    private static func inLinearLight(_ filter: any SpatialFilter) -> [FilterStage] {
        [.color([.decodeSRGB]), .spatial(filter), .color([.encodeSRGB])]
    }
}
