internal import WayreelCore

/// An opened image: its header is checked, and its rows are not decoded yet.
struct SourceImage {
    private let reader: any RowReader
    /// Opens the image again for a second decoding.
    private let reopen: () throws(MediaError) -> any RowReader

    var header: ImageHeader { reader.header }

    /// Upright, in pixels.
    var size: PixelSize { orientation.upright(header.size) }

    /// The rotation that shows the stored image upright, from EXIF and the decoder.
    private let orientation: Orientation

    init(_ bytes: MediaBytes, page: Int? = nil, limits: Limits, task: TaskContext) throws(MediaError) {
        reopen = { () throws(MediaError) in
            try ImageDecoder.open(bytes, page: page, limits: limits, task: task)
        }
        reader = try reopen()
        orientation = reader.header.uprightOrientation
    }

    /// A decoded image.
    struct Decoded {
        var header: ImageHeader
        /// Upright, in pixels.
        var sourceSize: PixelSize
        /// Upright, in the source's colours.
        var image: Image
        /// Converts the colours to sRGB; run together with the following colour filters.
        var toSRGB: [ColorOp]
        /// Output size: that of the image, or larger for padding.
        var canvas: PixelSize
    }

    /// Decodes the part that `framing` keeps, at its output size, upright.
    ///
    /// Throws if the result exceeds `limits` or those of `format`, or the damage exceeds `tolerance`.
    func decode(
        framing: Framing, format: Encoding.Format? = nil, limits: Limits, tolerance: DamageTolerance, task: TaskContext
    ) throws(MediaError) -> Decoded {
        do throws(MediaError) {
            return try decodeRows(framing: framing, format: format, limits: limits, tolerance: tolerance, task: task)
        } catch { throw error.advising(ImageDecoder.wholeFile) }
    }

    private func decodeRows(
        framing: Framing, format: Encoding.Format?, limits: Limits, tolerance: DamageTolerance, task: TaskContext
    ) throws(MediaError) -> Decoded {
        var window: PixelRectangle?
        if let crop = framing.crop { window = try area(of: crop, task: task) }
        if let trim = framing.trim {
            window = try BorderScan.window(of: reader, tolerance: trim, task: task)
            if window == nil { task.warn(.trim, "the image has one colour; nothing is trimmed") }
        }
        let orientation = orientation.then(framing.turning)
        let size = window?.size ?? header.size
        let layout = framing.layout(for: orientation.upright(size))
        try limits.check(output: layout.image)
        try limits.check(output: layout.canvas)
        try format?.check(output: layout.canvas)
        if layout.isSmall {
            task.warn(
                .resample, "the image of \(orientation.upright(size)) is smaller than requested",
                advice: "\(.enlarges) upscales it")
        }
        if let camera = header.rawCamera {
            task.warn(
                .decode, "it is a raw photo of \(camera), of which the embedded preview of \(self.size) is used",
                advice: "develop it and export it as JPEG, HEIC or TIFF for all of its detail")
        }
        if header.ignoresAlpha {
            task.warn(
                .decode, "the transparency of a CMYK image is not used",
                advice: "convert it to RGB with its transparency first")
        }
        var plan = framing.plan(layout, for: size, orientation: orientation)
        if let window { plan = plan.inside(window, of: header.size) }
        let reader = framing.trim == nil ? reader : try reopen()
        let stored = try Resampling.resample(reader, plan: plan, task: task)
        try tolerance.judge(reader.damage, task: task)
        let (converted, toSRGB) = try ColorConversion.shared(for: header, task: task).convert(
            stored, isLinear: plan.inLinearLight)
        var image = try converted.turned(upright: orientation)
        if framing.cropsToAttention {
            let origin = try AttentionCrop(image, toSRGB: toSRGB, task: task).origin(
                of: layout.canvas, in: image.size)
            image = try image.onCanvas(layout.canvas, x: -origin.x, y: -origin.y)
        }
        return Decoded(
            header: header, sourceSize: self.size, image: try image.withoutFullAlpha(), toSRGB: toSRGB,
            canvas: layout.canvas)
    }

    /// Returns the part that a crop keeps, in the stored orientation.
    ///
    /// Throws a `parameter` error for a crop outside of the image.
    private func area(of crop: Framing.Crop, task: TaskContext) throws(MediaError) -> PixelRectangle {
        guard let (area, isCut) = crop.area(in: size) else {
            throw MediaError(
                .parameter, step: .crop, reason: "the crop \(crop.text) lies outside of the image of \(size)",
                advice: "give x,y,width,height of the upright image, in pixels or percent")
        }
        if isCut {
            task.warn(.crop, "the crop \(crop.text) reaches beyond the image of \(size); what is left is \(area.size)")
        }
        return orientation.stored(area, in: header.size)
    }
}

extension Limits {
    /// Throws a `limit` error if an output of `size` exceeds the pixel limit.
    func check(output size: PixelSize) throws(MediaError) {
        guard size.pixels <= pixels else {
            throw MediaError(
                .limit, code: .tooManyPixels, step: .resample,
                reason: "the output would be \(size); the limit is \(pixels.inMegapixels)",
                advice: "choose a smaller screen or raise the limit with \(.maxPixels)")
        }
    }
}

extension DamageTolerance {
    /// Warns about accepted damage and throws for the rest.
    fileprivate func judge(_ damage: Damage?, task: TaskContext) throws(MediaError) {
        guard let damage else { return }
        let percent = Int((damage.missingShare * 100).rounded(.up))
        let missing = percent > 0 ? ", \(percent) % of the image is missing" : ""
        let accepted =
            switch self {
            case .none: true
            case .standard: damage.missingShare <= Self.acceptedShare
            case .warning: false
            }
        guard accepted else {
            throw MediaError(
                .decoding, code: .damaged, step: .decode, reason: damage.description + missing,
                advice: percent > 0
                    ? "\(ImageDecoder.wholeFile), or accept it with \(.toleranceNone)"
                    : "export it again, or accept it with \(.toleranceNone)")
        }
        task.warn(.decode, damage.description + missing)
    }
}
