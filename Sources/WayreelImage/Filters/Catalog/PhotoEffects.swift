extension FilterCatalog {
    /// Film emulations: a channel matrix, then a curve per channel.
    static let photoEffects: [FilterDescriptor] = [
        filmEmulation(
            "chrome", "Slide film: strong colours, clean whites",
            mix: .saturation(1.28),
            red: [(0, 0), (0.25, 0.21), (0.5, 0.52), (0.75, 0.81), (1, 1)],
            green: [(0, 0), (0.25, 0.22), (0.5, 0.52), (0.75, 0.8), (1, 1)],
            blue: [(0, 0.02), (0.25, 0.24), (0.5, 0.52), (0.75, 0.79), (1, 0.98)]),
        filmEmulation(
            "fade", "A print faded by the sun: pale and flat",
            mix: .saturation(0.68),
            red: [(0, 0.1), (0.25, 0.3), (0.5, 0.53), (0.75, 0.76), (1, 0.94)],
            green: [(0, 0.1), (0.25, 0.3), (0.5, 0.52), (0.75, 0.74), (1, 0.92)],
            blue: [(0, 0.13), (0.25, 0.31), (0.5, 0.51), (0.75, 0.71), (1, 0.88)]),
        filmEmulation(
            "instant", "Instant film: cream lights, blue-violet shadows",
            mix: .saturation(0.82),
            red: [(0, 0.06), (0.25, 0.27), (0.5, 0.57), (0.75, 0.83), (1, 0.97)],
            green: [(0, 0.05), (0.25, 0.25), (0.5, 0.53), (0.75, 0.78), (1, 0.94)],
            blue: [(0, 0.15), (0.25, 0.3), (0.5, 0.49), (0.75, 0.68), (1, 0.82)]),
        filmEmulation(
            "mono", "Soft black and white",
            mix: .grey(SIMD3(0.2126, 0.7152, 0.0722)),
            all: [(0, 0.07), (0.25, 0.29), (0.5, 0.53), (0.75, 0.75), (1, 0.93)]),
        filmEmulation(
            "noir", "High-contrast black and white with dark skies",
            mix: .grey(SIMD3(0.45, 0.5, 0.05)), all: [(0, 0), (0.22, 0.08), (0.5, 0.5), (0.76, 0.9), (1, 1)]),
        filmEmulation(
            "process", "Cross-processed film: cool, green-blue shadows",
            mix: .saturation(0.95),
            red: [(0, 0), (0.25, 0.17), (0.5, 0.45), (0.75, 0.76), (1, 0.96)],
            green: [(0, 0.03), (0.25, 0.27), (0.5, 0.55), (0.75, 0.81), (1, 0.98)],
            blue: [(0, 0.14), (0.25, 0.34), (0.5, 0.55), (0.75, 0.74), (1, 0.9)]),
        filmEmulation(
            "tonal", "Black and white of panchromatic film",
            mix: .grey(SIMD3(0.3, 0.52, 0.18)), all: [(0, 0), (0.25, 0.24), (0.5, 0.52), (0.75, 0.79), (1, 1)]),
        filmEmulation(
            "transfer", "A warm print from the seventies",
            mix: .saturation(0.86),
            red: [(0, 0.06), (0.25, 0.3), (0.5, 0.6), (0.75, 0.85), (1, 1)],
            green: [(0, 0.04), (0.25, 0.25), (0.5, 0.52), (0.75, 0.77), (1, 0.95)],
            blue: [(0, 0.06), (0.25, 0.21), (0.5, 0.41), (0.75, 0.63), (1, 0.82)]),
    ]

    private typealias Points = [(Double, Double)]

    private static func filmEmulation(
        _ alias: String, _ summary: String, mix: ColorMatrix, red: Points, green: Points, blue: Points
    ) -> FilterDescriptor {
        let name = "photo-effect-\(alias)"
        return FilterDescriptor(
            name, aliases: [alias], coreImage: "CIPhotoEffect\(alias.prefix(1).uppercased())\(alias.dropFirst())",
            summary,
            source: "a look of our own in the style of Core Image's, whose formula is not published: a matrix, then a "
                + "monotone cubic curve for each channel",
            stages: { _ in
                let curves = [red, green, blue].map { $0.map { SIMD2($0.0, $0.1) } }
                return [
                    .color([.matrix(mix), .curves(ColorCurves(red: curves[0], green: curves[1], blue: curves[2]))])
                ]
            })
    }

    private static func filmEmulation(_ alias: String, _ summary: String, mix: ColorMatrix, all: Points)
        -> FilterDescriptor
    {
        filmEmulation(alias, summary, mix: mix, red: all, green: all, blue: all)
    }
}

extension ColorMatrix {
    /// The same weighted sum for all three channels.
    static func grey(_ weights: SIMD3<Double>) -> ColorMatrix { ColorMatrix([weights, weights, weights]) }
}
