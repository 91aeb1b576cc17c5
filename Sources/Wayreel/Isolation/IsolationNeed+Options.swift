internal import WayreelImage

extension IsolationNeed {
    /// A text is laid out in one call of Pango; images may be decoded in one, when the pipeline is made.
    init(of overlays: [Overlay]) {
        if overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage) {
            self = .pipeline
        } else {
            self = overlays.contains(where: \.isText) ? .work : .none
        }
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
