internal import HTTPTypes

/// The preferences of a request (RFC 7240).
enum Preference {
    static let prefer = HTTPField.Name("Prefer")!
    static let applied = HTTPField.Name("Preference-Applied")!
    /// The client wants an answer before the work is done.
    static let respondAsync = "respond-async"

    /// Whether the headers state a preference without a value.
    static func isStated(_ name: String, in headers: HTTPFields) -> Bool {
        headers[values: prefer].joined(separator: ",").split(separator: ",").contains { item in
            let token = item.split(separator: ";", omittingEmptySubsequences: false)[0]
            return token.filter { $0 != " " && $0 != "\t" }.lowercased() == name
        }
    }
}
