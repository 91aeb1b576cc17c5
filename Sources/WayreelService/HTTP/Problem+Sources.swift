internal import HTTPTypes
internal import WayreelCore

extension SourceFault: ProblemConvertible {
    private static let code = "source"

    var problem: Problem {
        switch self {
        case .notURL: .badRequest("the source is not an http or https URL without user, fragment and spaces")
        case .notListed: Self.forbidden("the setting 'sources' lists what is")
        case .notPublic: Self.forbidden("its address is not a public one")
        case .missing: .notFound("the other server has no such image")
        case .tooLarge(let maxBytes):
            Problem(
                .contentTooLarge, code: MediaError.Code.tooManyBytes.rawValue, "The image is too large",
                detail: "its server sends more than \(maxBytes) bytes")
        case .failed(let failure):
            Problem(.badGateway, code: Self.code, "The image's server failed", detail: failure.detail)
        }
    }

    private static func forbidden(_ detail: String) -> Problem {
        Problem(.forbidden, code: code, "Images of this server are not allowed", detail: detail)
    }
}

extension SourceFault.Failure {
    fileprivate var detail: String {
        switch self {
        case .noAddress: "its name has no address"
        case .lookupTimeout: "its name was not looked up in time"
        case .unreachable: "it cannot be reached"
        case .timeout: "it did not answer in time"
        case .status(let status): "it answers with status \(status)"
        case .badRedirect: "it redirects to no URL"
        case .tooManyRedirects(let most): "it redirects more than \(most) times"
        }
    }
}
