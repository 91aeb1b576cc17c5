internal import Glibc

private let full = (code: MediaError.Code.diskFull, advice: "free some space and run again" as MediaError.Advice)

/// Faults of the disk by their error numbers, as in errno(3).
private let diskFaults: [Int32: (code: MediaError.Code, advice: MediaError.Advice)] = [
    ENOSPC: full,
    EDQUOT: full,
    EROFS: (.diskFailed, "choose a folder on a writable file system"),
    EIO: (.diskFailed, "check the disk: the system's log has more about it"),
]

extension MediaError.Code {
    /// The code for an error number of the system, if there is one for faults of the disk.
    package init?(disk error: Int32) {
        guard let code = diskFaults[error]?.code else { return nil }
        self = code
    }
}

extension MediaError.Advice {
    /// The advice for an error number of the system, if it is a fault of the disk.
    package init?(disk error: Int32) {
        guard let advice = diskFaults[error]?.advice else { return nil }
        self = advice
    }
}

extension MediaError {
    /// The `io` error of a failed system call. A fault of the disk has its own code and advice, other errors have
    /// `advice`.
    package init(system error: Int32, step: String, subject: String?, advice: Advice? = nil) {
        self.init(
            .io, code: Code(disk: error), step: step, subject: subject, reason: systemReason(error),
            advice: Advice(disk: error) ?? advice)
    }

    /// The `io` error for a primary result code of SQLite; nil if neither the disk, nor permissions, nor another
    /// program is the cause. See sqlite.org/rescode.html.
    package init?(sqlite result: Int32, step: String, subject: String?) {
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

/// An errno value.
package struct SystemError: Error {
    package var code: Int32

    package init(code: Int32) { self.code = code }
}
