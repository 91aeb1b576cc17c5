/// The values of an `Accept` or `Accept-Encoding` header in lower case, each with its quality from 0 to 1 (RFC 9110,
/// section 12.4.2).
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

    /// Returns the type with the highest quality; nil if none is accepted. `types` are in order of preference. Among types
    /// of the same quality, those that the header names precede those that only a wildcard matches.
    func best(of types: [String]) -> String? {
        let rated = types.map { type in
            let range = "\(type.prefix { $0 != "/" })/*"
            return (type: type, rank: (quality(type, range, "*/*"), qualities[type] == nil ? 0 : 1))
        }
        return rated.filter { $0.rank.0 > 0 }.max { $0.rank < $1.rank }?.type
    }

    /// Returns the quality of the first of `names` that the header contains; 0 if it contains none.
    func quality(_ names: String...) -> Double { names.lazy.compactMap { qualities[$0] }.first ?? 0 }
}
