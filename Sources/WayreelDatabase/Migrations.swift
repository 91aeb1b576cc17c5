package import GRDB
package import WayreelCore

/// The versions of the tables in a SQLite file, which has its own in `PRAGMA user_version`.
package struct Migrations: Sendable {
    package typealias Step = @Sendable (Database) throws -> Void

    private let steps: [Step]

    /// The first step makes version 1 in an empty file, each further one makes a version of the one before it. What a
    /// released step does stays as it is: another version is another step.
    package init(_ steps: [Step]) { self.steps = steps }

    /// Steps that only run SQL.
    package init(sql: [String]) {
        self.init(sql.map { sql -> Step in { database in try database.execute(sql: sql) } })
    }

    /// The version that this Wayreel writes, and the newest that it reads.
    package var version: Int { steps.count }

    package static func version(of database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }

    /// Turns the tables into those of ``version``. Does not write to a file that has them.
    ///
    /// Has to run in a transaction, which has all steps or none: an error, a kill or a loss of power leaves the file as
    /// it was, and other processes wait, and find the new version.
    ///
    /// Throws an `unsupported` error if a newer Wayreel wrote the file.
    package func migrate(_ database: Database, step name: MediaError.Step, subject: String) throws {
        let found = try Self.version(of: database)
        guard (0...version).contains(found) else {
            throw MediaError.version(found, known: version, step: name, subject: subject)
        }
        guard found < version else { return }
        for step in steps[found...] { try step(database) }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Returns the tables that a file of a version has.
    package func tables(of version: Int) throws -> Tables {
        try DatabaseQueue().write { database in
            for step in steps[..<version] { try step(database) }
            return try Tables(of: database)
        }
    }
}

/// The tables of a database as statements see them: columns with their types, keys, indexes. How the definitions are
/// worded makes no difference, nor do defaults, constraints that only check values, and the tables that SQLite keeps for
/// itself.
package struct Tables: Equatable, Sendable {
    /// Descriptions of what each table has.
    private let parts: [String: Set<String>]

    package init(of database: Database) throws {
        var parts: [String: Set<String>] = [:]
        let rows = try Row.fetchCursor(database, sql: Self.listing)
        while let row = try rows.next() {
            parts[try row.decode(String.self, atIndex: 0), default: []].insert(
                try row.decode(String.self, atIndex: 1))
        }
        self.parts = parts
    }

    /// Returns the name of a table of `wanted` that is missing here, has other columns, or lacks an index. Further tables
    /// and indexes do no harm.
    package func firstUnlike(_ wanted: Tables) -> String? {
        wanted.parts.keys.sorted().first { name in
            !(parts[name] ?? []).isSuperset(of: wanted.parts[name] ?? [])
        }
    }

    /// Whether there are triggers or views. Ask before an untrusted file's tables are listed, which compiles its views.
    package static func haveTriggersOrViews(in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT * FROM sqlite_schema WHERE type NOT IN ('table', 'index'))") ?? false
    }

    /// Each part is an array in JSON, so that no name can be taken for two. `ncol` is the number of columns: a further
    /// column changes it.
    private static let listing = """
        WITH tables AS (
            SELECT name, type, ncol, wr, strict FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'virtual') AND substr(name, 1, 7) <> 'sqlite_'
        ), stored AS (SELECT name FROM tables WHERE type = 'table')
        SELECT name, json_array(type, ncol, wr, strict) FROM tables
        UNION ALL
        SELECT stored.name, json_array('column', c.cid, c.name, c.type, c."notnull", c.pk, c.hidden)
            FROM stored JOIN pragma_table_xinfo(stored.name) AS c
        UNION ALL
        SELECT stored.name, json_array('index', i."unique", i.partial, (
                SELECT json_group_array(json_array(k.name, k."desc", k.coll)) FROM pragma_index_xinfo(i.name) AS k
                    WHERE k.key))
            FROM stored JOIN pragma_index_list(stored.name) AS i
        UNION ALL
        SELECT stored.name, json_array('reference', f."from", f."table", f."to", f.on_update, f.on_delete)
            FROM stored JOIN pragma_foreign_key_list(stored.name) AS f
        """
}
