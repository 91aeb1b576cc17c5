/// A file format of still pictures.
package struct PictureFormat: Hashable, Sendable {
    /// `jpeg`, `png`, `webp`, `heif`, `avif`, or FFmpeg's name for one of the formats that only it reads.
    package let name: String
    package let mimeType: String

    package init(name: String, mimeType: String) {
        self.name = name
        self.mimeType = mimeType
    }

    package static let jpeg = PictureFormat(name: "jpeg", mimeType: "image/jpeg")
    package static let png = PictureFormat(name: "png", mimeType: "image/png")
    package static let gif = PictureFormat(name: "gif", mimeType: "image/gif")
    package static let webp = PictureFormat(name: "webp", mimeType: "image/webp")
    package static let heif = PictureFormat(name: "heif", mimeType: "image/heic")
    package static let tiff = PictureFormat(name: "tiff", mimeType: "image/tiff")
    package static let jxl = PictureFormat(name: "jxl", mimeType: "image/jxl")
    package static let avif = PictureFormat(name: "avif", mimeType: "image/avif")
}
