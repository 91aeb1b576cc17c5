internal import WayreelCore

/// A picture as its file holds it: opened and judged by its header, not decoded yet.
struct SourcePicture {
    private let reader: any RowReader
    /// Opens the same image anew, to be decoded a second time.
    private let reopen: () throws(MediaError) -> any RowReader

    var header: PictureHeader { reader.header }

    /// Upright, in pixels.
    var size: PixelSize { orientation.upright(header.size) }

    /// How the stored picture is turned for showing, EXIF and its decoder's own turning taken into account.
    private let orientation: Orientation

    init(_ bytes: MediaBytes, page: Int? = nil, limits: Limits, watch: TaskWatch) throws(MediaError) {
        reopen = { () throws(MediaError) in
            try PictureDecoder.open(bytes, page: page, limits: limits, watch: watch)
        }
        reader = try reopen()
        orientation = reader.header.uprightOrientation
    }

    /// What came of decoding.
    struct Decoded {
        var header: PictureHeader
        /// Upright, in pixels.
        var sourceSize: PixelSize
        /// Upright, in the source's colours.
        var picture: Picture
        /// The operations that make the colours sRGB, to be run with whatever colour filters follow.
        var toSRGB: [ColorOp]
        /// The size of the output: that of the picture, or a larger one to pad it to.
        var canvas: PixelSize
    }

    /// Decodes the part that `framing` keeps, at the size that it makes of it, upright.
    ///
    /// Throws where the result would be over `limits` or those of `format`, or more is damaged than `tolerance` accepts.
    func decode(
        framing: Framing, format: Encoding.Format? = nil, limits: Limits, tolerance: DamageTolerance, watch: TaskWatch
    ) throws(MediaError) -> Decoded {
        let window = try framing.trim.flatMap { (tolerance) throws(MediaError) in
            try contents(within: tolerance, watch: watch)
        }
        let size = window?.size ?? header.size
        let layout = framing.layout(for: orientation.upright(size))
        try limits.check(output: layout.image)
        try limits.check(output: layout.canvas)
        try format?.check(output: layout.canvas)
        if layout.isSmall {
            watch.warn(
                "resample",
                "the image of \(orientation.upright(size)) is smaller than asked for and stays so; --enlarge makes it larger"
            )
        }
        var plan = framing.plan(layout, for: size, orientation: orientation)
        if let window { plan = plan.inside(window, of: header.size) }
        let reader = framing.trim == nil ? reader : try reopen()
        let stored = try Resampling.resample(reader, plan: plan, watch: watch)
        try tolerance.judge(reader.damage, watch: watch)
        let (converted, toSRGB) = try ColorConversion.shared(for: header, watch: watch).convert(
            stored, isLinear: plan.inLinearLight)
        var picture = try converted.turned(upright: orientation)
        if framing.cropsToAttention {
            let origin = try AttentionCrop(picture, toSRGB: toSRGB, watch: watch).origin(
                of: layout.canvas, in: picture.size)
            picture = try picture.onCanvas(layout.canvas, x: -origin.x, y: -origin.y)
        }
        return Decoded(
            header: header, sourceSize: self.size, picture: try picture.withoutFullAlpha(), toSRGB: toSRGB,
            canvas: layout.canvas)
    }

    /// What is left without a border, as the image is stored; nil where there is nothing to cut off, or nothing else.
    private func contents(within tolerance: Double, watch: TaskWatch) throws(MediaError) -> PixelRectangle? {
        guard let window = try BorderScan.window(of: reader, tolerance: tolerance, watch: watch) else {
            watch.warn("trim", "the image is of one colour; nothing is cut off")
            return nil
        }
        return window
    }
}

extension Limits {
    /// Throws a `limit` error where an output of `size` would be over the pixel limit.
    fileprivate func check(output size: PixelSize) throws(MediaError) {
        guard size.pixels <= pixels else {
            throw MediaError(
                .limit, step: "resample",
                reason: "the output would be \(size); the limit is \(pixels.inMegapixels)",
                advice: "choose a smaller screen or raise the limit with --max-pixels")
        }
    }
}

extension DamageTolerance {
    /// Warns of damage that is accepted and throws for what is not.
    fileprivate func judge(_ damage: Damage?, watch: TaskWatch) throws(MediaError) {
        guard let damage else { return }
        let percent = Int((damage.missingShare * 100).rounded(.up))
        let missing = percent > 0 ? ", \(percent) % of the picture is missing" : ""
        let accepted =
            switch self {
            case .none: true
            case .standard: damage.missingShare <= Self.acceptedShare
            case .warning: false
            }
        guard accepted else {
            throw MediaError(
                .decoding, step: "decode", reason: damage.description + missing,
                advice: "send the whole file, or accept it with --fail-on none")
        }
        watch.warn("decode", damage.description + missing)
    }
}
