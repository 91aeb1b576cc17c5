/// What an `Accept` or `Accept-Encoding` header names, in lower case, with its quality, 0 ... 1 (RFC 9110, section 12.4.2).
struct AcceptHeader {
    private let qualities: [String: Double]

    init(_ header: String?) {
        var qualities: [String: Double] = [:]
        for item in header?.split(separator: ",") ?? [] {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let name = parts.first else { continue }
            qualities[name] = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
        }
        self.qualities = qualities
    }

    /// The quality of the first of some names that the header has; 0 where it has none.
    func quality(_ names: String...) -> Double { names.lazy.compactMap { qualities[$0] }.first ?? 0 }
}
