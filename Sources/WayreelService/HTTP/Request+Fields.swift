internal import Hummingbird

extension QueryFields {
    /// The fields of a request's query. Throws a ``Problem`` where it is damaged, or has another name than those that are allowed.
    init(of request: Request, allowing names: Set<String>) throws {
        try self.init(of: request)
        for field in self where !names.contains(field.name) {
            throw Problem.badRequest("'\(field.name)' is none of \(names.sorted().joined(separator: ", "))")
        }
    }

    /// The fields of a request's query. Throws a ``Problem`` where it is damaged.
    init(of request: Request) throws {
        guard let fields = QueryFields(request.uri.query ?? "") else {
            throw Problem.badRequest("the query is not percent-encoded UTF-8")
        }
        self = fields
    }
}

extension RequestContext {
    /// A part of the path, percent-decoded. Throws a ``Problem`` where it is damaged.
    func decoded(_ name: String) throws -> String {
        guard let text = parameters.get(name).flatMap({ PercentEncoding.decode($0) }) else {
            throw Problem.badRequest("'\(name)' is not percent-encoded UTF-8")
        }
        return text
    }
}
