package import WayreelCore
extension Picture {
    package func turned(upright: Orientation) throws(MediaError) -> Picture { self }
    package func withoutFullAlpha() -> Picture { self }
}
extension OutputMetadata {
    package init(keeping: Encoding.Metadata, from: PictureHeader) { self.init() }
}
