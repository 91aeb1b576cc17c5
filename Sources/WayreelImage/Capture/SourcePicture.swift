internal import WayreelCore

/// A picture as its file holds it: opened and judged by its header, not decoded yet.
struct SourcePicture {
    private let reader: any RowReader

    var header: PictureHeader { reader.header }

    /// Upright, in pixels.
    var size: PixelSize { orientation.upright(header.size) }

    /// How the stored picture is turned for showing, EXIF and its decoder's own turning taken into account.
    private let orientation: Orientation

    init(_ bytes: MediaBytes, page: Int? = nil, limits: Limits, watch: TaskWatch) throws(MediaError) {
        reader = try PictureDecoder.open(bytes, page: page, limits: limits, watch: watch)
        orientation = reader.header.uprightOrientation
    }

    /// Decodes the part that `framing` keeps, at the size that it makes of it, upright.
    ///
    /// The colours are still the source's: the operations that make them sRGB come along, to be run with whatever colour
    /// filters follow. Throws where the result would be over `limits` or those of `format`, or more is damaged than `tolerance` accepts.
    func decode(
        framing: Framing, format: Encoding.Format? = nil, limits: Limits, tolerance: DamageTolerance, watch: TaskWatch
    ) throws(MediaError) -> (picture: Picture, toSRGB: [ColorOp]) {
        let plan = framing.plan(for: header.size, orientation: orientation)
        try limits.check(output: plan.output)
        try format?.check(output: orientation.upright(plan.output))
        let stored = try Resampling.resample(reader, plan: plan, watch: watch)
        try tolerance.judge(reader.damage, watch: watch)
        let (picture, toSRGB) = try ColorConversion.shared(for: header, watch: watch).convert(
            stored, isLinear: plan.inLinearLight)
        return (try picture.turned(upright: orientation).withoutFullAlpha(), toSRGB)
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
