internal import WayreelImage

extension IsolationNeed {
    /// A text is laid out in one call of Pango, which also checks its font when the pipeline is made; images may be decoded in
    /// one then.
    init(of overlays: [Overlay]) {
        let isUninterruptible =
            overlays.contains(where: \.isText) || overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage)
        self = isUninterruptible ? .pipeline : .none
    }

    /// AVIF is encoded in one call.
    init(of encoding: Encoding) { self = encoding.format == .avif ? .work : .none }
}

extension Overlay {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}

extension [Overlay] {
    var imagePaths: [String] {
        compactMap { if case .image(let image) = $0 { image.path } else { nil } }
    }
}
