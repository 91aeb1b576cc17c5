import GRDB
import TestSupport
import Testing
import WayreelCore
import WayreelDatabase

@Suite struct SQLiteTests {
    private struct OtherError: Error {}

    private static func other(_ error: any Error) -> MediaError {
        MediaError(.decoding, step: .other, reason: "\(type(of: error))")
    }

    private static func message(_ error: any Error) -> String {
        do throws(MediaError) {
            try SQLite.checked(step: .state, subject: "a.sqlite", otherwise: other) { throw error }
            return "no error"
        } catch {
            return error.description
        }
    }

    /// The meanings of the numbers are those of sqlite.org/rescode.html. Damage (11, 26) is not the machine's fault.
    @Test(
        arguments: [
            (13, .diskFull, "free some space"), (10, .diskFailed, "check the disk and its quota"),
            (8, .io, "permission"), (14, .io, "permissions"), (5, .io, "end that program"),
            (6, .io, "end that program"), (11, nil, ""), (26, nil, ""), (1, nil, ""),
        ] as [(Int32, MediaError.Code?, String)])
    func faultsOfADatabase(_ result: Int32, _ code: MediaError.Code?, _ words: String) {
        let error = MediaError(sqlite: result, step: .state, subject: "a.sqlite")
        #expect(error?.code == code)
        #expect(error?.advice?.description.contains(words) ?? (code == nil))
        if let error { #expect(error.kind == .io && !error.reason.isEmpty) }
    }

    @Test func onlyFaultsOfTheMachineAreTheSameForAll() {
        #expect(Self.message(DatabaseError(resultCode: .SQLITE_FULL)).hasPrefix("a.sqlite: state: no space left"))
        #expect(
            Self.message(DatabaseError(resultCode: .SQLITE_BUSY))
                == "a.sqlite: state: another program keeps it locked; end that program and run again")
        #expect(Self.message(DatabaseError(resultCode: .SQLITE_CORRUPT)) == "other: DatabaseError")
        #expect(Self.message(OtherError()) == "other: OtherError")
        #expect(Self.message(MediaError(.limit, step: .read, reason: "is large")) == "read: is large")
    }

    /// Errors of its users are not those of the file.
    @Test func whatABodyThrowsPassesThrough() throws {
        try Fixture.withFolder { folder in
            let database = try DurableDatabase(
                "\(folder)/a.sqlite", Migrations(sql: ["CREATE TABLE a (b INTEGER NOT NULL)"]))
            #expect(throws: OtherError.self) { try database.read { _ in throw OtherError() } }
            #expect(throws: OtherError.self) { try database.write { _ in throw OtherError() } }
            let error = #expect(throws: MediaError.self) {
                try database.write { try $0.execute(sql: "INSERT INTO a VALUES (NULL)") }
            }
            #expect(error?.description.hasPrefix("\(folder)/a.sqlite: data: ") == true)
        }
    }

    @Test func refusesANewerVersion() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a.sqlite"
            _ = try DurableDatabase(path, Migrations(sql: ["CREATE TABLE a (b)", "CREATE TABLE c (d)"]))
            let bytes = try Fixture.bytes(path)
            let error = #expect(throws: MediaError.self) {
                try DurableDatabase(path, Migrations(sql: ["CREATE TABLE a (b)"]))
            }
            #expect(error == MediaError.version(2, known: 1, step: .data, subject: path))
            #expect(error?.description == "\(path): data: has version 2; this Wayreel knows 1; use a newer Wayreel")
            #expect(try Fixture.bytes(path) == bytes)
        }
    }
}

extension MediaError.Step {
    fileprivate static let state = MediaError.Step(rawValue: "state")
    fileprivate static let other = MediaError.Step(rawValue: "other")
}
