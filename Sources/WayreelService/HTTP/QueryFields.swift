internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelDocument
internal import WayreelEngine

/// The fields of a query or a form, in order, percent-decoded.
package struct QueryFields: Sequence, Sendable {
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    /// Parses `a=1&b=two`. Returns nil for a malformed escape or text that is not UTF-8.
    package init?(_ text: some StringProtocol) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true),
                let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
            else { return nil }
            fields.append((name, value))
        }
    }

    /// The first value of a name.
    package func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    package func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }

    /// The fields of a request's query. Throws a ``Problem`` if it is malformed.
    init(of request: Request) throws { try self.init(query: request.uri.query ?? "") }

    fileprivate init(query: some StringProtocol) throws {
        guard let fields = QueryFields(query) else {
            throw Problem.badRequest("the query is not percent-encoded UTF-8")
        }
        self = fields
    }

    /// Throws a ``Problem`` for other names than these.
    func check(allowing names: Set<String>) throws {
        for field in self where !names.contains(field.name) {
            let known = names.isEmpty ? "the query is empty here" : "it takes \(names.sorted().joined(separator: ", "))"
            throw Problem.badRequest("the query has an unknown '\(field.name)': \(known)")
        }
    }

    /// The time of a name, if there is one. Throws a ``Problem`` if it is none.
    func time(_ name: String) throws -> Timestamp? {
        guard let text = value(name) else { return nil }
        guard let time = Timestamp(text) else {
            throw Problem.badRequest("'\(name)' takes a time of RFC 3339, such as 2026-11-23T17:05:09Z")
        }
        return time
    }
}

extension RequestContext {
    /// A parameter of the path, percent-decoded. Throws a ``Problem`` if it is malformed.
    func decoded(_ name: String) throws -> String {
        guard let text = parameters.get(name).flatMap({ PercentEncoding.decode($0) }) else {
            throw Problem.badRequest("'\(name)' is not percent-encoded UTF-8")
        }
        return text
    }
}

extension Array {
    /// Applies the settings of a query to `base`. The last value of a repeated setting counts, unless the setting is a
    /// list.
    ///
    /// Throws a ``Problem`` for a malformed query, and a `parameter` error for an unknown name or a wrong value.
    func read<Target>(_ query: some StringProtocol, into base: Target) throws -> Target
    where Element == Setting<Target> {
        let location = DocumentLocation(.options)
        var target = base
        for field in try QueryFields(query: query) {
            guard let setting = first(where: { $0.key == field.name }) else {
                throw location.unknownKey(field.name, of: map(\.key), in: "this request")
            }
            try setting.apply(YAMLNode(.scalar(field.value, isPlain: true), at: location), to: &target)
        }
        return target
    }
}

/// The name and the values of an option of requests.
struct OptionDescription: Sendable {
    var key: String
    /// Description of the value: `a number from 0 to 1`.
    var expectation: String
    var values: SettingValues
    /// Examples of accepted values, if ``values`` does not list all.
    var suggestions: [String]
    /// Whether it is a list, so that a request may repeat it.
    var isRepeatable: Bool

    init<Target>(_ setting: Setting<Target>, isRepeatable: Bool = false) {
        key = setting.key
        expectation = setting.expectation
        values = setting.values
        suggestions = setting.keywords()
        self.isRepeatable = isRepeatable
    }
}
