/// The reason for which an image of another server is not fetched.
enum SourceFault: Error, Hashable {
    /// What the other server does, or the name server that is asked for it.
    enum Failure: Hashable {
        case noAddress
        case lookupTimeout
        case unreachable
        case timeout
        case status(Int)
        case badRedirect
        case tooManyRedirects(Int)
    }

    case notURL
    /// The settings do not list it.
    case notListed
    /// Its name has an address of a private network.
    case notPublic
    case missing
    case tooLarge(maxBytes: Int)
    case failed(Failure)
}
