public import WayreelCore

/// The files of a written package.
public struct HLSReport: Hashable, Sendable, Codable {
    public struct File: Hashable, Sendable, Codable {
        /// The path relative to the folder.
        public var name: String
        public var bytes: Int

        public init(name: String, bytes: Int) {
            self.name = name
            self.bytes = bytes
        }
    }

    public var folder: String
    public var files: [File]
    /// The length of the longest rendition.
    public var seconds: Double
    public var warnings: [MediaWarning]

    public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    public init(folder: String, files: [File], seconds: Double, warnings: [MediaWarning]) {
        self.folder = folder
        self.files = files
        self.seconds = seconds
        self.warnings = warnings
    }
}
