/// One file of a bundle's media, or of HLS one folder of files.
public struct MediaFile: Hashable, Sendable, Codable {
    /// Relative to the bundle: `media/3f/3fab….jpg`; of HLS the master playlist.
    public var path: String
    /// The media type of IANA: `image/jpeg`.
    public var type: String
    /// Of the file at ``path``.
    public var bytes: Int
    /// The SHA-256 of the file at ``path`` in hexadecimal digits.
    public var sha256: String
    /// Of images and video, in pixels.
    public var width: Int?
    public var height: Int?
    /// Of audio and video.
    public var seconds: Double?
    /// The other files of a folder; nil where there are none.
    public var parts: [Part]?

    public struct Part: Hashable, Sendable, Codable {
        public var path: String
        public var bytes: Int
        public var sha256: String
    }

    /// Of all files.
    public var totalBytes: Int { all.reduce(0) { $0 &+ $1.bytes } }

    /// The paths of all files, the one that is opened first in front.
    public var paths: [String] { [path] + (parts ?? []).map(\.path) }

    /// All files.
    var all: [Part] { [Part(path: path, bytes: bytes, sha256: sha256)] + (parts ?? []) }
}
