internal import WayreelCore

/// What the first bytes of a file show about its format.
package enum MediaSignature: Hashable, Sendable {
    case empty
    /// An image in a format that is read.
    case image
    /// A video, or a container that also holds audio alone: `an MP4 or QuickTime video`.
    case video(String)
    /// `a WAV audio file`.
    case audio(String)
    /// `plain text`.
    case text(String)
    /// Something else that is recognised: `a PDF document`.
    case other(String)
    /// Nothing is recognised. Some audio, and Targa images, begin in no way of their own.
    case unknown

    /// Reads the first bytes of a regular file; unknown if they cannot be read.
    package init(ofFile path: String) {
        self = FileHead.withFirstBytes(of: path) { MediaSignature($0) } ?? .unknown
    }

    package init(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        switch FormatSignature.detect(bytes) {
        case .jpeg?, .png?, .gif?, .webp?, .tiff?, .jxl?, .heif?, .icon?, .raw?, .still?: self = .image
        case .refused(let description, let advice)?:
            if advice == FormatSignature.videoAdvice {
                self = .video(description)
            } else if description.contains("audio") {
                self = .audio(description)
            } else {
                self = description == FormatSignature.plainText ? .text(description) : .other(description)
            }
        case nil: self = .unknown
        }
    }
}
