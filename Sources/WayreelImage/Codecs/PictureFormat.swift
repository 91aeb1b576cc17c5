/// A file format of still pictures.
package struct PictureFormat: Hashable, Sendable {
    /// `jpeg`, `png`, `webp`, `heif`, `avif`, or FFmpeg's name for one of the formats that only it reads.
    package let name: String
    /// The extension that an output gets, without the dot.
    package let fileExtension: String
    package let mimeType: String

    package init(name: String, fileExtension: String, mimeType: String) {
        self.name = name
        self.fileExtension = fileExtension
        self.mimeType = mimeType
    }

    package static let jpeg = PictureFormat(name: "jpeg", fileExtension: "jpg", mimeType: "image/jpeg")
    package static let png = PictureFormat(name: "png", fileExtension: "png", mimeType: "image/png")
    package static let webp = PictureFormat(name: "webp", fileExtension: "webp", mimeType: "image/webp")
    package static let heif = PictureFormat(name: "heif", fileExtension: "heic", mimeType: "image/heic")
    package static let avif = PictureFormat(name: "avif", fileExtension: "avif", mimeType: "image/avif")
}
