internal import HTTPTypes

extension JobFault: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .interrupted(let starts):
            Problem(
                .serviceUnavailable, code: "interrupted", "The job did not end",
                detail: "the server ended \(starts) times while it ran")
        case .unknownVersion:
            Problem(
                .serviceUnavailable, code: "version", "The job was made by another version of Wayreel",
                detail: "this version cannot read its options; its files are kept until it expires")
        }
    }
}
