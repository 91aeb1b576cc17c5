extension CaptureOptions {
    /// Combines a recipe with `base`: its filters and overlays come after those of `base`, its output settings take
    /// precedence.
    public init(_ recipe: Recipe, over base: CaptureOptions = CaptureOptions()) {
        self = base
        framing = recipe.output.framing(over: base.framing)
        background = recipe.output.background ?? base.background
        filters += recipe.filters
        overlays += recipe.overlays
        encoding = recipe.output.encoding(over: base.encoding)
    }
}
