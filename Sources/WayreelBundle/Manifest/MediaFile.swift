/// One file of a bundle's media; for HLS, one folder of files.
public struct MediaFile: Hashable, Sendable, Codable {
    /// The path relative to the bundle, such as `media/3f/3fab….jpg`; for HLS, the path of the master playlist.
    public var path: String
    /// The IANA media type, such as `image/jpeg`.
    public var type: String
    /// The size of the file at ``path``.
    public var bytes: Int
    /// The SHA-256 of the file at ``path`` in hexadecimal digits.
    public var sha256: String
    /// The width of an image or video in pixels.
    public var width: Int?
    public var height: Int?
    /// The duration of audio or video.
    public var seconds: Double?
    /// The other files of the folder; nil if there are none.
    public var parts: [Part]?

    public struct Part: Hashable, Sendable, Codable {
        public var path: String
        public var bytes: Int
        public var sha256: String
    }

    /// The size of all files.
    public var totalBytes: Int { all.reduce(0) { $0 &+ $1.bytes } }

    /// The paths of all files, beginning with the file to open first.
    public var paths: [String] { [path] + (parts ?? []).map(\.path) }

    /// All files.
    var all: [Part] { [Part(path: path, bytes: bytes, sha256: sha256)] + (parts ?? []) }
}
