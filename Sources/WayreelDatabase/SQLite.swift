internal import GRDB
internal import Glibc
package import WayreelCore

/// The errors of SQLite as errors of Wayreel.
package enum SQLite {
    /// Runs `body`. Throws its `MediaError`s as they are, and the others as ``fault(_:step:subject:otherwise:)``.
    package static func checked<Result>(
        step: MediaError.Step, subject: String?, otherwise: (any Error) -> MediaError, _ body: () throws -> Result
    ) throws(MediaError) -> Result {
        do { return try body() } catch let error as MediaError { throw error } catch {
            throw fault(error, step: step, subject: subject, otherwise: otherwise)
        }
    }

    /// Returns the `io` error if the machine is at fault: its disk, permissions, or another program. `otherwise` returns
    /// that of a damaged file, or of a mistake in the program.
    package static func fault(
        _ error: any Error, step: MediaError.Step, subject: String?, otherwise: (any Error) -> MediaError
    ) -> MediaError {
        guard let result = (error as? DatabaseError)?.resultCode.rawValue,
            let fault = MediaError(sqlite: result, step: step, subject: subject)
        else { return otherwise(error) }
        return fault
    }
}

extension MediaError {
    /// The `io` error for a primary result code of SQLite; nil if neither the disk, nor permissions, nor another
    /// program is the cause. See sqlite.org/rescode.html.
    package init?(sqlite result: Int32, step: MediaError.Step, subject: String?) {
        if result == 13 {
            self.init(system: ENOSPC, step: step, subject: subject)
            return
        }
        guard let fault = Self.sqliteFaults[result] else { return nil }
        self.init(.io, code: fault.code, step: step, subject: subject, reason: fault.reason, advice: fault.advice)
    }

    private typealias Fault = (code: Code?, reason: String, advice: Advice)

    private static let locked: Fault = (nil, "another program keeps it locked", "end that program and run again")

    private static let sqliteFaults: [Int32: Fault] = [
        5: locked,
        6: locked,
        // A read-only file system, or a file or folder without permission.
        8: (nil, "is read-only", "give yourself permission to write it, or copy it"),
        // SQLite also reports an exceeded quota so.
        10: (.diskFailed, "cannot be read or written", "check the disk and its quota, and run again"),
        14: (nil, "it, or a file beside it, cannot be opened", "check that its folder exists, and the permissions"),
    ]
}

extension MediaError.Step {
    package static let data = MediaError.Step(rawValue: "data")
}
