internal import WayreelCore

/// The fields of a query or a form, in order, percent-decoded.
struct QueryFields: Sequence {
    private(set) var fields: [(name: String, value: String)] = []

    init() {}

    /// Parses `a=1&b=two`. Returns nil for a malformed escape or text that is not UTF-8.
    init?(_ text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true),
                let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            fields.append((name, value))
        }
    }

    /// The first value of a name.
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }
}
