extension MediaError {
    /// The error of a file whose format has a later version than this Wayreel reads.
    package static func version(
        _ found: Int, known: Int, step: String, subject: String? = nil
    ) -> MediaError {
        MediaError(
            .unsupported, step: step, subject: subject, reason: "has version \(found); this Wayreel knows \(known)",
            advice: "use a newer Wayreel")
    }
}
