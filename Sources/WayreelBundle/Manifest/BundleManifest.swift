internal import FoundationEssentials
public import WayreelCore
public import WayreelMapFiles
internal import WayreelDocument
public import WayreelStory

/// The contents of a bundle, which `manifest.json` lists for programs that copy, serve or check bundles. Players open
/// `story.sqlite`.
public struct BundleManifest: Hashable, Sendable, Codable {
    /// The newest version of the format that this Wayreel reads. It writes version 1 unless there are base maps, which
    /// readers of version 1 do not know.
    public static let currentVersion = 2

    public var version: Int
    /// The version of Wayreel that prepared the bundle.
    public var wayreel: String
    public var story: StoryEntry
    public var screens: [ScreenEntry]
    /// The house's face; nil for that of Wayreel. Its files are among ``media``.
    public var face: FaceEntry?
    /// The base maps; nil if there are none.
    public var ground: Ground?
    /// The floor plans, in the order of the story; nil if there are none. Their pictures are among ``media``.
    public var floors: [Floor]?
    /// The file `story.sqlite`.
    public var database: Database
    /// All media files, sorted by path.
    public var files: [MediaFile]
    /// The uses of the files in the order of the story.
    public var media: [MediaEntry]
    /// Who made the media, and under which licence they are shown; nil if nothing is known of any.
    public var credits: [MediaCredit]?
    /// The files that could not be prepared (`--allow-missing`); nil if none are missing.
    public var missing: [Missing]?

    public struct StoryEntry: Hashable, Sendable, Codable {
        public var id: String
        public var language: String
        /// The languages of the bundle, ``language`` first; nil if there are no others.
        public var languages: [String]?
        public var name: String
        public var chapters: Int
        public var events: Int
    }

    public struct FaceEntry: Hashable, Sendable, Codable {
        /// The house's name in the story's own language, else the story's.
        public var name: String
        public var colors: FaceColors
        /// The weights of a variable font, such as `100 900`; nil for a font of one weight.
        public var fontWeights: String?
    }

    /// The base maps of a story: the streets, buildings and water below the marks of its maps.
    public struct Ground: Hashable, Sendable, Codable {
        /// A base map, as Mapbox Vector Tiles in gzip.
        public struct Map: Hashable, Sendable, Codable {
            /// The path of the file that it was made of, as the story names it.
            public var source: String
            public var minZoom: Int
            public var maxZoom: Int
            /// What the tiles show.
            public var bounds: GroundBox
            /// What is shown wherever the map is.
            public var attribution: String
            public var license: String?
            /// The ``MediaFile/path`` of tiles by their zoom, column and row: `12/2219/1409`.
            public var tiles: [String: String]
        }

        /// That of chapters without their own; nil if all have one.
        public var story: Map?
        /// Those of chapters by their ids.
        public var chapters: [String: Map] = [:]

        init() {}

        private enum CodingKeys: String, CodingKey {
            case chapters, tiles
        }

        /// The story's map is written beside `chapters`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            chapters = try container.decodeIfPresent([String: Map].self, forKey: .chapters) ?? [:]
            story = container.contains(.tiles) ? try Map(from: decoder) : nil
        }

        public func encode(to encoder: any Encoder) throws {
            try story?.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            if !chapters.isEmpty { try container.encode(chapters, forKey: .chapters) }
        }

        /// All base maps, with the ids of their chapters.
        var maps: [(chapter: String?, map: Map)] {
            [story].compactMap(\.self).map { (nil, $0) }
                + chapters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// A floor plan: the size of its picture, and where that lies.
    public struct Floor: Hashable, Sendable, Codable {
        /// The version of this form: 1.
        public var version = 1
        /// The id that the story names it by.
        public var id: String
        /// The picture's path as the story names it.
        public var source: String
        /// The size in which points of the picture are given, whatever the size of a file: pixels, of an SVG the units of
        /// its `viewBox`.
        public var width: Double
        public var height: Double
        /// Degrees of longitude for a point of the picture: `east[0]` + `east[1]` · x + `east[2]` · y, x to the right and
        /// y downwards from the upper left corner.
        public var east: [Double]
        /// Degrees of latitude in the same way.
        public var north: [Double]
    }

    public struct ScreenEntry: Hashable, Sendable, Codable {
        public var name: String
        /// The width in pixels; 0 for a side that follows from the content.
        public var width: Int
        public var height: Int
    }

    public struct Database: Hashable, Sendable, Codable {
        /// The path relative to the bundle.
        public var path: String
        public var bytes: Int
        public var sha256: String
    }

    public struct Missing: Hashable, Sendable, Codable {
        public var source: String
        public var reason: String
    }

    /// The size of all media.
    public var mediaBytes: Int { files.reduce(0) { $0 &+ $1.totalBytes } }

    /// Returns the size of the media that a player of a language downloads to a device with a screen.
    public func downloadBytes(language: String, screen: String) -> Int {
        let paths = Set(
            media.filter { entry in
                entry.role.isOnDevice && entry.screen ?? screen == screen
                    && entry.languages?.contains(language) ?? true
            }.map(\.path))
        return files.filter { paths.contains($0.path) }.reduce(0) { $0 &+ $1.totalBytes }
    }

    /// Reads `manifest.json`.
    ///
    /// Throws an `io` error if it cannot be read, an `unsupported` error if a newer Wayreel wrote it, and a `decoding`
    /// error if it is damaged.
    public static func read(path: String) throws(MediaError) -> BundleManifest {
        let file = try MediaBytes.read(path: path, limit: 1 << 30)
        let data = withExtendedLifetime(file) { Data(file.buffer) }
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: data) else {
            throw MediaError(
                .decoding, step: .bundle, subject: path, reason: "is not a bundle manifest",
                advice: "prepare the story again")
        }
        try head.check(path)
        do {
            let manifest = try decoder.decode(BundleManifest.self, from: data)
            guard manifest.files.allSatisfy(\.isSound), manifest.files.count < 1 << 24,
                manifest.database.path == BundleFolder.databaseName
            else { throw MediaError(.decoding, step: .bundle, reason: "leads out of the bundle") }
            return manifest
        } catch {
            throw MediaError(
                .decoding, step: .bundle, subject: path, reason: "is damaged", advice: "prepare the story again")
        }
    }

    /// Returns the id of the story; nil if the manifest is missing or damaged, in which case it is written anew.
    ///
    /// Throws an `unsupported` error if a newer Wayreel wrote it.
    static func story(path: String) throws(MediaError) -> String? {
        struct Titled: Decodable { var story: StoryEntry }
        guard let file = try? MediaBytes.read(path: path, limit: 1 << 30) else { return nil }
        let data = withExtendedLifetime(file) { Data(file.buffer) }
        try (try? JSONDecoder().decode(Head.self, from: data))?.check(path)
        return (try? JSONDecoder().decode(Titled.self, from: data))?.story.id
    }

    /// Whether a file holds this manifest as ``json()``, and nothing else.
    func isContent(of path: String) -> Bool {
        guard let file = try? MediaBytes.read(path: path, limit: 1 << 30), let json = try? json() else { return false }
        return withExtendedLifetime(file) { file.buffer.elementsEqual(json) }
    }

    /// The SHA-256 of all but the database, which holds it.
    func digest() throws(MediaError) -> String {
        var manifest = self
        manifest.database = Database(path: BundleFolder.databaseName, bytes: 0, sha256: "")
        return try ContentHasher.digest(of: CanonicalJSON.text(manifest))
    }

    private struct Head: Decodable {
        var version: Int

        func check(_ path: String) throws(MediaError) {
            guard version > currentVersion else { return }
            throw MediaError.version(version, known: currentVersion, step: .bundle, subject: path)
        }
    }

    /// Returns JSON with a line for each value and sorted keys: equal manifests give equal bytes.
    func json() throws(MediaError) -> [UInt8] { try CanonicalJSON.lines(self, step: .bundle) }
}

/// One use of a file of a bundle.
public struct MediaEntry: Hashable, Sendable, Codable {
    /// The path of the source as the story names it.
    public var source: String
    public var role: MediaRole
    /// The screen's name; nil if the file serves all screens.
    public var screen: String?
    /// The camera event that the preview or the treatment's file belongs to.
    public var event: String?
    /// The languages of the story that need it; nil for all.
    public var languages: [String]?
    /// The file's ``MediaFile/path``.
    public var path: String
}

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

/// The purpose of a file of a bundle.
public enum MediaRole: String, Hashable, Sendable, Codable, CaseIterable {
    /// An image at the width of a screen.
    case image
    /// The sample of a camera event, with the treatment that a player's capture gets.
    case preview
    case audio
    /// Levels for a visualizer, as `wayreel levels` writes them.
    case levels
    /// A plot of the levels.
    case plot
    /// An MP4 file, or the master playlist of HLS.
    case video
    /// The still image that represents a video.
    case poster
    /// Captions of a video as WebVTT.
    case captions
    /// An unchanged file that a treatment needs: an image, a recipe or a `.cube` table.
    case treatment
    /// The house's font: the characters that the story needs, as WOFF2.
    case font
    /// The house's logo, or the first letters of its name, on its colour: a square PNG.
    case icon
    /// An icon that Android may cut to a circle of 80 % of its side.
    case maskableIcon = "maskable-icon"
    /// An icon for the home screen of iOS.
    case touchIcon = "touch-icon"
    /// The image of 1200 × 630 pixels that programs show beside a link to the story.
    case share
    /// A tile of a base map: a Mapbox Vector Tile in gzip.
    case tile

    /// Those of a house's face that are drawn.
    static let drawn: [MediaRole] = [.icon, .maskableIcon, .touchIcon, .share]

    /// Whether players download it: services use the files of treatments, other programs icons and images for links.
    var isOnDevice: Bool { self != .treatment && !Self.drawn.contains(self) }

    /// Whether each screen has its own file.
    var isForScreen: Bool { [.image, .preview, .poster, .video].contains(self) }
}
