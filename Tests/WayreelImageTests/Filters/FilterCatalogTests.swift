import Testing
import WayreelCore
import WayreelImage

@Suite struct FilterCatalogTests {
    @Test func namesAreUnique() {
        let names = FilterCatalog.all.flatMap { [$0.name, $0.coreImageName].compactMap(\.self) + $0.aliases }
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
    }

    /// Recipes contain these names: removing one breaks users' files.
    private static let names: Set = [
        "bloom", "box-blur", "brightness", "circular-screen", "cmyk-halftone", "color-clamp", "color-controls",
        "color-cube", "color-invert", "color-matrix", "color-monochrome", "color-polynomial", "color-posterize",
        "color-threshold", "comic-effect", "contrast", "crystallize", "disc-blur", "dither", "dot-screen",
        "edge-work", "edges", "exposure-adjust", "false-color", "film-grain", "gamma-adjust", "gaussian-blur",
        "gloom", "grayscale", "hatched-screen", "hexagonal-pixellate", "highlight-shadow-adjust", "hue-adjust",
        "light-leak", "line-screen", "median-filter", "motion-blur", "noise-reduction", "photo-effect-chrome",
        "photo-effect-fade", "photo-effect-instant", "photo-effect-mono", "photo-effect-noir",
        "photo-effect-process", "photo-effect-tonal", "photo-effect-transfer", "pixellate", "pointillize",
        "saturation", "sepia-tone", "sharpen-luminance", "straighten", "temperature-and-tint", "thermal",
        "tone-curve", "unsharp-mask", "vibrance", "vignette", "vignette-effect", "white-point-adjust", "x-ray",
        "zoom-blur",
    ]

    @Test func everyNameOfARecipeStays() {
        #expect(Set(FilterCatalog.all.map(\.name)) == Self.names)
    }

    @Test(arguments: FilterCatalog.all.map(\.name)) func isDescribed(name: String) throws {
        let filter = try #require(FilterCatalog.descriptor(named: name))
        #expect(filter.name == name && name.allSatisfy { $0 == "-" || $0.isLowercase })
        #expect(!filter.summary.isEmpty && !filter.summary.hasSuffix(".") && !filter.source.isEmpty)
        #expect(filter.coreImageName?.hasPrefix("CI") ?? true)
        for parameter in filter.parameters {
            #expect(!parameter.summary.isEmpty && !parameter.expectation.isEmpty)
            #expect(parameter.key.allSatisfy { $0 == "-" || $0.isLowercase || $0.isNumber })
        }
    }

    /// A default is in its own range, and every filter except the look-up table runs without arguments.
    @Test(arguments: FilterCatalog.all.map(\.name)) func defaultsAreAccepted(name: String) throws {
        let filter = try #require(FilterCatalog.descriptor(named: name))
        var arguments: [String: FilterArgument] = [:]
        for parameter in filter.parameters { arguments[parameter.key] = parameter.defaultValue }
        guard filter.parameters.allSatisfy({ $0.defaultValue != nil }) else { return #expect(name == "color-cube") }
        _ = try FilterChain([Filter(name, arguments)])
    }

    @Test(arguments: [
        ("noir", "photo-effect-noir"), ("CISepiaTone", "sepia-tone"), ("cisepiatone", "sepia-tone"),
        ("Sepia-Tone", "sepia-tone"),
        ("CIXRay", "x-ray"), ("CIStraightenFilter", "straighten"), ("sepiaTone", "sepia-tone"), ("", nil),
        ("nope", nil),
    ])
    func finds(name: String, found: String?) {
        #expect(FilterCatalog.descriptor(named: name)?.name == found)
    }

    static let faults: [(Filter, String)] = [
        (Filter("sepia-toen"), "filter: unknown filter 'sepia-toen'; did you mean 'sepia-tone'?"),
        (Filter("xyzzyxyzzy"), "filter: unknown filter 'xyzzyxyzzy'; see FilterCatalog"),
        (
            Filter("sepia-tone", ["intensty": 1]),
            "filter: sepia-tone has no parameter 'intensty'; did you mean 'intensity'?"
        ),
        (Filter("noir", ["intensity": 1]), "filter: photo-effect-noir has no parameter 'intensity'; it takes none"),
        (
            Filter("sepia-tone", ["intensity": 1.5]),
            "filter: sepia-tone: intensity is 1.5, out of range; it takes a number, 0 to 1"
        ),
        (
            Filter("sepia-tone", ["intensity": .number(.nan)]),
            "filter: sepia-tone: intensity cannot be nan; it takes a number, 0 to 1"
        ),
        (
            Filter("exposure-adjust", ["inputEV": "bright"]),
            "filter: exposure-adjust: ev cannot be 'bright'; it takes a number, -10 to 10 EV"
        ),
        (
            Filter("color-posterize", ["levels": 2.5]),
            "filter: color-posterize: levels cannot be 2.5; it takes a whole number, 2 to 30"
        ),
        (
            Filter("gaussian-blur", ["radius": "-1%"]),
            "filter: gaussian-blur: radius is '-1%', out of range; it takes 0% to 100%"
        ),
        (
            Filter("gaussian-blur", ["radius": 3000]),
            "filter: gaussian-blur: radius is 3000, out of range; it takes a length, 0 to 2000 px or a percentage of the shorter "
                + "side (12, 12px, 4%)"
        ),
        (
            Filter("hue-adjust", ["angle": "2turn"]),
            "filter: hue-adjust: angle is '2turn', out of range; it takes an angle, -360 to 360 degrees "
                + "(30, 30deg, 0.5rad, 0.25turn)"
        ),
        (
            Filter("color-monochrome", ["color": [1, 2, 0]]),
            "filter: color-monochrome: color is [1, 2, 0], out of range; it takes a colour (#rrggbb, a name, or "
                + "red,green,blue from 0 to 1)"
        ),
        (
            Filter("color-monochrome", ["color": "#ff000080"]),
            "filter: color-monochrome: color cannot be '#ff000080'; it takes a colour (#rrggbb, a name, or "
                + "red,green,blue from 0 to 1)"
        ),
        (
            Filter("color-matrix", ["r-vector": [1, 0]]),
            "filter: color-matrix: r-vector cannot be [1, 0]; it takes 3 numbers, each -100 to 100"
        ),
        (
            Filter("zoom-blur", ["center": "left"]),
            "filter: zoom-blur: center cannot be 'left'; it takes a point in pixels or percent of width and height "
                + "(480,320 or 50%,50%)"
        ),
        (Filter("color-cube"), "filter: color-cube: file is missing; it takes the path of a file"),
        (
            Filter("sepia-tone", ["intensity": 1, "inputIntensity": 0.5]),
            "filter: sepia-tone: intensity is given twice"
        ),
        (
            Filter("tone-curve", ["point1": [0.6, 0.5]]),
            "filter: tone-curve: the points must rise in input, by 0.001 at least"
        ),
        (
            Filter("color-clamp", ["min-components": [2, 0, 0]]),
            "filter: color-clamp: min-components must not be above max-components"
        ),
        (
            Filter("temperature-and-tint", ["neutral": [500, 0]]),
            "filter: temperature-and-tint: neutral is out of range; it takes 1000 to 15000 K and a tint of -150 to 150"
        ),
    ]

    @Test(arguments: faults) func rejects(filter: Filter, message: String) {
        let error = #expect(throws: MediaError.self) { try FilterChain([.noir, filter]) }
        #expect(error?.description == message)
        #expect(error?.kind == .parameter)
    }

    /// All spellings of a value are equivalent.
    @Test(
        arguments: [
            (["angle": 90], ["inputAngle": "90deg"]), (["angle": 90], ["angle": "1.5707963267948966rad"]),
            (["angle": 90], ["angle": "0.25turn"]), (["angle": 90], ["angle": "90°"]), (["angle": 90], ["angle": [90]]),
        ] as [([String: FilterArgument], [String: FilterArgument])])
    func angles(one: [String: FilterArgument], other: [String: FilterArgument]) throws {
        let input = Samples.colors(width: 9, height: 4)
        let turned = try input.filtered(Filter("hue-adjust", one))
        #expect(try input.filtered(Filter("hue-adjust", other)).difference(from: turned) < 1e-6)
        #expect(turned.difference(from: input) > 0.1)
    }

    @Test func lengthsAndPoints() throws {
        let input = Samples.colors(width: 40, height: 20)
        let pixels = try input.filtered(Filter("vignette-effect", ["center": [10, 5], "radius": 8, "falloff": 0.25]))
        for center: FilterArgument in ["25%,25%", "10px,5px", "10 5", "25%, 5"] {
            let filter = Filter("CIVignetteEffect", ["inputCenter": center, "radius": "40%", "falloff": "0.25"])
            #expect(try input.filtered(filter).difference(from: pixels) == 0)
        }
    }
}
