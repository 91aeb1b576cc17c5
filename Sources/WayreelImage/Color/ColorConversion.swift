package import WayreelCore

/// How the colours of a decoded picture become sRGB: relative colorimetric, with black-point compensation.
package struct ColorConversion: Sendable {
    /// From the source's encoded red, green and blue to sRGB's; none where they are sRGB already.
    package let ops: [ColorOp]
    /// For a CMYK picture, which this makes sRGB before any operation.
    package let cmyk: CMYKConverter?
    /// What the caller should know, as sentences without a full stop.
    package let warnings: [String]

    init(ops: [ColorOp], cmyk: CMYKConverter? = nil, warnings: [String] = []) {
        self.ops = ops
        self.cmyk = cmyk
        self.warnings = warnings
    }

    /// The conversion for pictures like the one that `header` describes, built once for all of them. Its warnings go to
    /// `watch`; a description that cannot be used is among them, and read as sRGB. Throws an `io` error where Little CMS is needed
    /// and not installed.
    package static func shared(for header: PictureHeader, watch: TaskWatch) throws(MediaError) -> ColorConversion {
        let conversion = try ColorConversionCache.shared.conversion(for: header)
        if header.profileIsDamaged {
            watch.warn("color", "the embedded colour profile is damaged; it is ignored")
        }
        for warning in conversion.warnings { watch.warn("color", warning) }
        return conversion
    }

    /// `picture` as red, green, blue (and alpha), with the operations that still have to run to make it sRGB.
    ///
    /// `isLinear` says that its red, green and blue were decoded by sRGB's curve, as resampling in linear light does; the
    /// planes of a CMYK picture never are. Throws where the machine has no memory, or as `watch` does.
    package func convert(
        _ picture: Picture, isLinear: Bool, watch: TaskWatch = TaskWatch()
    ) throws(MediaError) -> (picture: Picture, toSRGB: [ColorOp]) {
        if let cmyk { return (try cmyk.convert(picture, watch: watch), []) }
        return (picture, isLinear ? [.encodeSRGB] + ops : ops)
    }
}

extension ColorConversion {
    /// What decides over a conversion.
    struct Source: Hashable {
        let space: ICCProfile.Space
        let color: SourceColor

        init(_ header: PictureHeader) {
            space = header.layout == .cmyk ? .cmyk : header.model == .grey ? .grey : .rgb
            color = SourceColor(header)
        }
    }

    /// Throws an `io` error where Little CMS is needed and not installed.
    init(_ source: Source) throws(MediaError) {
        switch (source.color, source.space) {
        case (.profile(let bytes), _):
            try LittleCMSLibrary.load(step: "color")
            do {
                self = try Self.reading(ICCProfile(bytes), for: source.space)
            } catch {
                self = .assumed(source.space, because: "the embedded colour profile \(error.reason); it is ignored")
            }
        case (_, .cmyk): self = .assumed(.cmyk)
        case (.srgb, _): self.init(ops: [])
        case (.gamma(let gamma), _): self = .described(by: nil, gamma: gamma)
        case (.chromaticities(let points, let gamma), _): self = .described(by: points, gamma: gamma)
        case (.coded(let primaries, let transfer), _): self = .coded(primaries: primaries, transfer: transfer)
        }
    }

    /// sRGB, or uncalibrated inks.
    private static func assumed(_ space: ICCProfile.Space, because reason: String? = nil) -> ColorConversion {
        guard space == .cmyk else { return ColorConversion(ops: [], warnings: reason.map { [$0] } ?? []) }
        let uncalibrated = "a CMYK picture without a usable colour profile: its colours are approximate"
        return ColorConversion(
            ops: [], cmyk: CMYKConverter(), warnings: [reason, uncalibrated].compactMap(\.self))
    }

    /// By primaries and a power of linear light, each sRGB's where it is nil.
    private static func described(by points: Chromaticities?, gamma: Double?) -> ColorConversion {
        guard let matrix = (points ?? .sRGB).matrixToD50, (0.1...10).contains(gamma ?? 1) else {
            return assumed(.rgb, because: "the stated gamma or primaries make no sense; they are ignored")
        }
        return ColorConversion(ops: ShapedColor(curve: gamma.map { .power(1 / $0) } ?? .srgb, toXYZ: matrix).ops)
    }

    private static func coded(primaries: Int, transfer: Int) -> ColorConversion {
        guard let points = CodedColor.chromaticities(primaries: primaries), let matrix = points.matrixToD50,
            let weights = points.luminanceWeights
        else {
            return assumed(.rgb, because: "unknown colour primaries (code point \(primaries)); read as sRGB")
        }
        switch CodedColor.transfer(transfer) {
        case .standard(let curve):
            return ColorConversion(ops: ShapedColor(curve: curve, toXYZ: matrix).ops)
        case .high(let name, let curve):
            return toneMapped(ShapedColor(curve: curve, toXYZ: matrix), name)
        case .hybrid(let curve):
            let display = ColorOp.kernel(HybridLogGamma.Display(luminanceWeights: weights))
            return toneMapped(ShapedColor(curve: curve, toXYZ: matrix, linearOps: [display]), "HLG")
        case nil:
            return assumed(.rgb, because: "unknown transfer characteristics (code point \(transfer)); read as sRGB")
        }
    }

    /// `color` makes light of a bright screen, in which 1 is the white of a standard one.
    private static func toneMapped(_ color: ShapedColor, _ name: String) -> ColorConversion {
        ColorConversion(
            ops: color.ops + ToneMapping.ops,
            warnings: ["high dynamic range (\(name)): highlights were compressed to the standard range"])
    }
}
