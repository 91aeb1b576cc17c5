internal import HTTPTypes

/// The headers of every answer, also to malformed requests.
enum AnswerHeaders {
    static let requestID = HTTPField.Name("X-Request-ID")!

    static func add(to fields: inout HTTPFields, requestID id: String) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[requestID] = id
    }
}
