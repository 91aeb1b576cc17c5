internal import Hummingbird
internal import WayreelCore

extension QueryFields {
    /// The fields of a request's query. Throws a ``Problem`` if it is malformed.
    init(of request: Request) throws {
        guard let fields = QueryFields(request.uri.query ?? "") else {
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
