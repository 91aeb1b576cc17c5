internal import FoundationEssentials
internal import GRDB
internal import WayreelCore
internal import WayreelService

/// Stores each image in a row of a SQLite table, its bytes as a BLOB. The database is that of the service, with its
/// guarantees.
struct BlobStore: ImageStorage {
    private let database: DurableDatabase

    init(folder: String) throws(MediaError) {
        database = try DurableDatabase(
            "\(folder)/images.sqlite", version: 1,
            schema: """
                CREATE TABLE image (position INTEGER PRIMARY KEY, name TEXT NOT NULL, bytes BLOB NOT NULL)
                """)
    }

    func add(_ image: StoredImage) throws(MediaError) {
        try MediaError.storing(at: database.path) {
            try database.write {
                try $0.execute(
                    sql: "INSERT INTO image (name, bytes) VALUES (?, ?)", arguments: [image.name, image.bytes])
            }
        }
    }

    func images() throws(MediaError) -> [StoredImage] {
        try MediaError.storing(at: database.path) {
            try database.read { database in
                try Row.fetchCursor(database, sql: "SELECT name, bytes FROM image ORDER BY position")
                    .reduce(into: []) { $0.append(StoredImage(name: $1["name"], bytes: $1["bytes"])) }
            }
        }
    }
}
