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
    package init(system error: Int32, step: MediaError.Step, subject: String?, advice: Advice? = nil) {
        self.init(
            .io, code: Code(disk: error), step: step, subject: subject, reason: systemReason(error),
            advice: Advice(disk: error) ?? advice)
    }
}

/// An errno value.
package struct SystemError: Error {
    package var code: Int32

    package init(code: Int32) { self.code = code }
}
