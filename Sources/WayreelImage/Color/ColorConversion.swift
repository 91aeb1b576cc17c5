internal import Synchronization
package import WayreelCore

/// Converts decoded colours to sRGB: relative colorimetric with black-point compensation.
package struct ColorConversion: Sendable {
    /// Converts encoded source RGB to sRGB; empty if the source is sRGB.
    package let ops: [ColorOp]
    /// For a CMYK image; runs before `ops`.
    package let cmyk: CMYKConverter?
    /// Warnings for the caller, as sentences without a full stop.
    package let warnings: [String]

    init(ops: [ColorOp], cmyk: CMYKConverter? = nil, warnings: [String] = []) {
        self.ops = ops
        self.cmyk = cmyk
        self.warnings = warnings
    }

    /// Returns the conversion for images like the one described by `header`, cached. Warnings go to `task`; an unusable
    /// description gives a warning and is read as sRGB. Throws an `io` error if Little CMS is needed but not installed.
    package static func shared(for header: ImageHeader, task: TaskContext) throws(MediaError) -> ColorConversion {
        let conversion = try cached(for: Source(header))
        if header.profileIsDamaged {
            task.warn(.color, "the embedded colour profile is damaged; it is ignored")
        }
        for warning in conversion.warnings { task.warn(.color, warning) }
        return conversion
    }

    /// Max total size of the profiles of cached conversions in bytes; a larger one is not cached.
    private static let maxBytes = 32 << 20

    /// Recently used conversions: images of a batch share profiles, and a conversion takes milliseconds to build.
    private static let recent = Mutex(
        RecentValues<Source, ColorConversion>(
            maxCost: maxBytes, maxCount: 8, maxValueCost: maxBytes, evicting: .excess))

    private static func cached(for source: Source) throws(MediaError) -> ColorConversion {
        if let known = recent.withLock({ $0[source] }) { return known }
        // Built outside the lock: two threads may build the same conversion, but none waits.
        let conversion = try ColorConversion(source)
        recent.withLock { $0.keep(conversion, cost: source.color.byteCount, for: source) }
        return conversion
    }

    /// Returns `image` as RGB (and alpha), with the remaining operations for its conversion to sRGB.
    ///
    /// `isLinear` is true if RGB planes were decoded with sRGB's curve, as in linear-light resampling; CMYK planes
    /// never are. Throws if memory is exhausted or `task` throws.
    package func convert(
        _ image: Image, isLinear: Bool, task: TaskContext = TaskContext()
    ) throws(MediaError) -> (image: Image, toSRGB: [ColorOp]) {
        if let cmyk { return (try cmyk.convert(image, task: task), []) }
        return (image, isLinear ? [.encodeSRGB] + ops : ops)
    }

    /// Cache key: everything that determines a conversion.
    struct Source: Hashable {
        let space: ICCProfile.Space
        let color: SourceColor

        init(_ header: ImageHeader) {
            space = header.layout == .cmyk ? .cmyk : header.model == .grey ? .grey : .rgb
            color = SourceColor(header)
        }

        /// Hashes the beginning of a profile only, which has its size and date: profiles may have megabytes.
        func hash(into hasher: inout Hasher) {
            hasher.combine(space)
            if case .profile(let bytes) = color { hasher.combine(bytes.prefix(128)) } else { hasher.combine(color) }
        }
    }

    /// Throws an `io` error if Little CMS is needed but not installed.
    init(_ source: Source) throws(MediaError) {
        switch (source.color, source.space) {
        case (.profile(let bytes), _):
            try SharedLibrary.littleCMS.require(step: .color)
            do {
                self = try Self.reading(ICCProfile(bytes), for: source.space)
            } catch {
                self = .assumed(source.space, because: "the embedded colour profile \(error.reason); it is ignored")
            }
        case (_, .cmyk): self = .assumed(.cmyk)
        case (.srgb, _): self.init(ops: [])
        case (.gamma(let gamma), _): self = .described(by: nil, gamma: gamma)
        case (.chromaticities(let points, let gamma), _): self = .described(by: points, gamma: gamma)
        case (.coded(let primaries, let transfer, let narrowBits), _):
            let full = ColorConversion.coded(primaries: primaries, transfer: transfer)
            self = narrowBits.map { full.afterExpanding(bits: $0) } ?? full
        }
    }

    /// sRGB, or uncalibrated CMYK.
    private static func assumed(_ space: ICCProfile.Space, because reason: String? = nil) -> ColorConversion {
        guard space == .cmyk else { return ColorConversion(ops: [], warnings: reason.map { [$0] } ?? []) }
        let uncalibrated = "a CMYK image without a usable colour profile: its colours are approximate"
        return ColorConversion(
            ops: [], cmyk: CMYKConverter(), warnings: [reason, uncalibrated].compactMap(\.self))
    }

    /// Returns a conversion from primaries and a gamma; nil means sRGB's.
    private static func described(by points: Chromaticities?, gamma: Double?) -> ColorConversion {
        guard let matrix = (points ?? .sRGB).matrixToD50, (0.1...10).contains(gamma ?? 1) else {
            return assumed(.rgb, because: "the declared gamma or primaries are invalid and ignored")
        }
        return ColorConversion(ops: ShapedColor(curve: gamma.map { .power(1 / $0) } ?? .srgb, toXYZ: matrix).ops)
    }

    /// Returns the conversion of R′G′B′ in narrow range (ITU-T H.273, section 8.3, equations 26 to 28).
    private func afterExpanding(bits: Int) -> ColorConversion {
        let step = Double(1 << (bits - 8)) / Double(1 << bits - 1)
        let (scale, offset) = (Float(1 / (219 * step)), Float(-16.0 / 219))
        let expansion = ColorMatrix(
            red: [scale, 0, 0, offset], green: [0, scale, 0, offset], blue: [0, 0, scale, offset])
        return ColorConversion(ops: [.matrix(expansion)] + ops, warnings: warnings)
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
            let display = HybridLogGamma.display(luminanceWeights: weights)
            return toneMapped(ShapedColor(curve: curve, toXYZ: matrix, linearOps: [display]), "HLG")
        case nil:
            return assumed(.rgb, because: "unknown transfer characteristics (code point \(transfer)); read as sRGB")
        }
    }

    /// `color` gives HDR light with 1 as the white of a standard display.
    private static func toneMapped(_ color: ShapedColor, _ name: String) -> ColorConversion {
        ColorConversion(
            ops: color.ops + ToneMapping.ops,
            warnings: ["high dynamic range (\(name)): highlights were compressed to the standard range"])
    }
}

/// The colour space of a decoded image.
package enum SourceColor: Hashable, Sendable {
    case srgb
    /// An ICC profile.
    case profile([UInt8])
    /// A power of linear light, with sRGB's primaries.
    case gamma(Double)
    /// Primaries, with sRGB's transfer function or a gamma.
    case chromaticities(Chromaticities, gamma: Double?)
    /// Code points of ITU-T H.273. `narrowBits`: the bits per component of R′G′B′ in narrow range; nil for full range.
    case coded(primaries: Int, transfer: Int, narrowBits: Int? = nil)

    fileprivate var byteCount: Int {
        if case .profile(let bytes) = self { bytes.count } else { 0 }
    }

    /// The description that takes precedence in `header`.
    ///
    /// In PNG, code points precede a profile, and that precedes gAMA and cHRM (PNG Specification, Third Edition,
    /// section 4.3); elsewhere a profile is more exact.
    package init(_ header: ImageHeader) {
        let coded = header.codePoints.map { points in
            // Decoders of other formats have converted the range.
            SourceColor.coded(
                primaries: points.primaries, transfer: points.transfer,
                narrowBits: header.format == .png && !points.isFullRange ? header.rowBits : nil)
        }
        let profile = header.profile.map(SourceColor.profile)
        let described = header.chromaticities.map { SourceColor.chromaticities($0, gamma: header.gamma) }
        let ranked = header.format == .png ? coded ?? profile : profile ?? coded
        self = ranked ?? described ?? header.gamma.map(SourceColor.gamma) ?? .srgb
    }
}
