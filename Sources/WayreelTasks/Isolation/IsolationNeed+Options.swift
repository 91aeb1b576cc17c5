internal import WayreelCore
internal import WayreelImage

extension IsolationNeed {
    /// Text layout is one call of Pango, which also checks the font when the pipeline is created. Decoding an overlay
    /// image may be one call too.
    init(of overlays: [Overlay]) {
        let isUninterruptible =
            overlays.contains(where: \.isText) || overlays.imagePaths.contains(where: FileHead.isUninterruptibleImage)
        self = isUninterruptible ? .pipeline : .none
    }

    /// AVIF encoding is one call.
    init(of encoding: Encoding) { self = encoding.format == .avif ? .work : .none }
}

extension Overlay {
    fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
