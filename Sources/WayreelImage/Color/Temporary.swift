package import WayreelCore
package struct ColorConversion: Sendable {
    package static func shared(for header: PictureHeader, watch: TaskWatch) throws(MediaError) -> ColorConversion {
        ColorConversion()
    }
    package func convert(_ p: Picture, isLinear: Bool) throws(MediaError) -> (Picture, [ColorOp]) {
        (p, isLinear ? [.encodeSRGB] : [])
    }
}
extension Picture {
    package func turned(upright: Orientation) throws(MediaError) -> Picture { self }
    package func withoutFullAlpha() -> Picture { self }
}
extension OutputMetadata {
    package init(keeping: Encoding.Metadata, from: PictureHeader) { self.init() }
}
