internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelService

/// Stores each image in a file; a SQLite table holds the paths, as it would hold URLs.
struct FileStore: ImageStorage {
    private let folder: String
    private let index: DurableDatabase

    init(folder: String) throws(MediaError) {
        self.folder = folder
        index = try DurableDatabase(
            "\(folder)/index.sqlite", version: 1,
            schema: """
                CREATE TABLE image (position INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL)
                """)
    }

    /// Adds an image. The file is on the disk before the row that refers to it.
    func add(_ image: StoredImage) throws(MediaError) {
        try MediaError.storing(at: index.path) {
            let count = try index.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM image") ?? 0 }
            let path = "\(count + 1).image"
            try OutputFile.write(Array(image.bytes), to: "\(folder)/\(path)")
            try index.write {
                try $0.execute(sql: "INSERT INTO image (name, path) VALUES (?, ?)", arguments: [image.name, path])
            }
        }
    }

    func images() throws(MediaError) -> [StoredImage] {
        try MediaError.storing(at: index.path) {
            try index.read { database in
                try Row.fetchCursor(database, sql: "SELECT name, path FROM image ORDER BY position").reduce(into: []) {
                    let path: String = $1["path"]
                    let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(path)"))
                    $0.append(StoredImage(name: $1["name"], bytes: bytes))
                }
            }
        }
    }
}
