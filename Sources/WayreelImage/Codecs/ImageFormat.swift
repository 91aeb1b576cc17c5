/// A still image format.
package struct ImageFormat: Hashable, Sendable {
    /// `jpeg`, `png`, `webp`, `heif`, `avif`, or FFmpeg's name for formats that only FFmpeg decodes.
    package let name: String
    package let mimeType: String

    package init(name: String, mimeType: String) {
        self.name = name
        self.mimeType = mimeType
    }

    package static let jpeg = ImageFormat(name: "jpeg", mimeType: "image/jpeg")
    package static let png = ImageFormat(name: "png", mimeType: "image/png")
    package static let gif = ImageFormat(name: "gif", mimeType: "image/gif")
    package static let webp = ImageFormat(name: "webp", mimeType: "image/webp")
    package static let heif = ImageFormat(name: "heif", mimeType: "image/heic")
    package static let tiff = ImageFormat(name: "tiff", mimeType: "image/tiff")
    package static let jxl = ImageFormat(name: "jxl", mimeType: "image/jxl")
    /// The formats of cameras for sensor data, of which the preview is read.
    package static let raw = ImageFormat(name: "raw", mimeType: "image/x-dcraw")
    package static let avif = ImageFormat(name: "avif", mimeType: "image/avif")
}
