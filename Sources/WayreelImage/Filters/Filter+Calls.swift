public import WayreelCore

// Shorthands for common filters, so that a call reads `[.sepiaTone(intensity: 0.8), .gaussianBlur(radius:
// .percent(1))]`. `FilterCatalog` documents them and contains the rest.
extension Filter {
    public static func sepiaTone(intensity: Double = 1) -> Filter {
        Filter("sepia-tone", ["intensity": .number(intensity)])
    }

    public static let chrome = Filter("photo-effect-chrome")
    public static let fade = Filter("photo-effect-fade")
    public static let instant = Filter("photo-effect-instant")
    public static let mono = Filter("photo-effect-mono")
    public static let noir = Filter("photo-effect-noir")
    public static let process = Filter("photo-effect-process")
    public static let tonal = Filter("photo-effect-tonal")
    public static let transfer = Filter("photo-effect-transfer")

    public static func colorControls(saturation: Double = 1, brightness: Double = 0, contrast: Double = 1) -> Filter {
        Filter(
            "color-controls",
            ["saturation": .number(saturation), "brightness": .number(brightness), "contrast": .number(contrast)])
    }

    /// Adjusts the exposure; `ev` is in stops.
    public static func exposure(_ ev: Double) -> Filter {
        Filter("exposure-adjust", ["ev": .number(ev)])
    }

    public static func gamma(_ power: Double) -> Filter {
        Filter("gamma-adjust", ["power": .number(power)])
    }

    public static func vibrance(_ amount: Double) -> Filter {
        Filter("vibrance", ["amount": .number(amount)])
    }

    /// Rotates the hue by an angle in degrees.
    public static func hueRotation(_ degrees: Double) -> Filter {
        Filter("hue-adjust", ["angle": .number(degrees)])
    }

    /// Adapts colours to another colour temperature; temperatures are in kelvins.
    public static func temperature(from neutral: Double = 6500, to target: Double) -> Filter {
        Filter("temperature-and-tint", ["neutral": [neutral, 0], "target-neutral": [target, 0]])
    }

    public static func highlightsAndShadows(
        highlights: Double = 1, shadows: Double = 0, radius: Length = .pixels(0)
    ) -> Filter {
        Filter(
            "highlight-shadow-adjust",
            [
                "highlight-amount": .number(highlights), "shadow-amount": .number(shadows),
                "radius": .text(radius.description),
            ])
    }

    public static func monochrome(_ color: RGBColor, intensity: Double = 1) -> Filter {
        Filter("color-monochrome", ["color": .text(color.description), "intensity": .number(intensity)])
    }

    public static func duotone(dark: RGBColor, light: RGBColor) -> Filter {
        Filter("false-color", ["color0": .text(dark.description), "color1": .text(light.description)])
    }

    /// Applies a .cube file.
    public static func lookUpTable(path: String, intensity: Double = 1) -> Filter {
        Filter("color-cube", ["file": .text(path), "intensity": .number(intensity)])
    }

    public static func vignette(intensity: Double = 0.6, radius: Double = 1) -> Filter {
        Filter("vignette", ["intensity": .number(intensity), "radius": .number(radius)])
    }

    public static func filmGrain(intensity: Double = 0.12, size: Length = .percent(0.2)) -> Filter {
        Filter("film-grain", ["intensity": .number(intensity), "size": .text(size.description)])
    }

    /// Blurs with a Gaussian; `radius` is its standard deviation.
    public static func gaussianBlur(radius: Length = .percent(1.5)) -> Filter {
        Filter("gaussian-blur", ["radius": .text(radius.description)])
    }

    public static func sharpenLuminance(_ sharpness: Double = 0.4, radius: Length = .percent(0.26)) -> Filter {
        Filter("sharpen-luminance", ["sharpness": .number(sharpness), "radius": .text(radius.description)])
    }

    public static func unsharpMask(radius: Length = .percent(0.4), intensity: Double = 0.5) -> Filter {
        Filter("unsharp-mask", ["radius": .text(radius.description), "intensity": .number(intensity)])
    }

    public static func bloom(radius: Length = .percent(1.5), intensity: Double = 0.5) -> Filter {
        Filter("bloom", ["radius": .text(radius.description), "intensity": .number(intensity)])
    }

    public static func pixellate(scale: Length = .percent(1.25)) -> Filter {
        Filter("pixellate", ["scale": .text(scale.description)])
    }

    /// Straightens the image by an angle in degrees, clockwise.
    public static func straighten(_ degrees: Double) -> Filter {
        Filter("straighten", ["angle": .number(degrees)])
    }
}
