internal import HTTPTypes
internal import Hummingbird

extension Router<ServiceContext> {
    /// Adds answers with status 405 to all other methods of the paths that were added so far. They list the allowed
    /// methods (RFC 9110, section 15.5.6).
    func refusingOtherMethods() -> Self {
        let methods: [HTTPRequest.Method] = [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
        ]
        for routes in Dictionary(grouping: routes, by: { $0.path.description }).values {
            var allowed = Set(routes.map(\.method))
            if allowed.contains(.get) { allowed.insert(.head) }
            let problem = Problem.methodNotAllowed(Array(allowed))
            for method in methods where !allowed.contains(method) {
                on(routes[0].path, method: method) { _, _ -> Response in throw problem }
            }
        }
        return self
    }
}
