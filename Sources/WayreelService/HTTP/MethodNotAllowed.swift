internal import HTTPTypes
internal import Hummingbird

extension Router<ServiceContext> {
    /// Answers 405 to the methods that the addresses added so far do not have, and names those that they have (RFC
    /// 9110, section 15.5.6).
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
